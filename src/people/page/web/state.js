// The state of the page, and the functions called when it changes.

const state = /** @type {State} */ ({
  // The answer to `hello`.
  hello: null,
  // The mode: "place", "play", "setup", "puzzle" or "guide".
  mode: "place",
  // Who plays: {kind: "person"}, {kind: "level", level} or {kind: "program", program};
  // {kind: "friend"} plays on another page, by links, {kind: "live"} at the same time.
  seats: [{ kind: "person" }, { kind: "level", level: 1 }],
  size: 5,
  cards: null,
  // Where workers stand before the game begins, the first player's first.
  placed: [[], []],
  // The first board of the game and the current one; null while workers are placed.
  root: null,
  node: null,
  // The turn in progress: {from, steps, kind}; `kind` is what the next click does if there is
  // a choice. `isWhole` is set while the turn is being played.
  entry: { from: null, steps: [], kind: null, isWhole: false },
  // The running search for a turn: {seat, stop()}.
  thinking: null,
  // Names from an opened game; otherwise the seats give them.
  names: null,
  // Makes a level play differently from game to game.
  seed: 1,
});

// What the program offers: levels, cards, sizes. Must not be called before it is known.
/** @type {() => Hello} */
const offered = () => {
  if (!state.hello) throw new Error("there is no connection yet");
  return state.hello;
};

// Calls `act` if the program's offer is known, otherwise says that there is no connection.
/** @type {(act: () => void) => void} */
const whenConnected = act => state.hello ? act() : sayUnconnected();
const sayUnconnected = () => say("There is no connection yet. Try again in a moment.", "bad");

/** @type {(() => void)[]} */
const watchers = [];
/** @type {(watcher: () => void) => void} */
const onChange = watcher => watchers.push(watcher);
let isTold = false;

// Calls the watchers, once for all changes made together.
const changed = () => {
  if (isTold) return;
  isTold = true;
  queueMicrotask(() => {
    isTold = false;
    watchers.forEach(watcher => watcher());
  });
};

const colours = ["Red", "Violet"];

// The highest level; -Infinity before the levels are known.
const fullStrength = () => Math.max(...(state.hello?.levels ?? []).map(({ level }) => level));

/** @type {(seats: Player[]) => string[]} */
const seatNames = seats => [0, 1].map(seat => {
  const player = seats[seat];
  if (player.kind === "level") return player.level === fullStrength() ? "Full strength" : `Level ${player.level}`;
  if (player.kind === "program") return offered().programs[player.program];
  if (player.kind === "friend") return "Friend";
  if (player.kind === "live") return seats[opposite(seat)].kind === "live" ? colours[seat] : "Friend";
  return seats[opposite(seat)].kind === "person" ? colours[seat] : "You";
});
/** @type {(seat: Seat) => string} */
const seatName = seat => seatNames(state.seats)[seat];
/** @type {(seat: Seat) => string} */
const nameOfSeat = seat => state.names ? state.names[seat] : seatName(seat);
// Whether the program plays for a player.
/** @type {(player: Player) => player is Machine} */
const isMachine = player => player.kind === "level" || player.kind === "program";
/** @type {(seat: Seat) => boolean} */
const isPerson = seat => state.seats[seat].kind === "person";

// The seat whose workers are placed next.
/** @type {() => Seat} */
const placingSeat = () => state.placed[0].length < 2 ? 0 : 1;

// The scene before the first turn, as far as workers are placed.
/** @type {() => OpenScene} */
const placingScene = () => ({
  levels: Array.from({ length: state.size }, () => Array(state.size).fill(0)),
  workers: state.placed.map(names => names.map(placeOf)),
  last: null,
  mover: placingSeat(),
  movable: [],
});

/** @type {() => View | null} */
const view = () => state.node?.view ?? null;

// The current board, unless the game is over there.
/** @type {() => OpenView | null} */
const openView = () => {
  const shown = view();
  return shown?.winner === null ? shown : null;
};

// The seat that is to act; null when the game is over.
/** @type {() => Seat | null} */
const toMove = () => {
  if (state.mode === "place") return placingSeat();
  return live.isOver() ? null : openView()?.scene.mover ?? null;
};

// The seat that played the turn leading to a board.
/** @type {(node: PlayedNode) => Seat} */
const playerOf = ({ view: { scene } }) => (scene.turn + 1) % 2;

const clearEntry = () => { state.entry = { from: null, steps: [], kind: null, isWhole: false }; };

const stopThinking = () => {
  state.thinking?.stop();
  state.thinking = null;
};

// Switches to another game.
/** @type {(root: GameNode, how: { mode?: "play" | "puzzle" | "guide", seats: Player[], names?: string[] | null }) => void} */
const takeGame = (root, { mode = "play", seats, names = null }) => {
  stopThinking();
  Object.assign(state, {
    mode, seats, names, root, node: root, cards: null, placed: [[], []], size: root.view.scene.levels.length,
  });
  clearEntry();
};

// Returns a function that tells whether the page still has this game, known by its `placed`. A
// late answer must not take the place of a later game.
const whileHere = () => {
  const { placed } = state;
  return () => state.placed === placed;
};

// The game as it is now with its own players, to be resumed later, for example after a puzzle.
/** @type {() => SuspendedGame} */
const snapshot = () => {
  const { hello, entry, thinking, ...game } = state;
  const { seats, names } = lesson.players();
  return { ...game, seats, names, wasThinking: thinking !== null };
};

// The game of this page, even under a puzzle, an exercise or a position being set up.
/** @type {() => SuspendedGame} */
const gameUnder = () => {
  const game = setup.under() ?? snapshot();
  return (game.mode === "puzzle" ? puzzles.under() : game.mode === "guide" ? guide.under() : null) ?? game;
};

/** @type {(game: SuspendedGame) => void} */
const resume = ({ wasThinking, ...game }) => {
  stopThinking();
  Object.assign(state, game);
  lesson.playBoth();
  clearEntry();
  if (state.node) needTurns(state.node);
  say(standing());
  changed();
  if (state.mode === "place" && allStand()) beginGame();
  else if (wasThinking) letOthersPlay();
};

// Makes a board of the game the current one.
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

// The board after a turn. Asks the program for it if the game does not have it yet.
/** @type {(node: GameNode, turn: string) => View | Promise<View>} */
const viewAfter = (node, turn) => node.children.find(child => child.turn === turn)?.view ??
  client.ask({ do: "look", position: node.view.position, turn });

// Asks for the legal turns of a board, if they are not known yet.
/** @type {(node: GameNode) => Promise<void>} */
const needTurns = async node => {
  if (node.view.turns) return;
  try {
    node.view = await client.ask({ do: "look", ...wayTo(node) });
    changed();
  } catch (error) {
    sayError(error);
  }
};
