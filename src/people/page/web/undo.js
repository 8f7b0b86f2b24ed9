// Undoes what removed a game or a part of it: a new game in its place, or deleted turns; and
// leaving a board that was being set up.

const undo = (() => {
  // What can be undone, the latest last: {words, isHere(), back()}. `isHere` tells whether
  // nothing has been done since, or all of it has been taken back. `first` is what the board
  // showed first in the game that followed, if not its start. `isPast` tells whether something
  // has been done in that game: then only a button leads back, so that taking back turns by key
  // stops at the start of a game.
  /** @typedef {{ words: string, isHere(): boolean, back(): void, first?: GameNode | string, isPast?: boolean }} Act */
  /** @type {Act[]} */
  const acts = [];

  /** @type {(game: Game) => boolean} */
  const hasPlaced = ({ seats, placed }) => seats.some(({ kind }, seat) => kind === "person" && placed[seat].length > 0);

  // What is on the board: a board of a game, or the workers placed so far.
  const shown = () => state.node ?? JSON.stringify(state.placed);

  // Whether nothing has been done in the game that took the place of another one.
  /** @type {(act: Act) => boolean} */
  const isUntouched = ({ first }) => state.mode === "place" ? !hasPlaced(state) || shown() === first
    : state.mode === "play" && (state.node === first || state.node === state.root && !state.placed.flat().length);

  // To be called before another game takes the place of this one, or of a board that is set up.
  function beforeGame() {
    if (beforeLeavingSetup()) return;
    const game = gameUnder();
    if (game.mode === "place" && !hasPlaced(game)) return;
    /** @type {Act} */
    const act = { words: "Back to the game before", isHere: () => isUntouched(act), back: () => resume(game), isPast: false };
    acts.push(act);
  }

  // To be called when another game is shown, if not at its first board or without workers.
  function shownNow() {
    const act = acts.at(-1);
    if (act) Object.assign(act, { first: shown(), isPast: false });
  }

  // To be called before something else takes the place of a board that is set up. Returns
  // whether that can be undone.
  function beforeLeavingSetup() {
    const board = setup.now();
    if (!board || !setup.hasPast()) return false;
    const game = gameUnder();
    const isHere = () => isUntouched(act) || (state.mode === "puzzle" || state.mode === "guide") && [state.root, act.first].includes(state.node);
    const back = () => {
      resume(game);
      setup.open(board);
    };
    /** @type {Act} */
    const act = { words: "Back to setting up", isHere, back, isPast: false };
    acts.push(act);
    return true;
  }

  // Deletes a board and what follows it.
  /** @param {PlayedNode} node */
  function remove(node) {
    const { root } = state;
    const { parent } = node;
    if (!root) return;
    // The whole game stays in the list of games.
    games.copy(root, () => session.written(root, node));
    const place = parent.children.indexOf(node);
    tree.remove(node);
    goTo(parent);
    const isHere = () => state.mode === "play" && state.root === root && state.node === parent;
    const back = () => {
      parent.children.splice(place, 0, node);
      goTo(node);
      say(`The deleted turns are back. ${standing()}`);
    };
    acts.push({ words: "Undo: delete", isHere, back });
    const count = tree.write(node).length;
    say(`${counted(count)} deleted. Ctrl+Z brings ${count === 1 ? "it" : "them"} back.`);
  }

  // What can be undone now: the last act, unless something has been done since.
  const now = () => {
    const last = acts.at(-1);
    return last?.isHere() ? last : null;
  };

  function follow() {
    const last = acts.at(-1);
    if (last?.isPast === false && !last.isHere()) last.isPast = true;
  }

  onChange(follow);

  return {
    beforeGame, beforeLeavingSetup, shownNow, remove,
    isHere: () => now() !== null,
    isNext: () => now() !== null && !now()?.isPast,
    words: () => now()?.words ?? "",
    back: () => acts.pop()?.back(),
  };
})();
