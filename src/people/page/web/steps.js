// The steps of turns, one click each. A turn is given in notation
// (src/engine/rules/turn.rs); what is legal comes from the answers alone.

const letters = "abcdef";
const nameOf = ([row, column]) => letters[column] + (row + 1);
const placeOf = name => [Number(name[1]) - 1, letters.indexOf(name[0])];
const same = (a, b) => a[0] === b[0] && a[1] === b[1];
const opposite = seat => 1 - seat;

// {text, from, steps}: a step is {kind, at}; kinds are "-" for every move,
// "+" for a build and "^" for a dome on a lower tower.
const readTurn = text => {
  const steps = [...text.matchAll(/([-x+^])([a-f][1-6])/g)];
  return {
    text,
    from: text.slice(0, 2),
    steps: steps.map(([, sign, at]) => ({ kind: sign === "x" ? "-" : sign, at })),
  };
};

// The ways to click the turns of a position. Turns that lead to the same board
// are one turn in notation; they can be clicked in more ways: two builds after
// the move in either order, and a move of Artemis by way of another space.
const waysOf = ({ turns, scene, cards }) => {
  const all = turns.map(readTurn);
  const isArtemis = cards?.[scene.mover] === "Artemis";
  const firsts = new Map();
  for (const { from, steps } of isArtemis ? all : []) {
    if (!firsts.has(from)) firsts.set(from, new Set());
    firsts.get(from).add(steps[0].at);
  }
  return all.flatMap(turn => {
    const { from, steps } = turn;
    const [move, ...builds] = steps;
    if (move.kind !== "-") return [turn];
    if (builds.length === 2 && builds.every(({ kind }) => kind === "+") && builds[0].at !== builds[1].at) {
      return [turn, { ...turn, steps: [move, builds[1], builds[0]] }];
    }
    if (!isArtemis || builds.some(({ kind }) => kind === "-")) return [turn];
    const over = [...firsts.get(from)].filter(via => via !== move.at && isStep(scene, via, move.at) &&
      !turns.includes(`${from}-${via}#`));
    return [turn, ...over.map(via => ({ ...turn, steps: [{ kind: "-", at: via }, ...steps] }))];
  });
};

// Whether a worker gets from one space to the next one by a move.
const isStep = ({ levels }, from, to) => {
  const [[row1, column1], [row2, column2]] = [placeOf(from), placeOf(to)];
  const isNear = Math.max(Math.abs(row1 - row2), Math.abs(column1 - column2)) === 1;
  return isNear && levels[row2][column2] <= levels[row1][column1] + 1;
};

const sameStep = (a, b) => a.kind === b.kind && a.at === b.at;

// What can follow the steps so far: {next: steps without doubles, whole: the
// turn that they are already, or null}.
const following = (ways, from, so_far) => {
  const fits = ways.filter(way => way.from === from && so_far.length <= way.steps.length &&
    so_far.every((step, index) => sameStep(step, way.steps[index])));
  const next = [];
  let whole = null;
  for (const way of fits) {
    const step = way.steps[so_far.length];
    if (!step) whole = way.text;
    else if (!next.some(other => sameStep(other, step))) next.push(step);
  }
  return { next, whole };
};

// The board after some steps of a turn, to be drawn.
const sceneAfter = (scene, from, steps, card) => {
  const levels = scene.levels.map(row => row.slice());
  const workers = scene.workers.map(squares => squares.slice());
  const mine = scene.mover;
  let at = placeOf(from);
  for (const { kind, at: name } of steps) {
    const to = placeOf(name);
    if (kind !== "-") {
      levels[to[0]][to[1]] = kind === "^" ? 4 : levels[to[0]][to[1]] + 1;
      continue;
    }
    const pushed = card === "Minotaur" ? [2 * to[0] - at[0], 2 * to[1] - at[1]] : at;
    workers[1 - mine] = workers[1 - mine].map(other => same(other, to) ? pushed : other);
    workers[mine] = workers[mine].map(worker => same(worker, at) ? to : worker);
    at = to;
  }
  return { ...scene, levels, workers };
};

const heights = ["the ground", "level 1", "level 2", "level 3", "a dome"];

// A turn in words.
const inWords = (turn, before) => {
  const { from, steps } = readTurn(turn);
  const height = new Map();
  let stands = from;
  const words = steps.map(({ kind, at }) => {
    const [row, column] = placeOf(at);
    if (kind === "-") {
      const words = stands === from ? `moves from ${from} to ${at}` : `and on to ${at}`;
      stands = at;
      return words;
    }
    const level = kind === "^" ? 4 : (height.get(at) ?? before.levels[row][column]) + 1;
    height.set(at, level);
    return level === 4 ? `puts a dome on ${at}` : `builds ${heights[level]} on ${at}`;
  });
  const end = turn.endsWith("#") ? " and wins" : "";
  return words.join(", ") + end;
};
