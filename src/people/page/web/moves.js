// Shows the game: the board, the players, the choices of a turn, and the turns with their
// variations.

const board = makeBoard($("board"), {
  press: (name, isDrag) => pressSpace(name, isDrag), drop: (from, to) => dropWorker(from, to),
});

/** @type {(seat: Seat) => string} */
const figure = seat =>
  `<svg viewBox="24 14 52 67" width="26" height="34" aria-hidden="true"><use href="#sn-worker${seat}"/></svg>`;

// ---- the board ----

/** @type {(seat: Seat) => string | null} */
const cardOf = seat => view()?.cards?.[seat] ?? state.cards?.[seat] ?? null;

/** @returns {Scene} */
function shownScene() {
  if (state.mode === "setup") return setup.scene();
  if (state.mode === "place") return placingScene();
  const ahead = preview.scene();
  if (ahead) return ahead;
  const { scene } = state.node.view;
  const { from, steps } = state.entry;
  if (!from || scene.mover === null) {
    const own = scene.mover !== null && mayAct() ? scene.workers[scene.mover] : [];
    return { ...scene, arrows: state.mode === "guide" ? guide.arrows() : analysis.arrows(), lit: own.map(at => ({ at, as: "own" })) };
  }
  const partly = sceneAfter(scene, from, steps, cardOf(scene.mover));
  const { next } = options();
  const kind = kindNow(next);
  /** @type {LitSpace[]} */
  const lit = next.filter(step => step.kind === kind)
    .map(step => ({ at: placeOf(step.at), as: step.kind === "-" ? "move" : "build" }));
  return { ...partly, last: null, lit: [{ at: placeOf(standsAt({ from, steps })), as: "chosen" }, ...lit] };
}

// A worker has only its colour while a position is set up.
/** @type {(seat: Seat) => string} */
const workerWords = seat => {
  const owner = nameOfSeat(seat);
  return state.mode === "setup" ? `${colours[seat].toLowerCase()} worker` : owner === "You" ? "your worker" : `worker of ${owner}`;
};

// The words for a space.
/** @type {(scene: Scene, name: string) => string} */
function spaceWords(scene, name) {
  const level = levelOf(scene, name);
  const words = [name, level === 0 ? "ground" : level === 4 ? "dome" : `level ${level}`];
  scene.workers.forEach((squares, seat) => {
    if (squares.some(at => nameOf(at) === name)) words.push(workerWords(seat));
  });
  const lit = (scene.lit || []).find(({ at }) => nameOf(at) === name);
  if (lit) words.push({ own: "can be chosen", chosen: "chosen", move: "can move here", build: "can build here" }[lit.as]);
  words.push(...[losses.words(name), opening.words(name)].filter(Boolean));
  return words.join(", ");
}

function showBoard() {
  const scene = shownScene();
  const changes = board.show(scene, { label: name => spaceWords(scene, name), path: motion.path });
  motion.path = null;
  overlay.show({ dots: state.mode === "place" ? opening.dots() : losses.dots(), threats: threat.ways(), targets: guide.targets() });
  // A previewed turn makes no sound.
  if (preview.isOn()) return;
  const built = changes?.raised.at(-1);
  if (built) sounds.play(scene.levels[built[0]][built[1]] === 4 ? "dome" : "build");
  else if (changes) sounds.play("move");
}

// ---- the players ----

function showPlayers() {
  const seatToMove = state.mode === "setup" ? null : toMove();
  for (const seat of [0, 1]) {
    const host = $(`player${seat}`);
    const isAsked = state.thinking?.seat === seat;
    const isThinking = isAsked && client.isOpen();
    const hasWon = state.mode !== "setup" && (live.winner() ?? view()?.winner) === seat;
    const card = cardOf(seat);
    const tag = invite.tagged(seat, hasWon ? "winner" : isThinking ? "thinking" : isAsked ? "waiting" : seatToMove === seat ? "to move" : "");
    host.innerHTML = figure(seat);
    host.append(make("div", { class: "who" },
      make("b", { title: nameOfSeat(seat) }, nameOfSeat(seat)),
      card ? make("span", { class: "god" }, card) : null,
      tag ? make("span", { class: isThinking ? "tag dots" : "tag" }, tag) : null));
    host.classList.toggle("turn", seatToMove === seat);
    host.classList.toggle("won", hasWon);
  }
}

// ---- the choices of a turn ----

