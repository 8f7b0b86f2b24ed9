// Puzzles: positions with one winning turn. What was solved the browser keeps.

const puzzles = (() => {
  /** @type {Puzzle[] | null} */
  let all = null;
  /** @type {PuzzleState | null} */
  let now = null;
  // The game that goes on after the puzzles.
  /** @type {Aside | null} */
  let aside = null;
  let length = "all";

  /** @type {() => Set<number>} */
  const solved = () => new Set(kept.get("solved", [], Array.isArray));

  async function load() {
    all ??= (await desk.ask({ do: "puzzles" })).puzzles;
    length = kept.get("puzzleLength", "all", isText);
    if (!chosen().length) length = "all";
  }

  // Opens the puzzle with this position.
  /** @param {string} position */
  async function openAt(position) {
    await load();
    const puzzle = all.find(puzzle => puzzle.position === position);
    if (puzzle) return begin(puzzle);
    await files.openPosition(position);
    say("This page does not have the puzzle of this link. Here is its position, to play on.");
  }

  // With what was kept of a puzzle it goes on with that.
  /** @param {{ id: number, result: string, isShown: boolean } | null} left */
  async function open(left = null) {
    try {
      await load();
      const puzzle = all.find(({ id }) => id === left?.id);
      if (!left) next();
      else if (puzzle) await begin(puzzle, {
        result: left.result === "solved" || left.result === "failed" ? left.result : "", isShown: left.isShown === true,
      });
    } catch (error) {
      say(error.message, "bad");
    }
  }

  const chosen = () => all.filter(({ turns, size }) =>
    length === "all" || (length === "large" ? size === 6 : turns === Number(length)));

  // The first one that was not solved, behind the one that is shown.
  function next(from = now ? chosen().indexOf(now.puzzle) + 1 : 0) {
    const list = chosen();
    const done = solved();
    const order = [...list.slice(from), ...list.slice(0, from)];
    begin(order.find(puzzle => !done.has(puzzle.id)) ?? order[0]);
  }

  /** @type {(puzzle: Puzzle, left?: Pick<PuzzleState, "result" | "isShown">) => Promise<void>} */
  async function begin(puzzle, left) {
    let start;
    try {
      start = await desk.ask({ do: "read", text: puzzle.position });
    } catch (error) {
      return say(error.message, "bad");
    }
    aside = gameUnder();
    const mover = start.scene.mover;
    now = { puzzle, mover, result: left?.result ?? "", isShown: left?.isShown ?? false, isWon: false, isFree: false };
    takeGame(tree.root(start), {
      mode: "puzzle", seats: [{ kind: "person" }, { kind: "person" }],
      names: mover === 0 ? ["You", "Violet"] : ["Red", "You"],
    });
    goTo(state.root);
    say(`Puzzle ${puzzle.id}: ${task(puzzle)}`);
  }

  /** @type {(puzzle: Puzzle) => string} */
  const task = puzzle => puzzle.turns === 1 ? "win at once." : `find the turn that wins by force, in ${puzzle.turns} turns of yours.`;

  function keepSolved() {
    if (now.isShown || now.result === "failed") return;
    const ids = solved();
    ids.add(now.puzzle.id);
    kept.set("solved", [...ids]);
  }

  // What follows a turn of the puzzle.
  /** @param {GameNode} node */
  async function played(node) {
    const here = now;
    const isHere = () => state.mode === "puzzle" && now === here && state.node === node;
    if (here.isFree || node.parent.view.scene.mover !== here.mover) return changed();
    if (node.view.winner === here.mover) {
      here.isWon = true;
      if (!here.result) here.result = "solved";
      keepSolved();
      const isFirstTry = here.result === "solved";
      say(here.isShown ? "That is how it is won." : isFirstTry ? "Solved! You win." : "You win. It counts as solved when every turn is found at the first try.", "good");
      return changed();
    }
    say("Looking for an answer…");
    try {
      const isFirst = node.parent === state.root;
      const answer = await analysis.ahead({ do: "analyze", position: node.view.position, lines: 1, seconds: 2 }).answer;
      if (!isHere()) return;
      const [reply] = answer.lines;
      await pause(500);
      if (!isHere()) return;
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
      if (state.mode === "puzzle" && view().position === position) playTurn(answer.lines[0].turns[0]);
    } catch (error) {
      say(error.message, "bad");
    }
  }

  // Whether a turn of this seat is to be found, or both play freely.
  /** @type {(seat: Seat) => boolean} */
  const isFinder = seat => seat === now.mover || now.isFree;

  // Whether the solution has been seen, so that an analysis tells nothing new.
  const isKnown = () => now !== null && (now.isShown || now.isWon);

  // Both sides can be played by hand, with the analysis beside them.
  function analyse() {
    now.isFree = true;
    analysis.toggle(true);
    lookAt(state.root);
  }

  // Goes on where a turn was not answered yet.
  function goOn() {
    if (toMove() !== null && !isFinder(toMove())) played(state.node);
  }

  function leave() {
    now = null;
    takeUp(aside);
  }

  function show() {
    const card = $("puzzleCard");
    card.hidden = state.mode !== "puzzle";
    if (state.mode !== "puzzle" && state.mode !== "setup") now = null;
    if (card.hidden) return;
    const list = chosen();
    const done = solved();
    const isSolved = done.has(now.puzzle.id);
    const key = JSON.stringify([now.puzzle.id, now.result, now.isShown, now.isWon, now.isFree, done.size, length, view()?.winner]);
    if (card.dataset.key === key) return;
    card.dataset.key = key;
    const lengths = [...new Set(all.map(({ turns }) => turns))].sort((a, b) => a - b);
    const select = make("select", { id: "puzzleLength" }, make("option", { value: "all" }, "All"),
      ...lengths.map(turns => make("option", { value: turns }, counted(turns))),
      make("option", { value: "large" }, "On boards of 6 by 6"));
    select.value = length;
    select.onchange = () => {
      length = select.value;
      kept.set("puzzleLength", length);
      next(0);
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
        button("Next puzzle", () => next(), isOver ? { class: "strong" } : {}),
        button("Start over", () => begin(now.puzzle)),
        isOver || now.isFree ? null : button("Show the answer", showAnswer),
        isKnown() && !now.isFree ? button("Analyse", analyse) : null,
        button("Leave", leave)),
    ]);
  }

  // What is kept of it.
  const summary = () => now && { id: now.puzzle.id, result: now.result, isShown: now.isShown };

  return { open, openAt, show, played, isFinder, isKnown, goOn, now: summary, under: () => aside };
})();
