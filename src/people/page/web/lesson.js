// Learning from the mistakes of a reviewed game: finding a better turn in place of each.

const lesson = (() => {
  // The game, its mistakes, which one of them is shown and how the turn tried in its place
  // was; who plays the game. Null at other times.
  /** @type {{ root: GameNode, nodes: GameNode[], index: number, tried: "well" | "badly" | null, refuted: string[] | null, seats: Player[], names: string[] | null } | null} */
  let now = null;

  const missed = () => now.nodes[now.index];

  /** @param {GameNode[]} nodes */
  function begin(nodes) {
    const { root, seats, names } = state;
    now = { root, nodes, index: -1, tried: null, refuted: null, seats, names };
    state.seats = [{ kind: "person" }, { kind: "person" }];
    state.names ??= nodes.length ? [0, 1].map(seat => seats[seat].kind === "person" ? "You" : colours[seat]) : null;
    next();
  }

  function next() {
    now.index += 1;
    now.tried = null;
    now.refuted = null;
    if (!missed()) return end("That was the last mistake. Well done!");
    goTo(missed().parent);
    say(words());
    bringBoard();
  }

  const words = () => {
    const { turn, judged: { chance_before, chance_after, best_plies, plies } } = missed();
    return `Turn ${numberOf(missed())}: ${turn} was played, and the chance fell from ${reviewedChance(chance_before, best_plies)} to ${reviewedChance(chance_after, plies)}. Find a better turn.`;
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
  /** @type {(node: GameNode) => Promise<{ chance: number, answer: string[] }>} */
  async function judge(node) {
    if (node.view.winner !== null) return { chance: 1, answer: [] };
    const known = node.children[0]?.judged?.line;
    if (node === missed() && known?.length) return { chance: node.judged.chance_after, answer: known };
    say("Looking at it…");
    const { lines: [line] } = await analysis.ahead({ do: "analyze", position: node.view.position, lines: 1, seconds: 1 }).answer;
    return { chance: node === missed() ? node.judged.chance_after : 1 - line.chance, answer: line.turns };
  }

  // Shows what answers the turn that was played.
  async function showWhy() {
    const node = missed();
    try {
      const { answer } = await judge(node);
      if (!now || node !== missed()) return;
      now.refuted = [node.turn, ...answer];
      goTo(node.parent);
      say(refutation());
      bringBoard();
    } catch (error) {
      say(error.message, "bad");
    }
  }

  const refutation = () => {
    const [turn, answer] = now.refuted;
    return answer ? `${turn} is answered by ${answer}${answer.endsWith("#") ? ", which wins" : ""}.` : `${turn} ends the game.`;
  };

  // Judges a turn that was tried.
  /** @param {GameNode} node */
  async function played(node) {
    const mistake = missed();
    if (node.parent !== mistake.parent || now.tried === "well") return;
    let judged;
    try {
      judged = await judge(node);
    } catch (error) {
      return say(error.message, "bad");
    }
    if (!now || state.node !== node) return;
    const { chance, answer } = judged;
    const { best, chance_before } = mistake.judged;
    const isGood = node.turn === best || chance_before - chance < 0.1;
    now.tried = isGood ? "well" : "badly";
    if (isGood) {
      say(chance === 1 ? `Yes, ${node.turn} wins.` : `Yes, ${node.turn} keeps a chance of ${percent(chance)}.`, "good");
    } else {
      await pause(900);
      if (!now || state.node !== node) return;
      now.refuted = [node.turn, ...answer];
      goTo(mistake.parent);
      say(`${refutation()} That leaves a chance of ${percent(chance)}; there is something better.`, "bad");
    }
    changed();
  }

  function showAnswer() {
    goTo(missed().parent);
    bringBoard();
    now.tried = "well";
    playTurn(missed().judged.best);
  }

  // What the card of the review shows meanwhile.
  function parts() {
    const { index, nodes, tried, refuted } = now;
    const isFound = tried === "well";
    const start = missed().parent;
    return [
      make("h2", {}, `Mistake ${index + 1} of ${nodes.length}`),
      make("p", {}, words()),
      ...refuted ? [make("p", {}, refutation()), walk.line(start, refuted)] : [],
      make("div", { class: "row" },
        state.node === start ? null : button("Back to the mistake", () => { goTo(start); bringBoard(); }),
        refuted?.[0] === missed().turn ? null : button("Why was it wrong?", showWhy),
        isFound ? null : button("Show the answer", showAnswer),
        button(index + 1 < nodes.length ? "Next mistake" : "Finish", next, isFound ? { class: "strong" } : {}),
        button("End the lesson", () => end(standing()))),
    ];
  }

  return {
    begin, leave, played, parts, isOn: () => now !== null,
    // Who plays the game, also while a lesson lets a person play both sides.
    /** @returns {{ seats: Player[], names: string[] | null }} */
    players: () => now ?? state,
  };
})();
