const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const { drawTwo } = load(["random"], "drawTwo");

test("each pair is drawn by as many random numbers, and the items stay", () => {
  const items = ["Apollo", "Atlas", "Pan"];
  const count = new Map();
  // Each pair of the middles of sixths.
  for (let first = 1; first < 12; first += 2) {
    for (let second = 1; second < 12; second += 2) {
      const numbers = [first / 12, second / 12];
      const pair = drawTwo(items, () => numbers.shift()).join();
      count.set(pair, (count.get(pair) ?? 0) + 1);
    }
  }
  assert.deepEqual([...count.values()], Array(6).fill(6));
  assert.ok([...count.keys()].every(pair => new Set(pair.split(",")).size === 2));
  assert.deepEqual(items, ["Apollo", "Atlas", "Pan"]);
});
