// Playing: clicks, turns step by step, and the other players.

const ways = () => {
  const shown = openView();
  return shown ? waysOf(shown) : [];
};

// What can be clicked next, and the turn if it is complete.
const options = () => following(ways(), state.entry.from, state.entry.steps);

// What a click does if there is a choice: by default first a move, then a build.
/** @type {(next: Step[]) => Step["kind"] | null} */
const kindNow = next => {
  const kinds = [...new Set(next.map(step => step.kind))];
  const { kind } = state.entry;
  if (kind && kinds.includes(kind)) return kind;
  const hasMoved = state.entry.steps.some(step => step.kind === "-");
  const preferred = hasMoved ? "+" : "-";
  return kinds.includes(preferred) ? preferred : kinds[0] ?? null;
};

// Whether the person here plays for a seat: in a puzzle only for one.
/** @type {(seat: Seat) => boolean} */
const isDecided = seat => isPerson(seat) && (state.mode !== "puzzle" || puzzles.isFinder(seat));

const mayAct = () => {
  const seat = toMove();
  return seat !== null && isDecided(seat) && !state.thinking && !state.entry.isWhole && live.mayAct();
};

// Where the worker of a turn in progress stands.
/** @type {(made: { from: string, steps: Step[] }) => string} */
const standsAt = ({ from, steps }) => steps.findLast(({ kind }) => kind === "-")?.at ?? from;

// ---- clicks ----

// The space pressed last, when, and on which board.
let pressed = { name: "", time: 0, node: state.node };
const DOUBLE_TAP = 300;

// Whether this is the second tap of a double tap, and no step of the turn. It would undo or
// refuse what the first tap did.
/** @type {(name: string) => boolean} */
const isStrayTap = name => {
  const before = pressed;
  pressed = { name, time: performance.now(), node: state.node };
  return before.name === name && before.node === state.node && pressed.time - before.time < DOUBLE_TAP &&
    !options().next.some(({ at }) => at === name);
};

/** @type {(name: string, isDrag?: boolean) => unknown} */
const pressSpace = (name, isDrag = false) => {
  if (!state.hello) return sayUnconnected();
  if (state.mode === "setup") return isDrag || setup.press(name);
  // During a turn only the end of a drag counts.
  if (isDrag && state.entry.steps.length) return;
  if (!isDrag && isStrayTap(name)) return;
  if (state.mode === "place") return placeWorker(name);
  const shown = openView();
  if (!shown || toMove() === null) return say(standing());
  if (state.entry.isWhole) return;
  const { turns, scene: { mover, workers } } = shown;
  if (live.refusal()) return say(live.refusal(), "bad");
  if (!mayAct()) return say(`It is ${nameOfSeat(mover)}'s turn.`);
  const { from, steps } = state.entry;
  const isOwn = workers[mover].some(at => nameOf(at) === name);
  if (!from || isOwn && !steps.length) {
    if (!isOwn) return refuse(shown, name);
    const isAgain = from === name && !isDrag;
    state.entry = { from: isAgain ? null : name, steps: [], kind: null };
    // Spaces light up where the worker can go. If there are none, say so.
    if (!isAgain && turns && !options().next.length) say("This worker cannot move.", "bad");
    else if (isAgain) say(standing());
    else sayNext();
    return changed();
  }
  takeStep(shown, from, name);
};

// Takes the next step of the chosen worker to a space; a drag is always a move. If there is no
// such step, says why.
/** @type {(shown: OpenView, from: string, name: string, isDrag?: boolean) => unknown} */
const takeStep = (shown, from, name, isDrag = false) => {
  if (!shown.turns) {
    if (state.node) needTurns(state.node);
    return say("The legal turns are not known yet. Try again in a moment.");
  }
  const { entry } = state;
  const { next } = options();
  const kind = isDrag ? "-" : kindNow(next);
  const isAnyKind = !isDrag && entry.kind === null;
  const step = next.find(step => step.at === name && step.kind === kind) ||
    isAnyKind && next.find(step => step.at === name);
  if (!step) return refuse(shown, name, kind ?? "-");
  // A dragged worker is there already.
  if (step.kind === "-" && !isDrag) motion.path = [standsAt({ from, steps: entry.steps }), name].map(placeOf);
  entry.steps.push(step);
  entry.kind = null;
  goOn();
};

