const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const view = {
  position: "start", turns: [], winner: null, cards: null,
  scene: { levels: Array.from({ length: 5 }, () => Array(5).fill(0)), workers: [[], []], mover: 0, turn: 0, last: null },
};
// The guide and the puzzles, with a program whose answers come when they are let through.
const open = () => {
  const waiting = [];
  const page = load(["steps", "tree", "state", "exercises", "guide", "puzzles"], "state, guide, puzzles", {
    client: { ask: question => new Promise(answer => waiting.push(() => answer(question.do === "puzzles"
      ? { puzzles: [{ id: 1, size: 5, position: "start", solution: "", turns: 1 }] } : view))) },
    storage: { get: (_, otherwise) => otherwise, getTab: () => null },
    isText: () => true,
    make: () => ({}),
    say: () => {}, sayError: error => { throw error; }, bringBoard: () => {},
    setup: { under: () => null },
    undo: { beforeLeavingSetup: () => {} },
    lesson: { players: () => page.state },
  });
  const answer = async () => {
    waiting.shift()();
    await new Promise(setImmediate);
  };
  return { ...page, answer };
};
const another = state => Object.assign(state, { placed: [["b2"], []] });

test("an exercise does not take the place of a game that was begun meanwhile", async () => {
  const { state, guide, answer } = open();
  guide.open();
  another(state);
  await answer();
  assert.equal(state.mode, "place");
  guide.open();
  await answer();
  assert.equal(state.mode, "guide");
});

test("a puzzle does not take the place of a game that was begun meanwhile", async () => {
  const { state, puzzles, answer } = open();
  puzzles.open();
  another(state);
  await answer();
  assert.equal(state.mode, "place");
  // The list is known by now.
  puzzles.open();
  await new Promise(setImmediate);
  another(state);
  await answer();
  assert.equal(state.mode, "place");
  puzzles.open();
  await new Promise(setImmediate);
  await answer();
  assert.equal(state.mode, "puzzle");
});
