// Puzzles: positions with one winning turn. What was solved the browser keeps.

const puzzles = (() => {
  let all = null;
  // {puzzle, result: "" or "solved" or "failed", shown}
  let now = null;
  let length = "all";

  const solved = () => new Set(kept.get("solved", []));

  async function open() {
    try {
      all ??= (await desk.ask({ do: "puzzles" })).puzzles;
      length = kept.get("puzzleLength", "all");
      next();
    } catch (error) {
      say(error.message, "bad");
    }
  }

  const chosen = () => all.filter(({ turns, size }) =>
    length === "all" || (length === "large" ? size === 6 : turns === Number(length)));

  // The first one that was not solved, behind the one that is shown.
  function next() {
    const list = chosen();
    const done = solved();
    const from = now ? list.indexOf(now.puzzle) + 1 : 0;
    const order = [...list.slice(from), ...list.slice(0, from)];
    begin(order.find(puzzle => !done.has(puzzle.id)) ?? order[0]);
  }

  async function begin(puzzle) {
    const start = await desk.ask({ do: "read", text: puzzle.position });
    const mover = start.scene.mover;
    now = { puzzle, mover, result: "", isShown: false };
    takeGame(tree.root(start), {
      mode: "puzzle", seats: [{ kind: "person" }, { kind: "person" }],
      names: mover === 0 ? ["You", "Violet"] : ["Red", "You"],
    });
    goTo(state.root);
    say(`Puzzle ${puzzle.id}: ${task(puzzle)}`);
  }

  const task = puzzle => puzzle.turns === 1 ? "win at once." : `find the turn that wins by force, in ${puzzle.turns} turns of yours.`;

  function keepSolved() {
    if (now.isShown || now.result === "failed") return;
    const ids = solved();
    ids.add(now.puzzle.id);
    kept.set("solved", [...ids]);
  }

  // What follows a turn of the puzzle.
  async function played(node) {
    const here = now;
    if (node.parent.view.scene.mover !== here.mover) return changed();
    if (node.view.winner === here.mover) {
      if (!here.result) here.result = "solved";
      keepSolved();
      const isFirstTry = here.result === "solved";
      say(here.isShown ? "So it is won." : isFirstTry ? "Solved! You win." : "You win. It counts as solved when every turn is found at the first try.", "good");
      return changed();
    }
    say("Looking for an answer…");
    try {
      const isFirst = node.parent === state.root;
      const answer = await analysis.ahead({ do: "analyze", position: node.view.position, lines: 1, seconds: 2 }).answer;
      if (now !== here || state.node !== node) return;
      const [reply] = answer.lines;
      await pause(500);
      if (now !== here || state.node !== node) return;
      const isRight = isFirst ? node.turn === here.puzzle.solution : reply.score.startsWith("loss");
      if (!isRight) {
        here.result = "failed";
        goTo(node.parent);
        say(`${node.turn} does not win by force: ${reply.turns[0]} answers it. Try again.`, "bad");
        return changed();
      }
      await playTurn(reply.turns[0]);
      if (state.node.view.winner === null) say(`Right. ${inWords(reply.turns[0], node.view.scene)}: go on.`, "good");
    } catch (error) {
      say(error.message, "bad");
    }
  }

  async function showAnswer() {
    now.isShown = true;
    if (!now.result) now.result = "failed";
    const { position } = view();
    try {
      const answer = await analysis.ahead({ do: "analyze", position, lines: 1, seconds: 3 }).answer;
      if (view().position === position) playTurn(answer.lines[0].turns[0]);
    } catch (error) {
      say(error.message, "bad");
    }
  }

  function leave() {
    now = null;
    state.names = null;
    newGame({ seats: kept.get("wishes", { seats: ["person", "level 1"] }).seats.map(readSeat), size: 5, cards: null });
  }

  function show() {
    const card = $("puzzleCard");
    card.hidden = state.mode !== "puzzle";
    if (card.hidden) {
      now = null;
      return;
    }
    const list = chosen();
    const done = solved();
    const isSolved = done.has(now.puzzle.id);
    const key = JSON.stringify([now.puzzle.id, now.result, now.isShown, done.size, length, view()?.winner]);
    if (card.dataset.key === key) return;
    card.dataset.key = key;
    const lengths = [...new Set(all.map(({ turns }) => turns))].sort((a, b) => a - b);
    const select = make("select", { id: "puzzleLength" }, make("option", { value: "all" }, "All"),
      ...lengths.map(turns => make("option", { value: turns }, turns === 1 ? "1 turn" : `${turns} turns`)),
      make("option", { value: "large" }, "On boards of 6 by 6"));
    select.value = length;
    select.onchange = () => {
      length = select.value;
      kept.set("puzzleLength", length);
      now = null;
      next();
    };
    const count = list.filter(({ id }) => done.has(id)).length;
    const isOver = view()?.winner !== null;
    replaceControls(card, [
      make("h2", {}, `Puzzle ${now.puzzle.id} `, make("small", {}, isSolved ? "solved" : "")),
      make("p", {}, `You play ${colours[now.mover].toLowerCase()}: ${task(now.puzzle)}`),
      make("div", { class: "field" }, make("label", { for: "puzzleLength" }, "Wins of this length"), select),
      make("p", { class: "soft" }, `${count} of ${list.length} solved`),
      make("progress", { max: list.length, value: count, "aria-label": "Puzzles solved" }),
      make("div", { class: "row" },
        button("Next puzzle", next, isOver ? { class: "strong" } : {}),
        button("Start over", () => begin(now.puzzle)),
        isOver ? null : button("Show the answer", showAnswer),
        button("Leave", leave)),
    ]);
  }

  return { open, show, played };
})();