/** @type {(from: string, to: string) => unknown} */
const dropWorker = (from, to) => {
  if (state.mode === "setup") return setup.drop(from, to);
  const shown = openView();
  if (!shown || !mayAct()) return;
  const { entry } = state;
  if (!entry.from || !entry.steps.length) {
    state.entry = { from, steps: [], kind: null };
    changed();
    return takeStep(shown, from, to, true);
  }
  const mayMove = options().next.some(({ kind }) => kind === "-");
  if (!mayMove || standsAt({ from: entry.from, steps: entry.steps }) !== from) {
    return say("Finish this turn, or start over to move this worker.", "bad");
  }
  takeStep(shown, entry.from, to, true);
};

// Plays the turn if it is complete and nothing can follow.
const goOn = () => {
  const { next, whole } = options();
  if (whole && !next.length) return playTurn(whole, state.entry);
  sayNext();
  changed();
};

// Says what a click does.
const sayNext = () => {
  const { next, whole } = options();
  const kind = kindNow(next);
  if (kind) say(nextWords(state.entry.steps, next, kind, whole !== null));
};

/** @type {(kind: Step["kind"]) => void} */
const chooseKind = kind => {
  state.entry.kind = kind;
  sayNext();
  changed();
};

const startOver = () => {
  if (!state.entry.from) return;
  clearEntry();
  say(standing());
  changed();
};

const finishTurn = () => {
  const { whole } = options();
  if (whole && !state.entry.isWhole) playTurn(whole, state.entry);
};

// Says why a space cannot be clicked, in the referee's words.
/** @type {(shown: OpenView, name: string, kind?: Step["kind"]) => Promise<void>} */
const refuse = async ({ position, scene: { workers, mover } }, name, kind = "-") => {
  const { from, steps } = state.entry;
  if (!from) {
    const isOther = workers[opposite(mover)].some(at => nameOf(at) === name);
    return say(isOther ? `The worker on ${name} is your opponent's. Choose one of your own.` : "Choose one of your workers first.", "bad");
  }
  const signs = steps.map(({ kind, at }) => kind + at).join("");
  const now = () => JSON.stringify([view()?.position, state.entry]);
  const before = now();
  try {
    const said = await client.ask({ do: "explain", position, turn: `${from}${signs}${kind}${name}` });
    // The turn has gone on meanwhile.
    if (now() !== before) return;
    say("illegal" in said ? refusalWords(said.illegal) : "Choose a space that is lit, or a button below.", "bad");
  } catch (error) {
    sayError(error);
  }
};

// The referee's words as a sentence, without the numbers of spaces, which only programs use.
/** @type {(illegal: string) => string} */
const refusalWords = illegal => asSentence(illegal.replace(/ \(\d,\d\)/g, ""));

// An error as a sentence.
/** @type {(words: string) => string} */
const asSentence = words => capital(words) + (/[.!?]$/.test(words) ? "" : ".");

// A sentence begins with a capital letter, unless that is a space's name.
/** @type {(words: string) => string} */
const capital = words => /^[a-f][1-6]/.test(words) ? words : words[0].toUpperCase() + words.slice(1);

// ---- turns ----

// Plays a turn. A clicked turn comes with its entry and stays on the board as clicked until
// the next board is known; until then it can be taken back.
/** @type {(turn: string, entry?: Entry | null) => Promise<void>} */
const playTurn = async (turn, entry = null) => {
  const before = state.node;
  if (!before) return;
  if (entry) {
    entry.isWhole = true;
    changed();
  } else {
    clearEntry();
  }
  try {
    const after = await viewAfter(before, turn);
    if (state.node !== before || entry && state.entry !== entry) return;
    const parent = files.isRecord() ? files.playOn(before) : before;
    const next = tree.add(parent, turn, after);
    goTo(next);
    // A clicked turn has been animated already.
    if (!entry) motion.path = next.view.scene.last?.path ?? null;
    announce(next);
    if (state.mode === "puzzle") puzzles.played(next);
    else if (state.mode === "guide") guide.played(next);
    else if (lesson.isOn()) lesson.played(next);
    else if (live.isOn()) live.played(next);
    else letOthersPlay();
  } catch (error) {
    // Without a connection, the turn can be finished and the player continues to think when
    // there is one again.
    if (!client.isOpen()) {
      if (entry) entry.isWhole = false;
    } else {
      if (state.entry === entry) clearEntry();
      stopThinking();
    }
    sayError(error);
    changed();
  }
};

// A turn in words: "You move from b2 to b3, build level 1 on b2." Whether it wins is said elsewhere.
/** @type {(node: PlayedNode) => string} */
const playedWords = node => {
  const { scene, cards } = node.parent.view;
  const words = inWords(node.turn, scene, cards).replace(/,? and wins$/, "");
  const name = nameOfSeat(playerOf(node));
  return `${name} ${name === "You" ? forYou(words) : words}.`;
};

