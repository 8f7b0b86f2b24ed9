const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const { changesOf, placeOf, nameOf } = load(["steps", "changes"], "changesOf, placeOf, nameOf");

const scene = (workers, heights = {}, size = 5) => {
  const levels = Array.from({ length: size }, () => Array(size).fill(0));
  for (const [name, level] of Object.entries(heights)) levels[placeOf(name)[0]][placeOf(name)[1]] = level;
  return { levels, workers: workers.map(names => names.map(placeOf)), mover: 0, last: null };
};
const words = changes => changes && [
  ...changes.moved.map(({ seat, from, to }) => `${seat} ${from ? nameOf(from) : "new"}-${nameOf(to)}`),
  ...changes.raised.map(at => `+${nameOf(at)}`),
].join(" ");
const between = (before, after) => words(changesOf(before, after));
const start = scene([["b2", "d4"], ["c4", "e5"]]);

test("a turn moves a worker and raises a tower", () => {
  assert.equal(between(start, scene([["b3", "d4"], ["c4", "e5"]])), "0 b2-b3");
  assert.equal(between(start, scene([["b3", "d4"], ["c4", "e5"]], { b2: 1 })), "0 b2-b3 +b2");
  assert.equal(between(start, scene([["b2", "d4"], ["c4", "e5"]], { a1: 1, a2: 4 })), "+a1 +a2");
});

test("a swap or a push moves a worker of each player", () => {
  const before = scene([["c3"], ["c4"]]);
  assert.equal(between(before, scene([["c4"], ["c3"]])), "0 c3-c4 1 c4-c3");
  assert.equal(between(before, scene([["c4"], ["c5"]])), "0 c3-c4 1 c4-c5");
});

test("a worker that is placed comes from nowhere", () => {
  assert.equal(between(scene([["b2"], []]), scene([["b2", "c3"], []])), "0 new-c3");
});

test("steps back, jumps and other boards show no change", () => {
  const late = scene([["b3", "d4"], ["c4", "e5"]], { b2: 1 });
  assert.equal(changesOf(late, start), null);
  assert.equal(changesOf(start, start), null);
  assert.equal(changesOf(null, start), null);
  assert.equal(changesOf(start, scene([["a1", "a2"], ["c4", "e5"]])), null);
  assert.equal(changesOf(start, scene([["b2", "d4"], ["c4", "e5"]], { a1: 1, a2: 1, a3: 1 })), null);
  assert.equal(changesOf(start, scene([["b2", "d4"], ["c4"]])), null);
  assert.equal(changesOf(start, scene([["b2", "d4"], ["c4", "e5"]], {}, 6)), null);
});
