// The steps of turns, one click each. A turn is given in notation
// (src/engine/rules/turn.rs); what is legal comes from the answers alone.

const letters = "abcdef";
/** @type {(at: Place) => string} */
const nameOf = ([row, column]) => letters[column] + (row + 1);
/** @type {(name: string) => Place} */
const placeOf = name => [Number(name[1]) - 1, letters.indexOf(name[0])];
/** @type {(a: Place, b: Place) => boolean} */
const same = (a, b) => a[0] === b[0] && a[1] === b[1];
/** @type {(seat: Seat) => Seat} */
const opposite = seat => 1 - seat;

// A position in one line. Workers and cards are given for the first player and the second.
/** @type {(board: Pick<Draft, "levels" | "workers" | "cards">, mover: Seat, turn: number) => string} */
const positionText = ({ levels, workers, cards }, mover, turn) => {
  /** @type {(pair: string[]) => string[]} */
  const moverFirst = pair => mover === 0 ? pair : [...pair].reverse();
  const rows = levels.map(row => row.join("")).join("/");
  const squares = workers.map(names => names.join(""));
  return [rows, ...moverFirst(squares), turn, ...moverFirst(cards ?? [])].join(" ");
};

// {text, from, steps}: a step is {kind, at}; kinds are "-" for every move,
// "+" for a build and "^" for a dome on a lower tower.
/** @type {(text: string) => TurnSteps} */
const readTurn = text => {
  const steps = [...text.matchAll(/([-x+^])([a-f][1-6])/g)].map(([, sign, at]) =>
    ({ kind: /** @type {Step["kind"]} */ (sign === "x" ? "-" : sign), at }));
  return { text, from: text.slice(0, 2), steps };
};

/** @type {(scene: Pick<Scene, "levels">, name: string) => number} */
const levelOf = ({ levels }, name) => levels[placeOf(name)[0]][placeOf(name)[1]];
/** @type {(a: string, b: string) => boolean} */
const isNear = (a, b) => {
  const [[row1, column1], [row2, column2]] = [placeOf(a), placeOf(b)];
  return Math.max(Math.abs(row1 - row2), Math.abs(column1 - column2)) === 1;
};

// Whether a worker gets from one free space to another by a move, and whether that wins.
/** @type {(scene: Scene, from: string, to: string) => boolean} */
const isStep = (scene, from, to) => isNear(from, to) && levelOf(scene, to) <= levelOf(scene, from) + 1;
/** @type {(scene: Scene, from: string, to: string) => boolean} */
const isClimb = (scene, from, to) => levelOf(scene, from) < 3 && levelOf(scene, to) === 3;

// Other ways to click a turn, by the card of its player. Each function takes the scene and
// all turns, and returns a function from a turn to its other ways.
/** @type {Record<string, (scene: Scene, all: TurnSteps[]) => (turn: TurnSteps) => TurnSteps[]>} */
const otherWays = {
  // By way of another space.
  Artemis: (scene, all) => {
    /** @type {Map<string, Set<string>>} */
    const vias = new Map();
    for (const { text, from, steps: [first, second] } of all) {
      if (text.endsWith("#") || second.kind === "-") continue;
      vias.set(from, new Set([...vias.get(from) ?? [], first.at]));
    }
    return turn => {
      const { text, from, steps } = turn;
      const last = steps.findLastIndex(({ kind }) => kind === "-");
      const to = steps[last].at;
      /** @type {(via: string) => boolean} */
      const isOther = via => via !== to && via !== steps[0].at && isStep(scene, via, to) &&
        isClimb(scene, via, to) === text.endsWith("#");
      return [...vias.get(from) ?? []].filter(isOther)
        .map(via => ({ ...turn, steps: [{ kind: "-", at: via }, ...steps.slice(last)] }));
    };
  },

  // Two builds in the other order.
  Demeter: () => turn => {
    const [move, first, second] = turn.steps;
    return second ? [{ ...turn, steps: [move, second, first] }] : [];
  },

  // The build before the move and the one after it exchanged.
  Prometheus: () => turn => {
    const [before, move, after] = turn.steps;
    if (before.kind === "-" || before.at === move.at || before.at === after.at) return [];
    if (after.at === turn.from || !isNear(turn.from, after.at) || !isNear(move.at, before.at)) return [];
    return [{ ...turn, steps: [after, move, before] }];
  },

  // A dome on level 3 can also be built by the card.
  Atlas: scene => turn => {
    const [move, build] = turn.steps;
    const isTop = build?.kind === "+" && levelOf(scene, build.at) === 3;
    return isTop ? [{ ...turn, steps: [move, { kind: "^", at: build.at }] }] : [];
  },
};