// Says what was played, and how the game stands.
/** @type {(node: PlayedNode, before?: string) => void} */
const announce = (node, before = "") => {
  const { winner } = node.view;
  const isWon = winner !== null && isPerson(winner);
  if (winner !== null) {
    motions.celebrate($("board"), winner);
    sounds.play(isWon ? "win" : "loss");
  }
  say(`${before}${playedWords(node)} ${standing()}${rematch.ended(node)}`, isWon ? "good" : "");
};

/** @type {(winner: Seat) => string} */
const winWords = winner => {
  const name = nameOfSeat(winner);
  return name === "You" ? "You win!" : `${name} wins.`;
};

// How the game stands, in words.
const standing = () => {
  const shown = view();
  if (!shown) return placingWords();
  const left = live.winner();
  if (left !== null) return `${nameOfSeat(opposite(left))} resigned. ${winWords(left)}`;
  if (shown.winner !== null) {
    const wins = winWords(shown.winner);
    return shown.stuck ? `${nameOfSeat(opposite(shown.winner))} cannot make a turn. ${wins}` : wins;
  }
  const name = nameOfSeat(shown.scene.mover);
  return name === "You" ? "Your turn." : `${name} is to move.`;
};

// Asks the program for the turn of the player to move, unless that is a person.
const letOthersPlay = async () => {
  const seat = toMove();
  if (seat === null || state.thinking || state.mode === "setup") return;
  const player = state.seats[seat];
  if (!isMachine(player)) return;
  if (state.mode === "place") return letOthersPlace(seat, player);
  if (state.mode !== "play") return;
  const { position } = state.node.view;
  return askMachine(seat, { do: "play", position, who: whoOf(player), seed: state.seed }, ({ turn }) => playTurn(turn));
};

// Asks a level or a program for its turn or placement. `take` gets the answer, unless the game
// has changed meanwhile.
/** @type {<Name extends "play" | "place">(seat: Seat, question: Question<Name>, take: (answer: Answers[Name]) => unknown) => Promise<void>} */
const askMachine = async (seat, question, take) => {
  const before = state.node;
  const began = performance.now();
  const asked = client.study(question);
  const thinking = state.thinking = { seat, stop: asked.stop };
  changed();
  try {
    const answer = await asked.answer;
    // Give the player time to let go of the board before the reply.
    await pause(Math.max(0, 700 - (performance.now() - began)));
    if (state.thinking !== thinking || state.node !== before) return;
    await take(answer);
  } catch (error) {
    // It is asked again when there is a connection.
    if (state.thinking !== thinking || !client.isOpen()) return;
    state.thinking = null;
    sayFault(seat, error);
    changed();
  }
};

/** @type {(player: Machine) => { level: number } | { program: number }} */
const whoOf = player => player.kind === "level" ? { level: player.level } : { program: player.program };

// Says why another player did not answer. Words about a program have its name already.
/** @type {(seat: Seat, error: unknown) => void} */
const sayFault = (seat, error) => {
  const [name, words] = [seatName(seat), errorWords(error)];
  say(words.includes(name) ? words : `${name}: ${words}`, "bad");
};

// ---- before the first turn ----

/** @type {(game: Pick<Game, "seats" | "size" | "cards">) => void} */
const newGame = ({ seats, size, cards }) => {
  undo.beforeGame();
  stopThinking();
  state.seed = Math.floor(Math.random() * 2 ** 32);
  Object.assign(state, { mode: "place", seats, size, cards, names: null, placed: [[], []], root: null, node: null });
  clearEntry();
  say(placingWords());
  changed();
  letOthersPlay();
  if (live.isOn()) live.open();
};

const placingWords = () => {
  if (allStand()) return "All workers are placed.";
  const seat = placingSeat();
  const left = 2 - state.placed[seat].length;
  const name = seatName(seat);
  if (!isPerson(seat)) return `${name} is placing workers.`;
  const who = name === "You" ? "Place" : `${name}: place`;
  return `${who} ${left === 2 ? "your two workers on free spaces" : "your second worker"}.`;
};

const allStand = () => state.placed.flat().length === 4;

/** @type {(name: string) => unknown} */
const placeWorker = name => {
  const seat = placingSeat();
  if (allStand()) return beginGame();
  if (!mayAct()) return;
  if (state.placed.flat().includes(name)) return say(`A worker stands on ${name} already.`, "bad");
  state.placed[seat].push(name);
  changed();
  if (live.isOn()) return live.placed();
  if (allStand()) return beginGame();
  say(placingWords());
  letOthersPlay();
};

