// Games that another one has taken the place of, or that were cut: the browser keeps the last
// ones. A game is {id, position, tree, seats, names, at, isThinking, when}: `tree` as records
// have it, `at` the turns up to the board that was looked at.

const earlier = (() => {
  const MOST = 20;
  const MOST_LETTERS = 1_000_000;

  // The name of a game as long as the page is open. A page that is loaded again, or another
  // one that goes on with the same game, has another name for it.
  /** @type {WeakMap<GameNode, number>} */
  const ids = new WeakMap();
  /** @type {(root: GameNode) => number} */
  const idOf = root => {
    if (!ids.has(root)) ids.set(root, Math.floor(Math.random() * 2 ** 53));
    return ids.get(root);
  };

  /** @type {(game: any) => boolean} */
  const isGame = game => isText(game?.position) && Array.isArray(game.tree) && Array.isArray(game.at);

  /** @type {() => Kept[]} */
  const list = () => kept.get("earlier", [], Array.isArray).filter(isGame);

  // Whether a game goes on from another one without any change to it.
  /** @type {(game: Kept, other: Kept) => boolean} */
  const holds = (game, other) => game.position === other.position &&
    JSON.stringify(game.tree).startsWith(JSON.stringify(other.tree).slice(0, -1));

  /** @param {Kept} game */
  function add(game) {
    if (!isGame(game) || game.tree.length < 2) return;
    /** @type {(other: Kept) => boolean} */
    const isOlder = other => holds(game, other) || game.id === other.id && game.tree.length >= other.tree.length;
    const games = list();
    if (games.some(other => holds(other, game))) return;
    const all = [{ ...game, when: Date.now() }, ...games.filter(other => !isOlder(other))].slice(0, MOST);
    while (all.length > 1 && JSON.stringify(all).length > MOST_LETTERS) all.pop();
    kept.set("earlier", all);
  }

  // Before a game is kept in place of another one.
  /** @param {Kept} game */
  function makeWay(game) {
    const other = kept.get("game", null);
    if (isGame(other) && other.id !== game.id && !holds(game, other)) add(other);
  }

  /** @param {Kept} game */
  function title({ tree, seats, names, when }) {
    const players = isPair(names, isText) ? names : seatNames(seatsThere(seats));
    const day = new Date(when);
    const time = Number.isNaN(day.getTime()) ? "" : `, ${day.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`;
    return `${players.join(" – ")}, ${counted(tree.length - 1)}${time}`;
  }

  return { idOf, isGame, list, add, makeWay, title };
})();
