const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

// A storage like a browser's: its own keys are those that were set.
const newStorage = () => {
  const methods = {
    getItem: key => values[key] ?? null,
    setItem: (key, value) => { values[key] = String(value); },
    removeItem: key => { delete values[key]; },
  };
  const values = Object.create(Object.create(null, Object.fromEntries(
    Object.entries(methods).map(([name, value]) => [name, { value, writable: true }]))));
  return values;
};

const offered = () => ({
  sizes: [5, 6], levels: [{ level: 1 }, { level: 2 }], programs: ["./mine"],
  cards: [{ name: "Apollo" }, { name: "Pan" }],
});

// The scripts in a tab of a browser, and what it stores and says.
const said = [];
const state = { thinking: null };
const open = window => load(["storage", "steps", "tree", "games"],
  "storage, isCards, isPlaced, seatsThere, tree, games", { window, offered, state, counted: turns => `${turns} turns`, seatNames: () => ["Red", "Violet"], say: text => said.push(text) });

test("a value is kept, and a broken one counts as missing", () => {
  const window = { localStorage: newStorage(), sessionStorage: newStorage() };
  const { storage } = open(window);
  storage.set("theme", "dark");
  assert.equal(storage.get("theme", "light"), "dark");
  assert.equal(storage.get("theme", "light", theme => theme === "light"), "light");
  window.localStorage.setItem("santorini.theme", "{");
  assert.equal(storage.get("theme", "light"), "light");
});

test("a page without storage works", () => {
  const window = { get localStorage() { throw new Error("not allowed"); } };
  const { storage } = open(window);
  storage.set("theme", "dark");
  storage.setOwn("game", 1);
  assert.equal(storage.get("theme", "light"), "light");
  assert.equal(storage.getOwn("game"), null);
});

test("a tab keeps its own game, a new one begins with the last", () => {
  const localStorage = newStorage();
  const [first, second] = [newStorage(), newStorage()];
  open({ localStorage, sessionStorage: first }).storage.setOwn("game", "of the first");
  const other = open({ localStorage, sessionStorage: second }).storage;
  assert.equal(other.getOwn("game"), "of the first");
  other.setOwn("game", "of the second");
  assert.equal(open({ localStorage, sessionStorage: first }).storage.getOwn("game"), "of the first");
  assert.equal(open({ localStorage, sessionStorage: newStorage() }).storage.getOwn("game"), "of the second");
});

