// A review of the game: the chance of winning over its turns, each turn judged,
// and trying again where a better one was missed.

const review = (() => {
  const SIGNS = { best: "★", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };
  // {root, nodes, chances: of the first player on each board, stop()}; `root`
  // tells for which game it was made.
  let done = null;
  let isOpen = false;
  // The mistakes to learn from: {nodes, index, tried}.
  let lesson = null;

  const line = () => tree.ahead(state.root).slice(1);

  async function start() {
    stopThinking();
    leaveLesson();
    isOpen = true;
    const nodes = line();
    nodes.forEach(node => { node.judged = null; });
    const mine = { root: state.root, nodes, chances: [], progress: "", error: "", isOver: false };
    done?.stop?.();
    done = mine;
    const take = part => {
      mine.progress = part.waiting ? "waiting for a free processor" : `${part.done} of ${part.all} boards`;
      changed();
    };
    const asked = analysis.ahead({
      do: "review", position: state.root.view.position, turns: nodes.map(({ turn }) => turn),
      players: [0, 1].map(nameOfSeat),
    }, take);
    mine.stop = asked.stop;
    changed();
    bring($("reviewCard"), "start");
    queueMicrotask(() => focusPart($("reviewCard")));
    try {
      const { chances, turns } = await asked.answer;
      mine.chances = chances;
      turns.forEach((turn, index) => { nodes[index].judged = { ...turn, sign: SIGNS[turn.judgement] }; });
      if (done === mine && state.root === mine.root) say("The review is done. The graph and the marks behind the turns show where the game turned.");
    } catch (error) {
      mine.error = error.message;
    }
    mine.isOver = true;
    changed();
    // It has grown, and whoever waited for it is still there.
    if (document.activeElement === $("reviewCard")) bring($("reviewCard"), "start");
  }

  // ---- learning from mistakes ----

  const isMistake = node => ["mistake", "blunder"].includes(node.judged?.judgement);

  const mistakes = () => {
    const people = [0, 1].filter(isPerson);
    const isTheirs = node => people.includes(node.parent.view.scene.mover);
    return done.nodes.filter(node => isMistake(node) && isTheirs(node));
  };

  function learn() {
    lesson = { nodes: mistakes(), index: -1, tried: null, seats: state.seats, names: state.names };
    state.seats = [{ kind: "person" }, { kind: "person" }];
    state.names ??= lesson.nodes.length ? [0, 1].map(seat => lesson.seats[seat].kind === "person" ? "You" : colours[seat]) : null;
    nextLesson();
  }

  function nextLesson() {
    lesson.index += 1;
    lesson.tried = null;
    const node = lesson.nodes[lesson.index];
    if (!node) return endLesson("That was the last mistake. Well done!");
    goTo(node.parent);
    say(lessonWords(node));
    bringBoard();
  }

  const lessonWords = node => {
    const { chance_before, chance_after } = node.judged;
    return `Turn ${numberOf(node)}: ${node.turn} was played, and the chance fell from ${percent(chance_before)} to ${percent(chance_after)}. Find a better turn.`;
  };

  function leaveLesson() {
    if (lesson && done.root === state.root) ({ seats: state.seats, names: state.names } = lesson);
    lesson = null;
  }

  function endLesson(words) {
    leaveLesson();
    say(words);
    changed();
  }

  // Who plays the game, also while a lesson lets a person play both sides.
  const players = () => lesson ?? state;

  // Judges a turn that was tried.
  async function played(node) {
    const missed = lesson.nodes[lesson.index];
    if (node.parent !== missed.parent || lesson.tried === "well") return;
    const before = missed.judged.chance_before;
    let chance = node.view.winner !== null ? 1 : null;
    try {
      if (node === missed) chance = missed.judged.chance_after;
      if (chance === null) {
        say("Looking at it…");
        const answer = await analysis.ahead({ do: "analyze", position: node.view.position, lines: 1, seconds: 1 }).answer;
        chance = 1 - answer.lines[0].chance;
      }
    } catch (error) {
      return say(error.message, "bad");
    }
    if (!lesson || state.node !== node) return;
    const isGood = node.turn === missed.judged.best || before - chance < 0.1;
    lesson.tried = isGood ? "well" : "badly";
    if (isGood) {
      say(chance === 1 ? `Yes, ${node.turn} wins.` : `Yes, ${node.turn} keeps a chance of ${percent(chance)}.`, "good");
    } else {
      await pause(900);
      if (!lesson || state.node !== node) return;
      goTo(missed.parent);
      say(`${node.turn} leaves a chance of ${percent(chance)}; there is something better.`, "bad");
    }
    changed();
  }

  function showAnswer() {
    const missed = lesson.nodes[lesson.index];
    goTo(missed.parent);
    bringBoard();
    lesson.tried = "well";
    playTurn(missed.judged.best);
  }

  // ---- showing ----

  const WIDE = 600;
  const HIGH = 170;

  function graph() {
    const { nodes, chances } = done;
    const x = index => 8 + (WIDE - 16) * index / Math.max(1, nodes.length);
    const y = chance => 6 + (HIGH - 12) * (1 - chance);
    const points = chances.map((chance, index) => [x(index), y(chance)]).filter(([, at]) => !Number.isNaN(at));
    const svg = make("div", { class: "graph", role: "img", "aria-label": graphWords() });
    const path = points.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L");
    const marks = nodes.map((node, index) => isMistake(node) || node.judged?.judgement === "inaccuracy"
      ? `<circle class="${node.judged.judgement}" cx="${x(index + 1)}" cy="${y(chances[index + 1])}" r="6"/>` : "").join("");
    const now = nodes.indexOf(state.node) + 1;
    const here = state.node === state.root || now > 0
      ? `<line class="here" x1="${x(now)}" x2="${x(now)}" y1="0" y2="${HIGH}"/>` : "";
    const area = points.length > 1
      ? `<path class="area" d="M0 ${HIGH}V${points[0][1]}L${path}H${WIDE}V${HIGH}Z"/><path class="curve" d="M${path}"/>` : "";
    svg.innerHTML = `<svg viewBox="0 0 ${WIDE} ${HIGH}" preserveAspectRatio="none"><line class="half" x1="0" x2="${WIDE}" y1="${HIGH / 2}" y2="${HIGH / 2}"/>${area}${here}${marks}</svg>`;
    svg.addEventListener("click", event => {
      const box = svg.getBoundingClientRect();
      const index = Math.round((event.clientX - box.left) / box.width * nodes.length);
      lookAt(index <= 0 ? state.root : nodes[Math.min(index, nodes.length) - 1]);
    });
    return svg;
  }

  function graphWords() {
    const known = done.chances.filter(chance => chance !== undefined);
    return `Chance of ${nameOfSeat(0)} over the game: ${known.map(percent).slice(0, 200).join(", ")}`;
  }

  const NAMES = ["best", "good", "inaccuracy", "mistake", "blunder"];

  function table() {
    const count = (seat, name) => done.nodes.filter(node =>
      node.judged?.judgement === name && node.parent.view.scene.mover === seat).length;
    const head = make("tr", {}, make("td"), ...[0, 1].map(seat => make("th", { scope: "col" }, nameOfSeat(seat))));
    const plural = { best: "best turns", good: "good turns", inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" };
    const rows = NAMES.map(name => make("tr", {}, make("th", { scope: "row" }, `${plural[name]} ${SIGNS[name]}`),
      ...[0, 1].map(seat => make("td", {}, String(count(seat, name))))));
    return make("table", { class: "counts" }, head, ...rows);
  }

  function judgedWords() {
    const judged = state.node?.judged;
    if (!judged) return "";
    const best = judged.judgement !== "best" && judged.best ? ` Best was ${judged.best}.` : "";
    return `${state.node.turn}: ${judged.judgement}. Chance ${percent(judged.chance_before)} before, ${percent(judged.chance_after)} after.${best}`;
  }

  // What the card shows, and of which review.
  let shownOf = null;
  let shownWords = null;

  // Whether another game is shown, or turns of this one have been deleted.
  const isOutdated = () => done.root !== state.root
    || done.nodes.some(node => !node.parent.children.includes(node));

  function show() {
    const card = $("reviewCard");
    // Behind a puzzle the review waits with its game.
    card.hidden = state.mode === "puzzle";
    if (card.hidden) return;
    if (done && isOutdated()) {
      done.stop?.();
      leaveLesson();
      done = null;
      isOpen = false;
    }
    const isGame = state.mode === "play" && state.root !== null && state.root.children.length > 0;
    card.hidden = !isGame;
    if (card.hidden) return;
    const parts = [];
    if (!done || !isOpen) {
      parts.push(make("h2", {}, "Review"),
        make("p", { class: "soft" }, "Each turn judged, and where the game turned."),
        button("Review this game", start));
    } else if (lesson) {
      const { index, nodes, tried } = lesson;
      parts.push(make("h2", {}, `Mistake ${index + 1} of ${nodes.length}`), make("p", {}, lessonWords(nodes[index])),
        make("div", { class: "row" },
          tried === "well" ? null : button("Show the answer", showAnswer),
          button(index + 1 < nodes.length ? "Next mistake" : "Finish", nextLesson, tried === "well" ? { class: "strong" } : {}),
          button("End the lesson", () => endLesson(standing()))));
    } else {
      parts.push(make("h2", {}, "Review"));
      if (done.error) parts.push(make("p", { role: "alert" }, done.error));
      else if (!done.isOver) parts.push(make("p", { class: "soft" }, done.progress || "searching…"));
      else parts.push(graph(), make("p", { class: "soft judged" }, judgedWords()), table());
      if (done.error) parts.push(button("Try again", start));
      if (done.isOver && !done.error) {
        const count = mistakes().length;
        parts.push(make("div", { class: "row" },
          count ? button(`Learn from ${count === 1 ? "a mistake" : `${count} mistakes`}`, learn, { class: "strong" }) : null,
          button("Review again", start)));
      }
    }
    // What is as it was stays, so that it can be clicked.
    const shown = parts.filter(Boolean);
    const words = shown.map(part => part.outerHTML).join("");
    if (shownOf === done && shownWords === words) return;
    shownOf = done;
    shownWords = words;
    replaceControls(card, shown);
  }

  return { show, start, played, players, isTeaching: () => lesson !== null, isDone: () => done !== null && done.root === state.root };
})();
