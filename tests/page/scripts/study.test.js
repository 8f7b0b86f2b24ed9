const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const { readTurn, sceneAfterTurn, lossBySpace, passed, chanceBySpace, fitting } = load(
  ["steps", "losses", "threat", "opening"],
  "readTurn, sceneAfterTurn, lossBySpace, passed, chanceBySpace, fitting",
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