// The ways to click the turns of a position. Turns that lead to the same board are one turn
// in notation, but each of them can be clicked.
/** @type {(view: OpenView) => TurnSteps[]} */
const waysOf = ({ turns = [], scene, cards }) => {
  const all = turns.map(readTurn);
  const others = otherWays[cards?.[scene.mover] ?? ""]?.(scene, all);
  return others ? all.flatMap(turn => [turn, ...others(turn)]) : all;
};

/** @type {(a: Step, b: Step) => boolean} */
const sameStep = (a, b) => a.kind === b.kind && a.at === b.at;

// What can follow the steps so far: {next: different steps, whole: the turn that the steps
// complete, or null}.
/** @type {(ways: TurnSteps[], from: string | null, so_far: Step[]) => { next: Step[], whole: string | null }} */
const following = (ways, from, so_far) => {
  const fits = ways.filter(way => way.from === from && so_far.length <= way.steps.length &&
    so_far.every((step, index) => sameStep(step, way.steps[index])));
  /** @type {Step[]} */
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
/** @type {(scene: OpenScene, from: string, steps: Step[], card: string | null) => Scene} */
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
    const pushed = displacedTo(at, to, card);
    workers[1 - mine] = workers[1 - mine].map(other => same(other, to) ? pushed : other);
    workers[mine] = workers[mine].map(worker => same(worker, at) ? to : worker);
    at = to;
  }
  return { ...scene, levels, workers };
};

// What can be done next, in words: first what a click does, then all other choices.
/** @type {(steps: Step[], next: Step[], now: Step["kind"], isWhole: boolean) => string} */
const nextWords = (steps, next, now, isWhole) => {
  const hasMoved = steps.some(({ kind }) => kind === "-");
  const hasBuilt = steps.some(({ kind }) => kind !== "-");
  const words = {
    "-": hasMoved ? "move again" : "move",
    "+": hasBuilt ? "build again" : hasMoved ? "build" : "build first",
    "^": "put a dome",
  };
  const others = [...new Set(next.map(({ kind }) => kind))].filter(kind => kind !== now).sort().map(kind => words[kind]);
  return [`Choose where to ${words[now]}`, ...others, ...isWhole ? ["finish the turn"] : []].join(", or ") + ".";
};

// The board after a whole turn; after the end of a game nothing changes.
/** @type {(scene: Scene, turn: string, cards: Pair<string> | null) => Scene} */
const sceneAfterTurn = (scene, turn, cards) => {
  const { mover } = scene;
  if (mover === null) return scene;
  const { from, steps } = readTurn(turn);
  const after = sceneAfter({ ...scene, mover }, from, steps, cards?.[mover] ?? null);
  return { ...after, mover: turn.endsWith("#") ? null : opposite(mover), last: { ...santorini.steps(turn), displaced: null }, movable: [] };
};

const heights = ["the ground", "level 1", "level 2", "level 3", "a dome"];

// Where an opponent's worker goes that is displaced by a step.
/** @type {(from: Place, to: Place, card: string | null) => Place} */
const displacedTo = (from, to, card) => card === "Minotaur" ? [2 * to[0] - from[0], 2 * to[1] - from[1]] : from;

// A turn in words. `cards` are the players' cards, if they have any.
/** @type {(turn: string, before: Scene, cards?: Pair<string> | null) => string} */
const inWords = (turn, before, cards = null) => {
  const { from, steps } = readTurn(turn);
  const height = new Map();
  let stands = from;
  /** @type {(from: string, to: string) => string} */
  const displacing = (from, to) => {
    const other = nameOf(displacedTo(placeOf(from), placeOf(to), cards?.[before.mover ?? 0] ?? null));
    return other === from ? "swapping places with the opponent's worker" : `pushing the opponent's worker to ${other}`;
  };
  const words = steps.map(({ kind, at }) => {
    if (kind === "-") {
      const words = stands === from ? `moves from ${from} to ${at}` : `and on to ${at}`;
      const other = turn.includes(`x${at}`) ? `, ${displacing(stands, at)}` : "";
      stands = at;
      return words + other;
    }
    const level = kind === "^" ? 4 : (height.get(at) ?? levelOf(before, at)) + 1;
    height.set(at, level);
    return level === 4 ? `puts a dome on ${at}` : `builds ${heights[level]} on ${at}`;
  });
  const end = !turn.endsWith("#") ? "" : turn.includes("x") ? ", and wins" : " and wins";
  return words.join(", ") + end;
};

// The same in the second person or as advice: "move from c3 to c4, build level 1 on b4".
/** @type {(words: string) => string} */
const forYou = words => words.replace(/\b(move|build|put|win)s\b/g, "$1");
