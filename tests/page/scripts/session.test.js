const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { load } = require("./load");

// What the tab stores, and the scripts with a program that opens no game.
let stored, page;
beforeEach(() => {
  stored = {};
  page = load(["steps", "tree", "state", "session"], "state, session, offered", {
    storage: { getOwn: key => stored[key] ?? null, setOwn: (key, value) => { stored[key] = value; } },
    isSize: size => size === 5, isCards: () => true, isPlaced: () => true, seatsThere: seats => seats,
    puzzles: { now: () => null },
    setup: { now: () => null },
    games: { isGame: game => game !== null },
    lesson: { playBoth: () => {} },
    say: () => {},
    placingWords: () => "", standing: () => "", allStand: () => false, letOthersPlay: () => {},
    client: { ask: async () => { throw new Error("2100 turns"); } },
  });
  page.state.hello = { levels: [] };
});

test("a new game is resumed as soon as a worker of either player stands", async () => {
  const { state, session } = page;
  const seats = state.seats = [{ kind: "level", level: 1 }, { kind: "person" }];
  session.save();
  assert.equal(stored.placing, null);
  state.placed = [["b2", "d4"], []];
  session.save();
  assert.deepEqual([stored.placing.seats, stored.placing.placed], [seats, [["b2", "d4"], []]]);
  Object.assign(state, { seats: [], placed: [[], []] });
  assert.ok(await session.restore());
  assert.deepEqual([state.seats, state.placed], [seats, [["b2", "d4"], []]]);
});

test("a game that cannot be resumed says why", async () => {
  assert.equal(await page.session.restore(), false);
  stored.game = { position: "start", tree: [{}], at: [] };
  await assert.rejects(page.session.restore(), { message: "2100 turns" });
});
