const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const storage = () => {
  const values = new Map();
  return { getItem: key => values.get(key) ?? null, setItem: (key, value) => values.set(key, value) };
};

const state = {
  desk: {
    sizes: [5, 6], levels: [{ level: 1 }, { level: 2 }], programs: ["./mine"],
    cards: [{ name: "Apollo" }, { name: "Pan" }],
  },
};

// The scripts as a tab of a browser has them, and what it keeps.
const open = window => load(["kept", "steps", "tree", "earlier"],
  "kept, isCards, isPlaced, seatsThere, earlier", { window, state, counted: turns => `${turns} turns`, seatNames: () => ["Red", "Violet"] });

test("a value is kept, and one that is broken is as if it was not there", () => {
  const window = { localStorage: storage(), sessionStorage: storage() };
  const { kept } = open(window);
  kept.set("theme", "dark");
  assert.equal(kept.get("theme", "light"), "dark");
  assert.equal(kept.get("theme", "light", theme => theme === "light"), "light");
  window.localStorage.setItem("santorini.theme", "{");
  assert.equal(kept.get("theme", "light"), "light");
});

test("a page without storage works", () => {
  const window = { get localStorage() { throw new Error("not allowed"); } };
  const { kept } = open(window);
  kept.set("theme", "dark");
  kept.setOwn("game", 1);
  assert.equal(kept.get("theme", "light"), "light");
  assert.equal(kept.getOwn("game"), null);
});

test("a tab keeps its own game, a new one begins with the last", () => {
  const localStorage = storage();
  const [first, second] = [storage(), storage()];
  open({ localStorage, sessionStorage: first }).kept.setOwn("game", "of the first");
  const other = open({ localStorage, sessionStorage: second }).kept;
  assert.equal(other.getOwn("game"), "of the first");
  other.setOwn("game", "of the second");
  assert.equal(open({ localStorage, sessionStorage: first }).kept.getOwn("game"), "of the first");
  assert.equal(open({ localStorage, sessionStorage: storage() }).kept.getOwn("game"), "of the second");
});

test("cards are none, or two different ones that there are", () => {
  const { isCards } = open({});
  for (const right of [null, ["Pan", "Apollo"]]) assert.ok(isCards(right));
  for (const wrong of [["Pan"], ["Pan", "Pan"], ["Pan", "Zeus"], "Pan", undefined]) assert.ok(!isCards(wrong));
});

test("workers stand on different spaces of the board, at most two of a player", () => {
  const { isPlaced } = open({});
  for (const right of [[[], []], [["a1", "e5"], ["c3"]]]) assert.ok(isPlaced(right, 5));
  for (const wrong of [[["a1", "a1"], []], [["a1"], ["a1"]], [["f1"], []], [["a6"], []], [["a1", "a2", "a3"], []], [[]], [[1], []]]) {
    assert.ok(!isPlaced(wrong, 5), JSON.stringify(wrong));
  }
});

test("a level or a program that is gone gives its seat to a person", () => {
  const { seatsThere } = open({});
  const person = { kind: "person" };
  assert.deepEqual(seatsThere([{ kind: "level", level: 3 }, { kind: "program", program: 1 }]), [person, person]);
  assert.deepEqual(seatsThere(null), [person, person]);
  const there = [{ kind: "level", level: 2 }, { kind: "program", program: 0 }];
  assert.deepEqual(seatsThere(there), there);
});

test("a game that goes on takes the place of itself among the earlier ones", () => {
  const { earlier } = open({ localStorage: storage(), sessionStorage: storage() });
  const game = (id, ...turns) => ({
    id, position: "start", at: [], seats: [], names: null,
    tree: [{}, ...turns.map((turn, index) => ({ after: index, turn }))],
  });
  const lengths = () => earlier.list().map(({ tree }) => tree.length - 1);
  earlier.add(game(1));
  assert.deepEqual(lengths(), []);
  earlier.add(game(1, "a"));
  earlier.add(game(1, "a", "b"));
  // As a page that was loaded again has it, with another name.
  earlier.add(game(2, "a", "b", "c"));
  assert.deepEqual(lengths(), [3]);
  earlier.add(game(3, "a", "b"));
  assert.deepEqual(lengths(), [3]);
  for (let id = 10; id < 40; id += 1) earlier.add(game(id, `z${id}`));
  assert.equal(lengths().length, 20);
  assert.equal(earlier.list()[0].id, 39);
});
