// Undoes what removed a game or a part of it: a new game in its place, or deleted turns.

const undo = (() => {
  // What can be undone, the latest last: {words, isHere(), back()}. `isHere` tells whether
  // nothing has been done since, or all of it has been taken back.
  /** @type {{ words: string, isHere(): boolean, back(): void }[]} */
  const acts = [];

  // The game of this page, with its own players even during a lesson.
  /** @type {() => SuspendedGame} */
  const current = () => {
    const { seats, names } = lesson.players();
    return state.mode === "play" ? { ...snapshot(), seats, names } : gameUnder();
  };

  /** @type {(game: Game) => boolean} */
  const hasPlaced = ({ seats, placed }) => seats.some((player, seat) => !isMachine(player) && placed[seat].length > 0);

  // To be called before another game takes the place of this one.
  function beforeGame() {
    const game = current();
    if (game.mode === "place" && !hasPlaced(game)) return;
    const isHere = () => state.mode === "place" ? !hasPlaced(state)
      : state.mode === "play" && state.node === state.root && !state.placed.flat().length;
    acts.push({ words: "Back to the game before", isHere, back: () => resume(game) });
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

  return {
    beforeGame, remove,
    isHere: () => now() !== null,
    words: () => now()?.words ?? "",
    back: () => acts.pop()?.back(),
  };
})();
