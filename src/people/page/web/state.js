// What the page knows, and who is told when it changes.

/** @type {State} */
const state = {
  // The answer to `hello`.
  desk: null,
  // What is done on the board: "place", "play", "setup", "puzzle" or "guide".
  mode: "place",
  // Who plays: {kind: "person"}, {kind: "level", level} or {kind: "program", program};
  // {kind: "friend"} plays on another page, by links, {kind: "live"} at the same time.
  seats: [{ kind: "person" }, { kind: "level", level: 1 }],
  size: 5,
  cards: null,
  // Where workers stand before the game begins, the first player's first.
  placed: [[], []],
  // The game, and the board of it that is looked at.
  root: null,
  node: null,
  // The turn that is being made: {from, steps, kind}; `kind` is what the next
  // click does if it could do several things. `isWhole` is set while it is being played.
  entry: { from: null, steps: [], kind: null, isWhole: false },
  // Who is asked for a turn just now: {seat, stop()}.
  thinking: null,
  // Names from an opened game; else they come from the seats.
  names: null,
  // By which a level varies its play from game to game.
  seed: 1,
};

/** @type {(() => void)[]} */
const watchers = [];
/** @type {(watcher: () => void) => void} */
const onChange = watcher => watchers.push(watcher);
let isTold = false;

// Tells everybody, once for all changes that are made together.
const changed = () => {
  if (isTold) return;
  isTold = true;
  queueMicrotask(() => {
    isTold = false;
    watchers.forEach(watcher => watcher());
  });
};

const colours = ["Red", "Violet"];

// The highest level; undefined before the levels are known.
const fullStrength = () => state.desk?.levels.at(-1).level;

/** @type {(seats: Player[]) => string[]} */
const seatNames = seats => [0, 1].map(seat => {
  const { kind, level, program } = seats[seat];
  if (kind === "level") return level === fullStrength() ? "Full strength" : `Level ${level}`;
  if (kind === "program") return state.desk.programs[program];
  if (kind === "friend") return "Friend";
  if (kind === "live") return seats[opposite(seat)].kind === "live" ? colours[seat] : "Friend";
  return seats[opposite(seat)].kind === "person" ? colours[seat] : "You";
});
/** @type {(seat: Seat) => string} */
const seatName = seat => seatNames(state.seats)[seat];
/** @type {(seat: Seat) => string} */
const nameOfSeat = seat => state.names ? state.names[seat] : seatName(seat);
// Whether the program here answers for a player.
/** @type {(player: Player) => boolean} */
const isMachine = ({ kind }) => kind === "level" || kind === "program";
/** @type {(seat: Seat) => boolean} */
const isPerson = seat => state.seats[seat].kind === "person";

// The scene before the first turn, as far as workers are placed.
/** @type {() => Scene} */
const placingScene = () => ({
  levels: Array.from({ length: state.size }, () => Array(state.size).fill(0)),
  workers: state.placed.map(names => names.map(placeOf)),
  last: null,
  mover: state.placed[0].length < 2 ? 0 : 1,
  movable: [],
});

/** @type {() => View | undefined} */
const view = () => state.node?.view;

// The seat that is to act; null when the game is over.
/** @type {() => Seat | null} */
const toMove = () => {
  if (state.mode === "place") return placingScene().mover;
  if (live.isOver()) return null;
  return view()?.winner === null ? view().scene.mover : null;
};

const clearEntry = () => { state.entry = { from: null, steps: [], kind: null, isWhole: false }; };

const stopThinking = () => {
  state.thinking?.stop();
  state.thinking = null;
};

// Takes up another game.
/** @type {(root: GameNode, how: { mode?: Mode, seats: Player[], names?: string[] | null }) => void} */
const takeGame = (root, { mode = "play", seats, names = null }) => {
  stopThinking();
  Object.assign(state, {
    mode, seats, names, root, node: root, cards: null, placed: [[], []], size: root.view.scene.levels.length,
  });
  clearEntry();
};

// A puzzle lays the game aside; a position that is set up has the game still under it.
// What was laid aside goes on as it was.
/** @type {() => Aside} */
const layAside = () => {
  const { mode, seats, names, root, node, size, cards, placed, seed, thinking } = state;
  return { mode, seats, names, root, node, size, cards, placed, seed, wasThinking: thinking !== null };
};

// The game of this page, also while a puzzle, an exercise or a position to set up is on top of it.
/** @type {() => Aside} */
const gameUnder = () => {
  const game = setup.under() ?? layAside();
  return game.mode === "puzzle" ? puzzles.under() : game.mode === "guide" ? guide.under() : game;
};

/** @type {(game: Aside) => void} */
const takeUp = ({ wasThinking, ...game }) => {
  stopThinking();
  Object.assign(state, game);
  clearEntry();
  if (state.node) needTurns(state.node);
  say(state.mode === "place" ? placingWords() : standing());
  changed();
  if (state.mode === "place" && allStand()) beginGame();
  else if (wasThinking) letOthersPlay();
};

// Looks at a board of the game.
/** @type {(node: GameNode) => void} */
const goTo = node => {
  stopThinking();
  state.node = node;
  clearEntry();
  needTurns(node);
  changed();
};

// How a question names the board of a node: by the turn that leads to it, if there is one.
/** @type {(node: GameNode) => { position: string, turn?: string }} */
const wayTo = node => node.parent
  ? { position: node.parent.view.position, turn: node.turn }
  : { position: node.view.position };

// Asks for what can be played, where that is not known yet.
/** @type {(node: GameNode) => Promise<void>} */
const needTurns = async node => {
  if (node.view.turns) return;
  try {
    node.view = await desk.ask({ do: "look", ...wayTo(node) });
    changed();
  } catch (error) {
    say(error.message, "bad");
  }
};