/** @type {(seat: Seat, player: Machine) => unknown} */
const letOthersPlace = (seat, player) => {
  if (allStand()) return beginGame();
  const { size, seed, cards, placed } = state;
  const first = seat === 1 ? placed[0] : undefined;
  return askMachine(seat, { do: "place", size, who: whoOf(player), seed, cards: cards ?? undefined, first }, ({ squares }) => {
    state.thinking = null;
    state.placed[seat] = squares;
    const words = `${seatName(seat)} placed workers on ${squares.join(" and ")}.`;
    if (seat === 1) return beginGame(words);
    say(`${words} ${placingWords()}`);
    changed();
    letOthersPlay();
  });
};

const beginGame = async (words = "All workers are placed.") => {
  if (live.isOn()) return;
  const { placed, cards } = state;
  const before = JSON.stringify(placed);
  const { levels } = placingScene();
  try {
    const start = await client.ask({ do: "read", text: positionText({ levels, workers: placed, cards }, 0, 0) });
    if (state.mode !== "place" || JSON.stringify(state.placed) !== before) return;
    // Taking back can reach the placement.
    const root = tree.root(start);
    takeGame(root, { seats: state.seats });
    Object.assign(state, { placed, cards });
    goTo(root);
    say(`${words} ${standing()}`);
    letOthersPlay();
  } catch (error) {
    sayError(error);
  }
};

// ---- back and forth ----

// Back to where a person can decide again.
const takeBack = () => {
  if (state.mode === "setup") return setup.back();
  if (live.takeBack()) return;
  stopThinking();
  if (state.entry.from) return startOver();
  if (!state.node?.parent) return takeWorkerBack();
  let node = state.node.parent;
  while (node.parent && isOthers(node)) node = node.parent;
  lookAt(node);
};

// Whether it is not a person's turn on a board of a game that has people.
/** @type {(node: GameNode) => boolean} */
const isOthers = ({ view: { scene } }) =>
  scene.mover !== null && !isDecided(scene.mover) && state.seats.some((_, seat) => isPerson(seat));

// Redoes what `takeBack` took back. If that ends with a person's turn, it is answered again.
const redo = () => {
  let node = state.node?.children[0];
  if (!node) return;
  while (isOthers(node) && node.children.length) [node] = node.children;
  stepTo(node);
  if (node.children.length || !isOthers(node)) return;
  if (state.mode === "puzzle") puzzles.goOn();
  else letOthersPlay();
};

const takeWorkerBack = () => {
  const isFresh = state.mode === "play" && state.placed.flat().length === 4;
  if (state.mode !== "place" && !isFresh) return;
  const hasTurns = state.root !== null && (state.root.children.length > 0 || state.root.comment !== "");
  if (hasTurns) undo.beforeGame();
  const placed = state.placed.map(names => names.slice());
  Object.assign(state, { mode: "place", root: null, node: null, placed });
  // The other player's workers are placed again too.
  for (const seat of [1, 0]) {
    const isOwn = isPerson(seat);
    if (state.seats[seat].kind === "friend") break;
    if (!state.placed[seat].length) continue;
    if (isOwn) {
      state.placed[seat].pop();
      break;
    }
    state.placed[seat] = [];
  }
  if (hasTurns) undo.shownNow();
  say(placingWords());
  changed();
  letOthersPlay();
};

// The board on which a player was thinking when the person went to another one.
/** @type {GameNode | null} */
let thoughtOn = null;

// Goes to a board of the game and reports it. The player who was thinking there goes on.
/** @type {(node: GameNode) => void} */
const lookAt = node => {
  if (state.thinking) thoughtOn = state.node;
  goTo(node);
  const played = node.parent ? `${node.judged ? ` (${node.judged.judgement})` : ""}: ${playedWords(node)}` : ".";
  say(`Turn ${node.view.scene.turn}${played} ${standing()}`);
  if (node !== thoughtOn) return;
  thoughtOn = null;
  if (!node.children.length) letOthersPlay();
};

// The same, with its last turn animated.
/** @type {(node: GameNode) => void} */
const stepTo = node => {
  lookAt(node);
  motion.path = node.view.scene.last?.path ?? null;
};

const goForward = () => state.node?.children.length && stepTo(state.node.children[0]);
const goBack = () => state.node?.parent && lookAt(state.node.parent);
const goStart = () => state.root && lookAt(state.root);
const goEnd = () => state.node && lookAt(tree.end(state.node));

// The path along which the next picture animates a worker, if any.
/** @type {{ path: Place[] | null }} */
const motion = { path: null };
