const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const { nameOf, placeOf, positionText, readTurn, waysOf, following, sceneAfter, inWords, forYou, nextWords } =
  load(["steps"], "nameOf, placeOf, positionText, readTurn, waysOf, following, sceneAfter, inWords, forYou, nextWords");

// A 5x5 board: red on c3 and a1, violet on c4 and e5, all levels 0 except the given ones.
const scene = (heights = {}) => {
  const levels = Array.from({ length: 5 }, () => Array(5).fill(0));
  for (const [name, level] of Object.entries(heights)) levels[placeOf(name)[0]][placeOf(name)[1]] = level;
  return { levels, workers: [["c3", "a1"], ["c4", "e5"]].map(names => names.map(placeOf)), mover: 0, last: null };
};

const clicks = (turns, card, heights) =>
  waysOf({ turns, scene: scene(heights), cards: card && [card, "Pan"] })
    .map(({ text, from, steps }) => `${from}${steps.map(({ kind, at }) => kind + at).join("")} = ${text}`);

test("a space has a column and a row, and is named by both", () => {
  assert.deepEqual(placeOf("c4"), [3, 2]);
  for (let row = 0; row < 6; row += 1) {
    for (let column = 0; column < 6; column += 1) assert.deepEqual(placeOf(nameOf([row, column])), [row, column]);
  }
});

test("a turn is read step by step, and a push is a move", () => {
  assert.deepEqual(readTurn("c3xc4^b4"), {
    text: "c3xc4^b4", from: "c3", steps: [{ kind: "-", at: "c4" }, { kind: "^", at: "b4" }],
  });
  assert.deepEqual(readTurn("a1-a2#").steps, [{ kind: "-", at: "a2" }]);
});

test("without a card a turn is clicked as it is written", () => {
  assert.deepEqual(clicks(["c3-d3+d2"], null), ["c3-d3+d2 = c3-d3+d2"]);
});

test("two builds of Demeter can be clicked in both orders", () => {
  assert.deepEqual(clicks(["c3-d3+d2+e2", "c3-d3+d2"], "Demeter"), [
    "c3-d3+d2+e2 = c3-d3+d2+e2", "c3-d3+e2+d2 = c3-d3+d2+e2", "c3-d3+d2 = c3-d3+d2",
  ]);
});

test("the builds of Prometheus change places only where the worker reaches them", () => {
  // d2 is near c3 and d3, b2 is not near d3.
  assert.deepEqual(clicks(["c3+d2-d3+c2"], "Prometheus"), ["c3+d2-d3+c2 = c3+d2-d3+c2", "c3+c2-d3+d2 = c3+d2-d3+c2"]);
  assert.equal(clicks(["c3+b2-d3+c2"], "Prometheus").length, 1);
  // On the space that was left nothing could be built before.
  assert.equal(clicks(["c3+d2-d3+c3"], "Prometheus").length, 1);
});

test("Atlas puts a dome on a third level by either kind of build", () => {
  assert.deepEqual(clicks(["c3-d3+d2"], "Atlas", { d2: 3 }), ["c3-d3+d2 = c3-d3+d2", "c3-d3^d2 = c3-d3+d2"]);
  assert.equal(clicks(["c3-d3+d2"], "Atlas", { d2: 2 }).length, 1);
});

test("Artemis gets to a space by way of any other that she can step on", () => {
  const turns = ["c3-d3+d2", "c3-d2+e2", "c3-d3-e2+e1", "c3-d2-e2+e1"];
  const all = clicks(turns, "Artemis");
  assert.ok(all.includes("c3-d2-e2+e1 = c3-d3-e2+e1"));
  assert.ok(all.includes("c3-d2-d3+d2 = c3-d3+d2"));
  // d2 is too high to step to from c3, so no turn goes there.
  assert.ok(!clicks(["c3-d3+d2", "c3-d3-e2+e1"], "Artemis", { d2: 2 }).some(way => way.startsWith("c3-d2")));
});

