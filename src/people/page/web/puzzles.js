// Puzzles: positions with one winning turn. The browser keeps which are solved.

const puzzles = (() => {
  /** @type {Puzzle[]} */
  let all = [];
  /** @type {PuzzleState | null} */
  let now = null;
  // The puzzle whose buttons are shown.
  /** @type {PuzzleState | null} */
  let drawn = null;
  let length = "all";

  /** @type {() => Set<number>} */
  const solved = () => new Set(storage.get("solved", [], Array.isArray));
  // The puzzles whose answer this tab has shown.
  /** @type {() => number[]} */
  const answered = () => [storage.getTab("answered")].filter(Array.isArray).flat();

  async function load() {
    if (!all.length) all = (await client.ask({ do: "puzzles" })).puzzles;
    length = storage.get("puzzleLength", "all", isText);
    if (!chosen().length) length = "all";
  }

  // Opens the puzzle with this position.
  /** @param {string} position */
  async function openAt(position) {
    await load();
    const puzzle = all.find(puzzle => puzzle.position === position);
    if (puzzle) return begin(puzzle);
    await files.openPosition(position);
    say("This page does not include the puzzle in this link. You can play on from its position.");
  }

  // Opens the puzzles. With `left`, resumes that puzzle.
  /** @param {{ id: number, result: string, isShown: boolean } | null} left */
  async function open(left = null) {
    const isHere = whileHere();
    try {
      await load();
      if (!isHere()) return;
      const puzzle = all.find(({ id }) => id === left?.id);
      if (!left) next();
      else if (puzzle) await begin(puzzle, {
        result: left.result === "solved" || left.result === "failed" ? left.result : "", isShown: left.isShown === true,
      });
    } catch (error) {
      sayError(error);
    }
  }

  const chosen = () => all.filter(({ turns, size }) =>
    length === "all" || (length === "large" ? size === 6 : turns === Number(length)));

  // Begins the first unsolved puzzle after the one shown, from the top again at the end.
  function next(from = now ? chosen().indexOf(now.puzzle) + 1 : 0) {
    const list = chosen();
    const done = solved();
    const order = [...list.slice(from), ...list.slice(0, from)];
    begin(order.find(puzzle => !done.has(puzzle.id)) ?? order[0]);
  }

  /** @type {(puzzle: Puzzle, left?: Pick<PuzzleState, "result" | "isShown">) => Promise<void>} */
  async function begin(puzzle, left) {
    const isHere = whileHere();
    let start;
    try {
      start = await client.ask({ do: "read", text: puzzle.position });
    } catch (error) {
      return sayError(error);
    }
    if (!isHere()) return;
    if (start.winner !== null) return say("The game of this puzzle is over.", "bad");
    const { mover } = start.scene;
    now = {
      puzzle, mover, result: left?.result ?? "", isShown: left?.isShown || answered().includes(puzzle.id), isWon: false, isFree: false, under: gameUnder(),
    };
    const root = tree.root(start);
    undo.beforeLeavingSetup();
    takeGame(root, {
      mode: "puzzle", seats: [{ kind: "person" }, { kind: "person" }],
      names: mover === 0 ? ["You", "Violet"] : ["Red", "You"],
    });
    goTo(root);
    say(`Puzzle ${puzzle.id}: ${task(puzzle)}`);
  }

  /** @type {(puzzle: Puzzle) => string} */
  const task = puzzle => puzzle.turns === 1 ? "win at once." : `find the turn that forces a win in ${puzzle.turns} turns.`;

  /** @param {PuzzleState} solution */
  function keepSolved({ puzzle, result, isShown }) {
    if (isShown || result === "failed") return;
    const ids = solved();
    ids.add(puzzle.id);
    storage.set("solved", [...ids]);
  }

  // Answers a turn of the puzzle.
  /** @param {PlayedNode} node */
  async function played(node) {
    const here = now;
    if (!here) return;
    const isHere = () => state.mode === "puzzle" && now === here && state.node === node;
    if (here.isFree || playerOf(node) !== here.mover) return changed();
    if (node.view.winner === here.mover) {
      here.isWon = true;
      if (!here.result) here.result = "solved";
      keepSolved(here);
      const isFirstTry = here.result === "solved";
      say(here.isShown ? "That is the solution." : isFirstTry ? "Solved! You win." : "You win. A puzzle counts as solved only if you find every turn on the first try.", "good");
      return changed();
    }
    say("Looking for an answer…");
    try {
      const isFirst = node.parent === state.root;
      const reply = await analysis.best(node, 2);
      if (!isHere()) return;
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
      if (openView()) say(`Right. Your opponent ${inWords(reply.turns[0], node.view.scene, node.view.cards)}. Find your next turn.`, "good");
    } catch (error) {
      sayError(error);
    }
  }

  // Shows the turns of both sides up to the win, unless the person does something else.
  /** @param {PuzzleState} here */
  async function showAnswer(here) {
    here.isShown = true;
    storage.setTab("answered", [...answered(), here.puzzle.id]);
    if (!here.result) here.result = "failed";
    // If the page is looking for a reply to a turn, that turn is taken back first.
    if (state.node?.parent && playerOf(state.node) === here.mover) goTo(state.node.parent);
    say("Looking for the answer…");
    changed();
    const shown = [];
    let line = state.node === state.root ? [here.puzzle.solution] : [];
    try {
      for (let node = state.node; node && node.view.winner === null;) {
        if (!line.length) line = (await analysis.best(node, 3)).turns.slice();
        const turn = line.shift() ?? "";
        const next = tree.add(node, turn, await viewAfter(node, turn));
        if (now !== here || state.node !== node || state.entry.from) return;
        stepTo(next);
        shown.push(turn);
        say(`The answer: ${shown.join(", ")}.`);
        node = next;
        await pause(1200);
      }
    } catch (error) {
      sayError(error);
    }
  }

  // Whether the person plays this seat: the seat that solves, or both in free play.
  /** @type {(seat: Seat) => boolean} */
  const isFinder = seat => now !== null && (seat === now.mover || now.isFree);

  // The seat that the person plays in a puzzle; null without one.
  const seat = () => state.mode === "puzzle" && now ? now.mover : null;

  // Whether the solution is known, so that an analysis gives nothing away.
  const isKnown = () => now !== null && (now.isShown || now.isWon);

  // Lets the person play both sides, with the analysis.
  /** @param {PuzzleState} here */
  function analyse(here) {
    here.isFree = true;
    analysis.toggle(true);
    goStart();
  }

  // Answers the last turn, if it has no answer yet.
  function goOn() {
    const seat = toMove();
    if (seat !== null && !isFinder(seat) && state.node?.parent) played(state.node);
  }

  /** @param {PuzzleState} here */
  function leave({ under }) {
    now = null;
    resume(under);
  }

  function show() {
    const card = $("puzzleCard");
    card.hidden = state.mode !== "puzzle";
    if (state.mode !== "puzzle" && state.mode !== "setup") now = null;
    if (card.hidden || !now) return;
    const here = now;
    const { puzzle, mover, result, isShown, isWon, isFree } = here;
    const list = chosen();
    const done = solved();
    const isOver = toMove() === null;
    // A puzzle that was begun again has buttons of its own.
    if (drawn !== here) card.dataset.key = "";
    drawn = here;
    const lengths = [...new Set(all.map(({ turns }) => turns))].sort((a, b) => a - b);
    const select = make("select", { id: "puzzleLength" }, make("option", { value: "all" }, "All"),
      ...lengths.map(turns => make("option", { value: turns }, counted(turns))),
      make("option", { value: "large" }, "On boards of 6 by 6"));
    select.value = length;
    select.onchange = () => {
      length = select.value;
      storage.set("puzzleLength", length);
      next(0);
    };
    const count = list.filter(({ id }) => done.has(id)).length;
    redraw(card, [puzzle.id, result, isShown, isWon, isFree, done.size, length, isOver], () => [
      make("h2", {}, `Puzzle ${puzzle.id} `, make("small", {}, done.has(puzzle.id) ? "solved" : "")),
      make("p", {}, `You play ${colours[mover].toLowerCase()}: ${task(puzzle)}`),
      labelled("Filter by length or board size", select),
      make("p", { class: "soft" }, `${count} of ${list.length} solved`),
      make("progress", { max: list.length, value: count, "aria-label": "Puzzles solved" }),
      make("div", { class: "row" },
        button("Next puzzle", () => next(), isOver ? { class: "strong" } : {}),
        // The result stays: the solution may be known by now.
        button("Start over", () => begin(puzzle, here)),
        isOver || isFree ? null : button("Show the answer", () => showAnswer(here)),
        isKnown() && !isFree ? button("Analyse", () => analyse(here)) : null,
        button("Leave", () => leave(here))),
    ]);
  }

  // What the browser keeps of a puzzle.
  const summary = () => now && { id: now.puzzle.id, result: now.result, isShown: now.isShown };

  return { open, openAt, show, played, seat, isFinder, isKnown, goOn, now: summary, under: () => now?.under ?? null };
})();