/** @type {(kind: Step["kind"]) => string} */
const kindWords = kind => {
  const hasMoved = state.entry.steps.some(step => step.kind === "-");
  if (kind === "-") return hasMoved ? "Move again" : "Move";
  if (kind === "^") return "Dome";
  return hasMoved ? "Build" : "Build first";
};

function showChoices() {
  // A whole turn stays as it is until it is played.
  if (state.entry.isWhole) return;
  const host = $("choices");
  /** @type {HTMLElement[]} */
  const choices = [];
  const seat = toMove();
  const isForMachine = seat !== null && !state.thinking && isMachine(state.seats[seat]);
  if (state.mode !== "setup" && state.entry.from) {
    const { next, whole } = options();
    const kinds = [...new Set(next.map(step => step.kind))].sort();
    const now = kindNow(next);
    if (kinds.length > 1) {
      for (const kind of kinds) {
        choices.push(button(kindWords(kind), () => chooseKind(kind), { "aria-pressed": String(kind === now) }));
      }
    }
    if (whole) choices.push(button("Finish the turn", finishTurn, { class: "strong" }));
    if (state.entry.steps.length) choices.push(button("Start over", startOver));
  } else if (state.mode === "play" && seat === null && !lesson.isOn() && !live.isGuest()) {
    const again = files.isRecord() ? [] : rematch.choices();
    choices.push(...again.length ? again : [button("New game", showNew, { class: "strong" })]);
    if (!review.isDone() && review.mayStart()) choices.push(button("Review this game", review.start));
  } else if (state.mode === "play" && isForMachine) {
    choices.push(button(`Let ${seatName(seat)} play`, letOthersPlay, { class: "strong" }));
  } else if (state.mode === "place" && isForMachine) {
    choices.push(button(`Let ${nameOfSeat(seat)} place workers`, letOthersPlay, { class: "strong" }));
  } else if (state.mode === "guide") {
    choices.push(...guide.choices());
  } else if (state.mode === "place" && guide.isOffered() && !friend.mustSend() && !live.isOn()) {
    choices.push(button("New here? Learn in six steps", () => guide.open()));
  }
  if (!state.entry.from && friend.mustSend()) choices.unshift(button(friend.words(), friend.show, { class: "strong" }));
  if (!state.entry.from && undo.isHere()) choices.push(button(undo.words(), undo.back, { title: "Ctrl+Z" }));
  if (!state.entry.from) choices.unshift(...invite.choices());
  host.classList.toggle("instead", state.entry.from !== null && choices.length > 0);
  redraw(host, choices.map(({ textContent, className, ariaPressed }) => [textContent, className, ariaPressed]), () => choices);
}

// ---- the turns ----

/** @param {PlayedNode} node */
function moveButton(node) {
  const item = button(node.turn, () => {
    lookAt(node);
    bringBoard();
  });
  if (node === state.node) item.setAttribute("aria-current", "true");
  if (node.judged?.sign) item.append(make("span", { class: `mark ${node.judged.judgement}`, title: node.judged.judgement }, node.judged.sign));
  return item;
}

/** @type {(node: GameNode) => number} */
const numberOf = node => node.view.scene.turn;

// A line of turns from a node on, its variations behind each turn.
/** @type {(first: PlayedNode) => HTMLElement[]} */
function lineOf(first) {
  const rows = [];
  /** @type {HTMLElement | null} */
  let pair = null;
  for (const node of [first, ...tree.after(first)]) {
    const isSecond = numberOf(node) % 2 === 0;
    if (!pair || !isSecond) {
      pair = make("div", { class: "pair" }, make("span", {}, `${(numberOf(node) + 1) >> 1}.`));
      if (isSecond) pair.append(make("span", {}, "…"));
      rows.push(pair);
    }
    pair.append(moveButton(node));
    if (node.comment) {
      rows.push(make("p", { class: "note" }, node.comment));
      pair = null;
    }
    const others = node.parent.children[0] === node ? node.parent.children.slice(1) : [];
    for (const other of others) {
      rows.push(make("div", { class: "aside" }, ...lineOf(other)));
      pair = null;
    }
    if (isSecond) pair = null;
  }
  return rows;
}

// The turns shown, and their game: another may have the same turns.
let movesShown = "";
/** @type {GameNode | null} */
let rootShown = null;

