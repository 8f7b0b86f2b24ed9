// The changes from one scene to the next, for animations and sounds.

// Returns the workers that moved and the spaces that were built on. Null if nothing changed, and
// for most changes that no single turn or placement makes.
/** @type {(before: Scene | null, after: Scene) => Changes | null} */
const changesOf = (before, after) => {
  if (before?.levels.length !== after.levels.length) return null;
  /** @type {Place[]} */
  const raised = [];
  for (const [row, levels] of after.levels.entries()) {
    for (const [column, level] of levels.entries()) {
      if (level < before.levels[row][column]) return null;
      if (level > before.levels[row][column]) raised.push([row, column]);
    }
  }
  /** @type {Changes["moved"]} */
  const moved = [];
  for (const seat of [0, 1]) {
    /** @type {(squares: Place[], others: Place[]) => Place[]} */
    const without = (squares, others) => squares.filter(at => !others.some(other => same(at, other)));
    const gone = without(before.workers[seat], after.workers[seat]);
    const come = without(after.workers[seat], before.workers[seat]);
    if (gone.length > 1 || come.length > 1 || gone.length > come.length) return null;
    if (come.length) moved.push({ seat, from: gone[0] ?? null, to: come[0] });
  }
  return raised.length > 2 || !raised.length && !moved.length ? null : { moved, raised };
};