test("what can follow is said once, and whether the turn is whole", () => {
  const ways = waysOf({ turns: ["c3-d3+d2", "c3-d3+d2+e2", "c3-d3+e2", "a1-a2+a3"], scene: scene(), cards: null });
  assert.deepEqual(following(ways, "c3", []), { next: [{ kind: "-", at: "d3" }], whole: null });
  const moved = [{ kind: "-", at: "d3" }];
  assert.deepEqual(following(ways, "c3", moved).next.map(({ at }) => at), ["d2", "e2"]);
  const built = [...moved, { kind: "+", at: "d2" }];
  assert.deepEqual(following(ways, "c3", built), { next: [{ kind: "+", at: "e2" }], whole: "c3-d3+d2" });
  assert.deepEqual(following(ways, "b1", []), { next: [], whole: null });
});

test("the board is drawn after some steps, and the one before stays", () => {
  const before = scene({ d2: 1 });
  const after = sceneAfter(before, "c3", [{ kind: "-", at: "d3" }, { kind: "+", at: "d2" }, { kind: "^", at: "e2" }], null);
  assert.deepEqual(after.workers[0].map(nameOf), ["d3", "a1"]);
  assert.deepEqual([after.levels[1][3], after.levels[1][4]], [2, 4]);
  assert.deepEqual(before, scene({ d2: 1 }));
});

test("Apollo changes places with a worker, the Minotaur pushes it on", () => {
  const step = [{ kind: "-", at: "c4" }];
  const other = card => nameOf(sceneAfter(scene(), "c3", step, card).workers[1][0]);
  assert.deepEqual([other("Apollo"), other("Minotaur")], ["c3", "c5"]);
});

test("a turn in words counts what it has built itself", () => {
  const words = turn => inWords(turn, scene({ d2: 2 }));
  assert.equal(words("c3-d3+d2"), "moves from c3 to d3, builds level 3 on d2");
  assert.equal(words("c3-d3+d2+d2"), "moves from c3 to d3, builds level 3 on d2, puts a dome on d2");
  assert.equal(words("c3-d3-e2^d2"), "moves from c3 to d3, and on to e2, puts a dome on d2");
  assert.equal(words("c3-d2#"), "moves from c3 to d2 and wins");
  assert.equal(forYou(words("c3-d2#")), "move from c3 to d2 and win");
});

test("a turn in words names the worker that it displaces", () => {
  const words = (turn, card) => inWords(turn, scene(), [card, "Pan"]);
  assert.equal(words("c3xc4+c3", "Minotaur"), "moves from c3 to c4, pushing the opponent's worker to c5, builds level 1 on c3");
  assert.equal(words("c3xc4+b4", "Apollo"), "moves from c3 to c4, swapping places with the opponent's worker, builds level 1 on b4");
  assert.equal(forYou(words("c3xc4#", "Minotaur")), "move from c3 to c4, pushing the opponent's worker to c5, and win");
});

test("what can be done next is said in full", () => {
  const [move, build, dome] = ["-", "+", "^"].map(kind => ({ kind, at: "d3" }));
  assert.equal(nextWords([], [move], "-", false), "Choose where to move.");
  assert.equal(nextWords([], [build, move], "-", false), "Choose where to move, or build first.");
  assert.equal(nextWords([move], [move, build], "+", false), "Choose where to build, or move again.");
  assert.equal(nextWords([move], [dome, build], "+", false), "Choose where to build, or put a dome.");
  assert.equal(nextWords([move, build], [build], "+", true), "Choose where to build again, or finish the turn.");
});

test("a position in one line has the player to move first", () => {
  const board = { levels: [[0, 1], [4, 0]], workers: [["a1", "b1"], ["b2", "a2"]], cards: null };
  assert.equal(positionText(board, 0, 6), "01/40 a1b1 b2a2 6");
  assert.equal(positionText({ ...board, cards: ["Pan", "Atlas"] }, 1, 7), "01/40 b2a2 a1b1 7 Atlas Pan");
});