function showMoves() {
  const host = $("moves");
  const { root, node } = state;
  for (const id of /** @type {const} */ (["startButton", "backButton"])) setDisabled($(id), !node?.parent);
  for (const id of /** @type {const} */ (["nextButton", "endButton"])) setDisabled($(id), !node?.children.length);
  const key = JSON.stringify(root && node && [
    root.view.position, tree.write(root), tree.turns(node), tree.after(root).map(({ judged }) => judged?.sign),
  ]);
  if (key === movesShown && rootShown === root) return;
  movesShown = key;
  rootShown = root;
  const rows = [];
  if (root?.comment) rows.push(make("p", { class: "note" }, root.comment));
  if (root?.children.length) rows.push(...lineOf(root.children[0]));
  if (!rows.length) rows.push(make("p", { class: "soft" }, noTurns(root)));
  const hadFocus = host.contains(document.activeElement);
  host.replaceChildren(...rows);
  /** @type {HTMLElement | null} */
  const now = host.querySelector("[aria-current]");
  if (hadFocus) now?.focus();
  if (now) {
    const [top, bottom] = [now.offsetTop - host.offsetTop, now.offsetTop - host.offsetTop + now.offsetHeight];
    if (top < host.scrollTop || bottom > host.scrollTop + host.clientHeight) {
      const { offsetHeight } = now;
      host.scrollTop = top - offsetHeight * Math.floor(host.clientHeight / offsetHeight / 2);
    }
  }
  $("turnNumber").textContent = node && root?.children.length ? `turn ${numberOf(node)} of ${numberOf(tree.end(node))}` : "";
}

/** @type {(root: GameNode | null) => string} */
const noTurns = root => !root ? "The game begins when all workers are placed."
  : numberOf(root) ? `No turn has been played since turn ${numberOf(root)}.` : "No turn has been played.";

// ---- comments and variations ----

// The node of the tools shown: another may have the same board and turn.
/** @type {{ node: GameNode, isVariation: boolean, isShared: boolean } | null} */
let toolsOf = null;

function showNodeTools() {
  const host = $("nodeTools");
  if (state.mode !== "play") {
    host.replaceChildren();
    toolsOf = null;
    return;
  }
  const { node } = state;
  // A comment that is being written stays with the board that it is on.
  if (toolsOf && host.querySelector("textarea") === document.activeElement && tree.holds(state.root, toolsOf.node)) return;
  const isVariation = !tree.isMain(node);
  const isShared = live.holds(node);
  if (toolsOf?.node === node && toolsOf.isVariation === isVariation && toolsOf.isShared === isShared) return;
  toolsOf = { node, isVariation, isShared };
  const tools = [];
  if (isVariation) {
    tools.push(button("Make it the main line", () => { tree.promote(node); changed(); }));
  }
  if (node.parent && !isShared) {
    tools.push(button("Delete from here", () => undo.remove(node)));
  }
  const area = make("textarea", { rows: 1, maxlength: 2000, "aria-label": "Comment on this board", placeholder: "Comment on this board" });
  area.value = node.comment;
  area.addEventListener("input", () => { node.comment = area.value; changed(); });
  area.addEventListener("blur", changed);
  replaceControls(host, [area, ...tools]);
}

// ---- the cards of the game ----

function showCards() {
  const cards = view()?.cards ?? state.cards ?? [];
  const card = $("cardsCard");
  card.hidden = !cards.length || state.mode === "setup";
  if (card.hidden) return;
  /** @type {(name: string) => string} */
  const ruleOf = name => offered().cards.find(card => card.name === name)?.rule ?? "";
  const list = () => cards.flatMap((name, seat) => [
    make("dt", {}, `${name} (${colours[seat].toLowerCase()})`), make("dd", {}, ruleOf(name)),
  ]);
  redraw(card, cards, () => [make("h2", {}, "God cards"), make("dl", { class: "gods" }, ...list())]);
}

// The window's title says whose turn it is.
function showTitle() {
  const words = state.mode === "setup" ? "Set up a position" : standing().replace(/\.$/, "");
  document.title = `${words} – Santorini`;
}

function showGame() {
  document.body.dataset.mode = state.mode;
  showBoard();
  showTitle();
  showPlayers();
  showChoices();
  showMoves();
  showNodeTools();
  showCards();
  setDisabled($("undoButton"), state.mode === "setup" ? !setup.hasPast()
    : live.isOn() && !live.isPlaying() || !(state.entry.from || state.placed.flat().length || state.node?.parent));
  setDisabled($("redoButton"), !state.node?.children.length || state.mode === "setup");
  setDisabled($("hintButton"), state.mode !== "play" || toMove() === null || live.isClosed());
}