test("cards are none, or two different known ones", () => {
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

// A game of these turns with its start, as the page holds it.
const play = ({ tree }, ...turns) => {
  const root = tree.root({ position: "start", winner: null });
  let node = root;
  for (const turn of turns) node = tree.add(node, turn, { winner: null });
  return root;
};
const written = ({ tree, games }, root, seats = []) => ({
  id: games.idOf(root), position: "start", tree: tree.write(root), seats, names: null, at: [],
});
const keep = (tab, root, seats) => tab.games.keep(root, () => written(tab, root, seats));
const lengths = ({ games }) => games.list().map(({ tree }) => tree.length - 1).sort();

test("a game that goes on takes the place of what it was", () => {
  const tab = open({ localStorage: newStorage() });
  const root = play(tab);
  keep(tab, root);
  assert.deepEqual(lengths(tab), []);
  tab.tree.add(root, "a", { winner: null });
  keep(tab, root);
  tab.tree.add(root.children[0], "b", { winner: 1 });
  keep(tab, root);
  assert.deepEqual(lengths(tab), [2]);
  assert.equal(tab.games.list()[0].winner, 1);
  // The same turns against another opponent are another game.
  keep(tab, play(tab, "a", "b", "c"), [{ kind: "friend" }]);
  assert.deepEqual(lengths(tab), [2, 3]);
  // Another page has it under another name and continues it.
  keep(tab, play(tab, "a", "b", "d"));
  assert.deepEqual(lengths(tab), [3, 3]);
});

test("a game that was only opened is kept once it changes", () => {
  const tab = open({ localStorage: newStorage() });
  const root = play(tab, "a", "b");
  tab.games.leaveOut(root);
  keep(tab, root);
  assert.deepEqual(lengths(tab), []);
  tab.tree.add(root.children[0], "c", {});
  keep(tab, root);
  assert.deepEqual(lengths(tab), [3]);
});

test("the length of a game is that of its main line", () => {
  const tab = open({ localStorage: newStorage() });
  const root = play(tab, "a", "b");
  tab.tree.add(tab.tree.add(root, "c", {}), "d", {});
  tab.tree.add(root.children[0], "e", {});
  keep(tab, root);
  assert.match(tab.games.title(tab.games.list()[0]), /not finished, 2 turns/);
});

test("two tabs that continue one game keep both", () => {
  const window = { localStorage: newStorage() };
  const [one, two] = [open(window), open(window)];
  const first = play(one, "a");
  keep(one, first);
  const second = play(two, "a");
  two.games.adopt(second, two.games.list()[0]);
  one.tree.add(first.children[0], "b", {});
  keep(one, first);
  two.tree.add(second.children[0], "c", {});
  keep(two, second);
  assert.deepEqual(lengths(one), [2, 2]);
  // Each continues its own game.
  one.tree.add(first.children[0].children[0], "d", {});
  keep(one, first);
  assert.deepEqual(lengths(two), [2, 3]);
});

test("one tab that continues a game twice keeps both", () => {
  const tab = open({ localStorage: newStorage() });
  const first = play(tab, "a");
  keep(tab, first);
  const again = play(tab, "a");
  tab.games.adopt(again, tab.games.list()[0]);
  tab.tree.add(again, "variation", {});
  keep(tab, again);
  // Back to the game as it was on the board before.
  keep(tab, first);
  assert.deepEqual(lengths(tab), [2]);
  tab.tree.add(first.children[0], "b", {});
  keep(tab, first);
  assert.deepEqual(lengths(tab), [2, 2]);
});

test("turns that are deleted stay in a copy, and the game keeps its key", () => {
  const tab = open({ localStorage: newStorage() });
  const root = play(tab, "a", "b");
  keep(tab, root);
  const id = tab.games.idOf(root);
  tab.games.copy(root, () => assert.fail("the game is stored"));
  const [node] = root.children[0].children.splice(0);
  keep(tab, root);
  assert.deepEqual(lengths(tab), [1, 2]);
  assert.equal(tab.games.find(id).tree.length, 2);
  root.children[0].children.push(node);
  keep(tab, root);
  assert.deepEqual(lengths(tab), [2]);
});

test("an opened game is copied before turns are deleted from it", () => {
  const tab = open({ localStorage: newStorage() });
  const root = play(tab, "a", "b");
  tab.games.leaveOut(root);
  tab.games.copy(root, () => written(tab, root));
  root.children[0].children.splice(0);
  keep(tab, root);
  assert.deepEqual(lengths(tab), [1, 2]);
});

test("a deleted game stays away until it changes, or is restored", () => {
  const tab = open({ localStorage: newStorage() });
  const root = play(tab, "a");
  keep(tab, root);
  const [game] = tab.games.list();
  tab.games.remove(game);
  keep(tab, root);
  assert.deepEqual(lengths(tab), []);
  tab.games.restore(game);
  assert.deepEqual(lengths(tab), [1]);
  tab.games.remove(game);
  tab.tree.add(root.children[0], "b", {});
  keep(tab, root);
  assert.deepEqual(lengths(tab), [2]);
});

test("a game that another tab has continued is not restored over it", () => {
  const window = { localStorage: newStorage() };
  const [one, two] = [open(window), open(window)];
  const root = play(one, "a", "b");
  keep(one, root);
  const [game] = one.games.list();
  const other = play(two, "a", "b");
  two.games.adopt(other, game);
  one.games.remove(game);
  two.tree.add(other.children[0].children[0], "c", {});
  keep(two, other);
  one.games.restore(game);
  assert.deepEqual(lengths(one), [3]);
  // A game that went another way is kept beside it.
  one.games.remove(one.games.list()[0]);
  other.children[0].children[0].children = [];
  two.tree.add(other.children[0], "d", {});
  other.children[0].children.shift();
  keep(two, other);
  one.games.restore(game);
  assert.deepEqual(lengths(one), [2, 2]);
});

test("a position with a comment is kept, one without is not", () => {
  const tab = open({ localStorage: newStorage() });
  const root = play(tab);
  root.comment = "even";
  keep(tab, root);
  assert.deepEqual(lengths(tab), [0]);
});

test("a resigned game is kept with its winner", () => {
  const tab = open({ localStorage: newStorage() });
  const root = play(tab, "a");
  keep(tab, root);
  const [end] = root.children;
  tab.games.resign(root, end, 1);
  keep(tab, root);
  assert.match(tab.games.title(tab.games.list()[0]), /^Red – Violet: Violet won, 1 turns/);
  // It is over when it is opened again, unless another line is played.
  const again = play(tab, "a");
  tab.games.adopt(again, tab.games.list()[0]);
  assert.equal(tab.games.winnerByResignation(again.children[0]), 1);
  again.comment = "a pity";
  keep(tab, again);
  assert.equal(tab.games.list()[0].winner, 1);
  tab.tree.promote(tab.tree.add(again, "b", { winner: null }));
  keep(tab, again);
  assert.equal(tab.games.list()[0].winner, null);
});

test("a game that is too long is not kept, which is said once", () => {
  const tab = open({ localStorage: newStorage() });
  const root = play(tab, "a");
  for (const letters of [250_000, 260_000]) {
    root.comment = "x".repeat(letters);
    keep(tab, root);
  }
  assert.deepEqual(lengths(tab), []);
  assert.deepEqual(said.splice(0), ["This game is now too long for the browser to save. Share can save it as a file."]);
});

test("without storage games are not saved, which is said once for each", () => {
  const tab = open({ get localStorage() { throw new Error("not allowed"); } });
  assert.equal(tab.games.trouble(), "The storage of this browser is full or blocked, so games are not saved.");
  const root = play(tab, "a");
  // The reply of the player that thinks would replace the words.
  state.thinking = { seat: 1 };
  keep(tab, root);
  assert.deepEqual(said, []);
  state.thinking = null;
  tab.tree.add(root.children[0], "b", { winner: null });
  keep(tab, root);
  tab.tree.add(root.children[0].children[0], "c", { winner: null });
  keep(tab, root);
  const trouble = "The storage of this browser is full or blocked, so this game is not saved.";
  assert.equal(tab.games.trouble(), trouble);
  assert.deepEqual(said.splice(0), [`${trouble} Share can save it as a file.`]);
});

test("the oldest games make way", () => {
  const window = { localStorage: newStorage() };
  const tab = open(window);
  for (let id = 0; id < tab.games.MOST + 5; id += 1) keep(tab, play(tab, `z${id}`));
  assert.equal(tab.games.list().length, tab.games.MOST);
  assert.deepEqual(said, []);
  // A storage that is full.
  const { setItem } = window.localStorage;
  window.localStorage.setItem = (key, value) => {
    if (Object.keys(window.localStorage).length > 100) throw new Error("full");
    setItem(key, value);
  };
  const last = play(tab, "last");
  keep(tab, last);
  assert.ok(tab.games.find(tab.games.idOf(last)));
  assert.match(said.splice(0).join(), /^The storage of this browser is full, so your \d+ oldest saved games were deleted\.$/);
  assert.equal(tab.games.trouble(), "");
  // They stay if the game has no room without them either.
  const before = lengths(tab).length;
  window.localStorage.setItem = (key, value) => {
    if (value.includes("huge")) throw new Error("full");
    setItem(key, value);
  };
  keep(tab, play(tab, "huge"));
  assert.equal(lengths(tab).length, before);
  assert.match(said.splice(0).join(), /so this game is not saved/);
});

test("the list of an earlier version is taken over", () => {
  const window = { localStorage: newStorage() };
  const tab = open(window);
  const tree = [{}, { after: 0, turn: "a" }];
  tab.storage.set("earlier", [{ id: 5, position: "start", tree, at: [], when: 3, seats: [], names: ["Ann", "Bob"] }, null]);
  tab.games.upgrade();
  assert.match(tab.games.title(tab.games.find(5)), /^Ann – Bob: not finished, 1 turns/);
  assert.equal(tab.storage.get("earlier", "gone"), "gone");
});
