const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const { readTurn, sceneAfterTurn, lossesOf, lossMark, lossWords, lossBySpace, passed, chanceBySpace, fitting } = load(
  ["steps", "chances", "losses", "threat", "opening"],
  "readTurn, sceneAfterTurn, lossesOf, lossMark, lossWords, lossBySpace, passed, chanceBySpace, fitting",
  { santorini: { steps: turn => ({ path: [turn], built: [] }) } });

const LOSS = { "a1-a2+a1": 0, "a1-a2+b1": 0.2, "a1-b1+a1": 0.3, "c3-b2+c3": 0.1 };
const ways = Object.keys(LOSS).map(readTurn);
const lossOf = new Map(Object.entries(LOSS));
const bySpace = (from, steps, kind) => Object.fromEntries(lossBySpace(ways, lossOf, { from, steps }, kind));

test("before a click each worker and each destination has its least loss", () => {
  assert.deepEqual(bySpace(null, [], null), { a1: 0, a2: 0, b1: 0.3, c3: 0.1, b2: 0.1 });
});

test("a chosen worker has its destinations, then its builds", () => {
  assert.deepEqual(bySpace("a1", [], "-"), { a2: 0, b1: 0.3 });
  assert.deepEqual(bySpace("a1", [{ kind: "-", at: "a2" }], "+"), { a1: 0, b1: 0.2 });
  assert.deepEqual(bySpace("a1", [{ kind: "-", at: "a2" }], "^"), {});
});

// The marks of turns with these chances and scores, the best first.
const marks = scored => {
  const turns = scored.map(([chance, score], index) => ({ turn: `turn ${index}`, chance, score }));
  return [...lossesOf(turns).values()].map(lossMark);
};

test("a turn that loses no chance is best", () => {
  assert.deepEqual(marks([[0.6, "+1.20"], [0.598, "+1.19"], [0.59, "+1.10"], [0.2, "-2.00"]]), ["best", "best", "−1", "−40"]);
});

test("a turn that wins later or loses sooner than the best is good", () => {
  assert.deepEqual(marks([[1, "win in 1"], [1, "win in 1"], [1, "win in 5"], [0.999, "+9.00"], [0.9, "+4.00"], [0, "loss in 2"]]),
    ["best", "best", "good", "good", "−10", "−100"]);
  assert.deepEqual(marks([[0, "loss in 6"], [0, "loss in 6"], [0, "loss in 2"]]), ["best", "best", "good"]);
  assert.deepEqual([0, 0.005, 0.2].map(lossWords), ["best", "good", "loses 20%"]);
});

test("a turn that was not compared has no loss", () => {
  assert.equal(lossBySpace([readTurn("d4-d5+d4")], lossOf, { from: null, steps: [] }, null).size, 0);
});

test("a position is passed to the other player with its card", () => {
  assert.equal(passed("00000/00010 b3d3 c2c4 1"), "00000/00010 c2c4 b3d3 2");
  assert.equal(passed("00000 b3d3 c2c4 1 Pan Atlas"), "00000 c2c4 b3d3 2 Atlas Pan");
});

test("a line is walked turn by turn until a win", () => {
  const scene = { levels: [[0, 0, 0], [0, 3, 0], [0, 0, 2]], workers: [[[0, 0]], [[2, 2]]], mover: 0, last: null };
  const after = sceneAfterTurn(scene, "a1-a2+b1", null);
  assert.deepEqual([after.workers[0], after.levels[0], after.mover], [[[1, 0]], [0, 1, 0], 1]);
  const won = sceneAfterTurn(after, "c3-b2#", null);
  assert.deepEqual([won.workers[1], won.mover], [[[1, 1]], null]);
});

test("a space has the chance of the best placement with it", () => {
  const list = [
    { squares: ["c2", "c3"], chance: 0.6 }, { squares: ["b2", "c2"], chance: 0.5 }, { squares: ["a1", "b2"], chance: 0.3 },
  ];
  assert.deepEqual(Object.fromEntries(chanceBySpace(list, [])), { c2: 0.6, c3: 0.6, b2: 0.5, a1: 0.3 });
  assert.deepEqual(Object.fromEntries(chanceBySpace(list, ["b2"])), { c2: 0.5, a1: 0.3 });
  assert.deepEqual(fitting(list, ["c3", "c2"]), [list[0]]);
});
