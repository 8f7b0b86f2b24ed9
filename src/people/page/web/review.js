// A review of the game: the chance of winning over its turns, each turn judged, and lessons
// from the mistakes.

const review = (() => {
  const SIGNS = { best: "★", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };
  // `chances` holds the first player's chance on each board; `root` identifies the game.
  /** @typedef {{ root: GameNode, nodes: PlayedNode[], chances: number[], accuracy: (number | null)[], progress: string, error: string, isOver: boolean, stop?(): void }} Review */
  /** @type {Review | null} */
  let done = null;

  async function start() {
    const { root } = state;
    if (!root) return;
    stopThinking();
    lesson.leave();
    const nodes = tree.after(root);
    nodes.forEach(node => { node.judged = null; });
    /** @type {Review} */
    const mine = { root, nodes, chances: [], accuracy: [], progress: "", error: "", isOver: false };
    done?.stop?.();
    done = mine;
    /** @type {(part: Parts["review"]) => void} */
    const take = part => {
      mine.progress = "waiting" in part ? "waiting for a free processor" : `${part.done} of ${part.all} boards`;
      changed();
    };
    const asked = analysis.ahead({
      do: "review", position: root.view.position, turns: nodes.map(({ turn }) => turn),
      players: [0, 1].map(nameOfSeat),
    }, take);
    mine.stop = asked.stop;
    changed();
    bring($("reviewCard"), "start");
    queueMicrotask(() => focusPart($("reviewCard")));
    try {
      const { chances, turns, summary } = await asked.answer;
      mine.chances = chances;
      mine.accuracy = summary.map(({ accuracy }) => accuracy);
      turns.forEach((turn, index) => { nodes[index].judged = { ...turn, sign: SIGNS[turn.judgement] }; });
      if (done === mine && state.root === root) say("The review is done. The graph and the marks after the turns show where the game turned.");
    } catch (error) {
      mine.error = errorWords(error);
    }
    mine.isOver = true;
    changed();
    // The card has grown. Scroll to it only if it still has the focus: the person is waiting.
    if (document.activeElement === $("reviewCard")) bring($("reviewCard"), "start");
  }

  // Whether a turn is a mistake of a person, to learn from.
  /**
   * @param {PlayedNode} node
   * @returns {node is Mistake}
   */
  function isMistake(node) {
    return !!node.judged?.best && ["mistake", "blunder"].includes(node.judged.judgement) && isPerson(playerOf(node));
  }

  // ---- showing ----

  /** @type {[Judgement, string][]} */
  const NAMES = [
    ["best", "best turns"], ["good", "good turns"], ["inaccuracy", "inaccuracies"], ["mistake", "mistakes"],
    ["blunder", "blunders"],
  ];

  /** @param {Review} review */
  function table({ nodes, accuracy: shares }) {
    /** @type {(seat: Seat, name: Judgement) => number} */
    const count = (seat, name) => nodes.filter(node => node.judged?.judgement === name && playerOf(node) === seat).length;
    const head = make("tr", {}, make("td"), ...[0, 1].map(seat => make("th", { scope: "col" }, nameOfSeat(seat))));
    const rows = NAMES.map(([name, words]) => make("tr", {},
      make("th", { scope: "row" }, `${words} ${SIGNS[name]}`),
      ...[0, 1].map(seat => make("td", {}, String(count(seat, name))))));
    const accuracy = make("tr", { title: "100% for best turns; a turn that loses 10% of the chance counts 67%" },
      make("th", { scope: "row" }, "accuracy"), ...shares.map(share => make("td", {}, share === null ? "-" : percent(share))));
    return make("table", { class: "counts" }, head, accuracy, ...rows);
  }

  function judgedWords() {
    const { node } = state;
    if (!node?.parent || !node.judged) return "";
    const { judged } = node;
    const best = judged.judgement !== "best" && judged.best ? ` Best was ${judged.best}.` : "";
    const [before, after] = chancesAround(judged);
    return `${node.turn}: ${judged.judgement}. Chance before: ${before}, after: ${after} (${nameOfSeat(playerOf(node))}).${best}`;
  }

  // What the card shows, and of which review.
  /** @type {Review | null} */
  let shownOf = null;
  let shownWords = "";

  // Whether another game is shown, or turns of this one have been deleted.
  /** @type {(review: Review) => boolean} */
  const isOutdated = ({ root, nodes }) => root !== state.root || nodes.some(node => !node.parent.children.includes(node));

  /** @returns {HTMLElement[]} */
  function parts() {
    const partsOfLesson = lesson.parts();
    if (partsOfLesson) return partsOfLesson;
    const head = make("h2", {}, "Review");
    if (!done) {
      return [head, make("p", { class: "soft" }, "Judges each turn and shows where the game turned."),
        button("Review this game", start)];
    }
    if (done.error) return [head, make("p", { role: "alert" }, done.error), button("Try again", start)];
    if (!done.isOver) return [head, make("p", { class: "soft" }, done.progress || "searching…")];
    const { root, nodes } = done;
    const wrong = nodes.filter(isMistake);
    const learn = () => lesson.begin(root, nodes.filter(isMistake));
    const last = nodes.at(-1);
    const isOther = last !== undefined && !tree.isMain(last);
    return [head, ...isOther ? [make("p", {}, "The main line has changed since this review.")] : [],
      graph.draw(done), make("p", { class: "soft" }, whoseChances(0, nameOfSeat(0))), make("p", { class: "soft judged" }, judgedWords()), table(done),
      make("div", { class: "row" },
        wrong.length ? button(`Learn from ${wrong.length === 1 ? "a mistake" : `${wrong.length} mistakes`}`, learn, { class: "strong" }) : null,
        button("Review again", start))];
  }

  // A live game is not reviewed while it runs, and a guest cannot ask for a review.
  const mayStart = () => state.mode === "play" && state.root.children.length > 0 && !live.isClosed() && !live.isGuest();

  function show() {
    const card = $("reviewCard");
    // Behind a puzzle or an exercise the review waits with its game.
    card.hidden = state.mode === "puzzle" || state.mode === "guide";
    if (card.hidden) return;
    if (done && isOutdated(done)) {
      done.stop?.();
      lesson.leave();
      done = null;
    }
    card.hidden = !mayStart() && !lesson.isOn();
    if (card.hidden) return;
    // Do not replace an unchanged card: a click in progress would be lost.
    const shown = parts();
    const words = shown.map(part => part.outerHTML).join("");
    if (shownOf === done && shownWords === words) return;
    shownOf = done;
    shownWords = words;
    replaceControls(card, shown);
  }

  return { show, start, mayStart, isDone: () => done !== null && done.root === state.root };
})();
