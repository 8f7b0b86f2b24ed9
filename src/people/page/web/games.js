// The games of this browser, each under a key of its own: a tab never overwrites what
// another one has written. A game is {id, position, tree, seats, names, at, when, winner}:
// `tree` as records have it, `at` the turns up to the board that was shown.

const games = (() => {
  const MOST = 200;
  const PREFIX = "game.";
  const LONGEST = 200_000;

  /** @type {WeakMap<GameNode, number>} */
  const ids = new WeakMap();
  const newId = () => Math.floor(Math.random() * 2 ** 53);
  /** @type {(root: GameNode) => number} */
  const idOf = root => {
    const id = ids.get(root) ?? newId();
    ids.set(root, id);
    return id;
  };

  // The tree last read or written for each game. Keyed by game, because two can share an id.
  /** @type {WeakMap<GameNode, string>} */
  const known = new WeakMap();
  // The trees of deleted games.
  /** @type {Map<number, string>} */
  const removed = new Map();

  // The winners of games that ended by resignation, by their last boards.
  /** @type {WeakMap<GameNode, Seat>} */
  const winners = new WeakMap();
  /** @type {(node: GameNode) => Seat | null} */
  const winnerByResignation = node => winners.get(node) ?? null;

  // Records that a game ended on this board because the other player resigned.
  /** @type {(root: GameNode, node: GameNode, winner: Seat) => void} */
  function resign(root, node, winner) {
    if (winners.get(node) === winner) return;
    winners.set(node, winner);
    known.delete(root);
  }

  // Games that could not be saved, as the page has reported.
  /** @type {WeakSet<GameNode>} */
  const unsaved = new WeakSet();
  // Why the last game was not saved, or ""; null before the first.
  /** @type {string | null} */
  let failure = null;

  /** @type {(id: any) => boolean} */
  const isId = id => Number.isSafeInteger(id) && id >= 0;
  /** @type {(game: any) => boolean} */
  const isGame = game => isText(game?.position) && Array.isArray(game.tree) && Array.isArray(game.at) && isId(game.id);
  /** @type {(id: number) => string} */
  const keyOf = id => PREFIX + id;
  /** @type {(id: number) => SavedGame | null} */
  const find = id => storage.get(keyOf(id), null, game => isGame(game) && game.id === id);
  /** @type {(game: SavedGame) => string} */
  const treeOf = ({ tree }) => JSON.stringify(tree);
  /** @type {(game: SavedGame) => number} */
  const timeOf = ({ when }) => Number.isFinite(when) ? Number(when) : 0;

  // The latest first.
  /** @type {() => SavedGame[]} */
  const list = () => storage.keys(PREFIX).map(key => find(Number(key.slice(PREFIX.length)))).filter(game => game !== null)
    .sort((a, b) => timeOf(b) - timeOf(a));

  // Whether a game is a continuation of another one.
  /** @type {(game: SavedGame, other: SavedGame) => boolean} */
  const contains = (game, other) => game.position === other.position && treeOf(game).startsWith(treeOf(other).slice(0, -1));
  /** @type {(game: SavedGame, other: SavedGame) => boolean} */
  const hasSamePlayers = (game, other) => JSON.stringify(game.seats) === JSON.stringify(other.seats);

  // Writes a game. If the storage is full, the oldest games are deleted, with a message; they are
  // restored if that does not help. Returns whether the game is saved.
  /** @type {(game: SavedGame) => boolean} */
  function write(game) {
    const others = list().filter(({ id }) => id !== game.id);
    const keys = others.map(({ id }) => keyOf(id));
    keys.splice(MOST - 1).forEach(storage.remove);
    const save = () => storage.set(keyOf(game.id), game);
    const { length } = keys;
    let isSaved = save();
    while (!isSaved && keys.length) {
      keys.splice(-1).forEach(storage.remove);
      isSaved = save();
    }
    failure = isSaved ? "" : "The storage of this browser is full or blocked, so this game is not saved.";
    if (!isSaved) {
      others.slice(0, length).forEach(other => storage.set(keyOf(other.id), other));
      return false;
    }
    const gone = length - keys.length;
    if (gone) say(`The storage of this browser is full, so your ${gone === 1 ? "oldest saved game was" : `${gone} oldest saved games were`} deleted.`, "bad");
    for (const other of others) {
      if (contains(game, other) && hasSamePlayers(game, other)) storage.remove(keyOf(other.id));
    }
    return true;
  }

  /** @type {(root: GameNode, game: SavedGame) => SavedGame} */
  const dated = (root, game) => {
    const end = tree.end(root);
    return { ...game, when: Date.now(), winner: end.view.winner ?? winnerByResignation(end) };
  };

  // Saves the game on the board if it has changed. If another tab has continued it
  // differently, it gets a key of its own.
  /** @type {(root: GameNode, written: () => SavedGame) => void} */
  function keep(root, written) {
    const game = written();
    const text = treeOf(game);
    const isEmpty = game.tree.length < 2 && !game.tree[0].comment;
    if (isEmpty || known.get(root) === text || removed.get(game.id) === text) return;
    if (text.length > LONGEST) return warn(root, "This game is now too long for the browser to save.");
    const stored = find(game.id);
    if (stored && known.get(root) !== treeOf(stored) && !contains(game, stored)) {
      ids.set(root, newId());
      return keep(root, written);
    }
    removed.delete(game.id);
    known.set(root, text);
    if (!write(dated(root, game))) warn(root, trouble());
  }

  // Says once why a game is not saved. The turn of a player that thinks would replace the words.
  /** @type {(root: GameNode, why: string) => void} */
  function warn(root, why) {
    if (unsaved.has(root) || state.thinking) return;
    unsaved.add(root);
    say(`${why} Share can save it as a file.`, "bad");
  }

  // Continues a saved game under its key.
  /** @type {(root: GameNode, game: SavedGame) => void} */
  function adopt(root, game) {
    ids.set(root, game.id);
    const stored = find(game.id);
    if (!stored || treeOf(stored) !== treeOf(game)) return;
    known.set(root, treeOf(game));
    const end = tree.end(root);
    if (end.view.winner === null && (stored.winner === 0 || stored.winner === 1)) winners.set(end, stored.winner);
  }

  // Leaves a game that was only opened out of the list until it changes.
  /** @type {(root: GameNode) => void} */
  const leaveOut = root => { known.set(root, JSON.stringify(tree.write(root))); };

  // Saves a copy of a game, before turns are deleted from it.
  /** @type {(root: GameNode, written: () => SavedGame) => void} */
  function copy(root, written) {
    write({ ...(find(idOf(root)) ?? dated(root, written())), id: newId() });
  }

  /** @param {SavedGame} game */
  function remove(game) {
    storage.remove(keyOf(game.id));
    removed.set(game.id, treeOf(game));
  }

  // Restores a deleted game. If another tab has continued it, that one stays.
  /** @param {SavedGame} game */
  function restore(game) {
    removed.delete(game.id);
    const stored = find(game.id);
    if (!stored) write(game);
    else if (!contains(stored, game)) write({ ...game, id: newId() });
  }

  // Imports the list of games of version 0.6.0.
  function upgrade() {
    storage.get("earlier", [], Array.isArray).filter(isGame).forEach(write);
    storage.remove("earlier");
  }

  // What prevents games from being saved in this browser, or "".
  const trouble = () => failure ?? (storage.isThere() ? "" : "The storage of this browser is full or blocked, so games are not saved.");

  // ---- in words ----

  // Names the friend of a live game, although the game can only go on by hand.
  /** @param {SavedGame} game */
  const playersOf = ({ names, seats }) => names && isPair(names, isText) ? names
    : seatNames(seatsThere(seats).map((player, seat) => seats?.[seat]?.kind === "live" ? { kind: "live" } : player));

  /** @type {(game: SavedGame) => string} */
  function result(game) {
    const name = playersOf(game)[game.winner ?? -1];
    return name === undefined ? "not finished" : name === "You" ? "you won" : `${name} won`;
  }

  // The turns of the main line, in which each entry is the first after the one before.
  /** @type {(game: SavedGame) => number} */
  function lengthOf({ tree }) {
    const line = [0];
    tree.forEach((branch, index) => { if (branch?.after === line.at(-1)) line.push(index); });
    return line.length - 1;
  }

  // The players and the result; the length and the date.
  /** @type {(game: SavedGame) => [string, string]} */
  function words(game) {
    const day = new Date(timeOf(game));
    const time = timeOf(game) ? `, ${day.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}` : "";
    return [`${playersOf(game).join(" – ")}: ${result(game)}`, `${counted(lengthOf(game))}${time}`];
  }

  /** @param {SavedGame} game */
  const title = game => words(game).join(", ");

  return { MOST, trouble, idOf, isId, isGame, copy, find, list, contains, keep, adopt, leaveOut, remove, restore, resign, winnerByResignation, upgrade, playersOf, words, title };
})();
