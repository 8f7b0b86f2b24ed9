const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { load } = require("./load");

// What the tab stores, and the scripts with a program that opens no game.
let stored, tab, page, ask, said, isLesson;
const reload = () => {
  page = load(["steps", "tree", "state", "session"], "state, tree, session, takeGame", {
    storage: {
      getOwn: key => stored[key] ?? null, setOwn: (key, value) => { stored[key] = value; },
      getTab: key => tab[key] ?? null, setTab: (key, value) => { tab[key] = value; },
    },
    isPair: () => false, isText: () => true,
    isSize: size => size === 5, isCards: () => true, isPlaced: placed => Array.isArray(placed), seatsThere: seats => seats,
    puzzles: { now: () => null },
    setup: { now: () => null },
    games: { isGame: game => game !== null, idOf: () => 7, find: () => ({}), keep: () => {}, adopt: () => {} },
    undo: { beforeGame: () => {} },
    live: { isOver: () => false },
    lesson: { playBoth: () => {}, players: () => page.state, isOn: () => isLesson },
    say: text => { said = text; },
    placingWords: () => "", standing: () => "", allStand: () => false, letOthersPlay: () => {},
    client: { ask: question => ask(question) },
  });
  page.state.hello = { levels: [] };
};
beforeEach(() => {
  [stored, tab, said, isLesson] = [{}, {}, "", false];
  ask = async () => { throw new Error("2100 turns"); };
  reload();
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

test("a resumed game knows where its workers were placed", async () => {
  const { state, tree, session, takeGame } = page;
  const [placed, cards] = [[["b2", "d4"], ["b4", "d2"]], ["Pan", "Atlas"]];
  const view = { position: "start", turns: [], winner: null, cards, scene: { levels: Array(5).fill([]), mover: 0, turn: 0 } };
  ask = async question => question.do === "record" ? { record: "{}" } : { nodes: [view] };
  takeGame(tree.root(view), { seats: state.seats });
  Object.assign(state, { placed, cards });
  session.save();
  Object.assign(state, { placed: [[], []], cards: null });
  assert.ok(await session.restore());
  assert.deepEqual([state.placed, state.cards], [placed, cards]);
  assert.match(said, /^Game resumed\./);
  // A lesson is not resumed.
  isLesson = true;
  session.save();
  isLesson = false;
  reload();
  assert.ok(await page.session.restore());
  assert.match(said, /^Reloading ended the lesson\./);
});

test("a game that cannot be resumed says why", async () => {
  assert.equal(await page.session.restore(), false);
  stored.game = { position: "start", tree: [{}], at: [] };
  await assert.rejects(page.session.restore(), { message: "2100 turns" });
});
