// Learning from the mistakes of a reviewed game: finding a better turn in place of each.

const lesson = (() => {
  // The game, its mistakes, the index of the one shown, how good the turn tried instead was,
  // the line that refutes a turn, and the players of the game.
  /** @typedef {{ root: GameNode, mistakes: Mistake[], index: number, tried: "well" | "badly" | null, refuted: string[] | null, seats: Player[], names: string[] | null }} Lesson */
  /** @type {Lesson | null} */
  let now = null;

  /** @type {(lesson: Lesson) => Mistake} */
  const mistakeOf = ({ mistakes, index }) => mistakes[index];

  /** @type {(root: GameNode, mistakes: Mistake[]) => void} */
  function begin(root, mistakes) {
    const { seats, names } = state;
    now = { root, mistakes, index: -1, tried: null, refuted: null, seats, names };
    playBoth();
    next(now);
  }

  // Lets the person play both sides, if the lesson is on the board.
  function playBoth() {
    if (!now || now.root !== state.root) return;
    const { seats } = now;
    state.seats = [{ kind: "person" }, { kind: "person" }];
    state.names ??= [0, 1].map(seat => seats[seat].kind === "person" ? "You" : colours[seat]);
  }

  /** @param {Lesson} lesson */
  function next(lesson) {
    Object.assign(lesson, { index: lesson.index + 1, tried: null, refuted: null });
    const mistake = mistakeOf(lesson);
    if (!mistake) return end("That was the last mistake. Well done!");
    goTo(mistake.parent);
    say(`Turn ${numberOf(mistake)}: find a better turn than ${mistake.turn}.`);
    bringBoard();
  }

  /** @type {(mistake: Mistake) => string} */
  const words = mistake => {
    const [before, after] = chancesAround(mistake.judged);
    return `Turn ${numberOf(mistake)}: ${mistake.turn} was played, and the chance fell from ${before} to ${after}. Find a better turn.`;
  };

  function leave() {
    if (now?.root === state.root) ({ seats: state.seats, names: state.names } = now);
    now = null;
  }

  /** @param {string} said */
  function end(said) {
    leave();
    say(said);
    changed();
  }

  // The chance that a turn leaves its player, and the line that answers it.
  /** @type {(node: PlayedNode, mistake: Mistake) => Promise<{ chance: number, answer: string[] }>} */
  async function judge(node, mistake) {
    if (node.view.winner !== null) return { chance: 1, answer: [] };
    const known = node.children[0]?.judged?.line;
    if (node === mistake && known?.length) return { chance: mistake.judged.chance_after, answer: known };
    say("Looking at it…");
    const line = await analysis.best(node, 1);
    return { chance: node === mistake ? mistake.judged.chance_after : 1 - line.chance, answer: line.turns };
  }

  // Shows what refutes the turn that was played.
  /** @param {Lesson} lesson */
  async function showWhy(lesson) {
    const mistake = mistakeOf(lesson);
    try {
      const { answer } = await judge(mistake, mistake);
      if (now !== lesson || mistakeOf(lesson) !== mistake) return;
      say(refute(lesson, mistake, answer));
      bringBoard();
    } catch (error) {
      sayError(error);
    }
  }

  // Shows the board before a turn again, with the line that refutes it. Returns words for it.
  /** @type {(lesson: Lesson, node: PlayedNode, answer: string[]) => string} */
  function refute(lesson, { parent, turn }, answer) {
    lesson.refuted = [turn, ...answer];
    goTo(parent);
    return refutation(lesson.refuted);
  }

  /** @type {(line: string[]) => string} */
  const refutation = ([turn, answer]) => {
    return answer ? `${turn} is answered by ${answer}${answer.endsWith("#") ? ", which wins" : ""}.` : `${turn} ends the game.`;
  };

  // Judges a turn that was tried.
  /** @param {PlayedNode} node */
  async function played(node) {
    const lesson = now;
    if (!lesson || lesson.tried === "well") return;
    const mistake = mistakeOf(lesson);
    if (node.parent !== mistake.parent) return;
    let judged;
    try {
      judged = await judge(node, mistake);
    } catch (error) {
      return sayError(error);
    }
    if (now !== lesson || state.node !== node) return;
    const { chance, answer } = judged;
    const { best, chance_before } = mistake.judged;
    const isGood = node.turn === best || chance_before - chance < 0.1;
    lesson.tried = isGood ? "well" : "badly";
    if (isGood) {
      say(chance === 1 ? `Yes, ${node.turn} wins.` : `Yes, ${node.turn} keeps a chance of ${percent(chance)}.`, "good");
    } else {
      await pause(900);
      if (now !== lesson || state.node !== node) return;
      say(`${refute(lesson, node, answer)} That leaves a chance of ${percent(chance)}; there is a better turn.`, "bad");
    }
    changed();
  }

  /** @param {Lesson} lesson */
  function showAnswer(lesson) {
    const { parent, judged } = mistakeOf(lesson);
    goTo(parent);
    bringBoard();
    lesson.tried = "well";
    playTurn(judged.best);
  }

  // What the card of the review shows during a lesson.
  function parts() {
    if (!now) return null;
    const lesson = now;
    const { index, mistakes, tried, refuted } = lesson;
    const isFound = tried === "well";
    const mistake = mistakeOf(lesson);
    const start = mistake.parent;
    return [
      make("h2", { class: "lesson" }, `Mistake ${index + 1} of ${mistakes.length}`),
      make("p", {}, words(mistake)),
      ...refuted ? [make("p", {}, refutation(refuted)), preview.line(start, refuted)] : [],
      make("div", { class: "row" },
        state.node === start ? null : button("Back to the mistake", () => { goTo(start); bringBoard(); }),
        refuted?.[0] === mistake.turn ? null : button("Why was it wrong?", () => showWhy(lesson)),
        isFound ? null : button("Show the answer", () => showAnswer(lesson)),
        button(index + 1 < mistakes.length ? "Next mistake" : "Finish", () => next(lesson), isFound ? { class: "strong" } : {}),
        button("End the lesson", () => end(standing()))),
    ];
  }

  return {
    begin, playBoth, leave, played, parts, isOn: () => now !== null,
    // The players of the game on the board, even while a lesson lets a person play both sides.
    /** @returns {{ seats: Player[], names: string[] | null }} */
    players: () => now?.root === state.root ? now : state,
  };
})();
