const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { load } = require("./load");

// The scripts with a game of three turns by links, in which the person here is the first player;
// and what the page says.
let page, said, linked;
beforeEach(() => {
  said = [];
  page = load(["steps", "tree", "state", "play", "friend"], "state, tree, friend, takeGame", {
    say: text => said.push(text),
    links: { read: async () => ({ nodes: linked }) },
    games: { idOf: () => 7, isId: Number.isInteger },
    undo: { shownNow: () => {} },
    live: { isOver: () => false, winner: () => null },
    rematch: { ended: () => "" },
  });
  page.state.hello = { levels: [] };
  page.takeGame(page.tree.read(line("a1-a2+a3", "e1-e2+e3", "a2-b2+c2")), { seats: [{ kind: "person" }, { kind: "friend" }] });
});

const view = turn => ({
  position: `board ${turn}`, turns: [], winner: null, cards: null,
  scene: { levels: Array.from({ length: 5 }, () => Array(5).fill(0)), workers: [[], []], mover: turn % 2, turn, last: null },
});
// The answer of the program for a game of these turns.
const line = (...turns) => [view(0), ...turns.map((turn, after) => ({ ...view(after + 1), after, turn }))];

// Opens a link with these turns. Returns the turns of the main line.
const open = async (...turns) => {
  linked = line(...turns);
  await page.friend.open({ friend: { seat: 0, id: 7 }, turns });
  const { state, tree } = page;
  assert.equal(state.node, tree.end(state.root));
  return tree.turns(state.node);
};

test("a link adds the friend's turn", async () => {
  assert.equal((await open("a1-a2+a3", "e1-e2+e3", "a2-b2+c2", "e2-d2+c2")).length, 4);
  assert.equal(said.at(-1), "Friend moves from e2 to d2, builds level 1 on c2. Your turn.");
});

test("a link with another turn of this player is a variation", async () => {
  assert.deepEqual(await open("a1-b1+c1", "e1-d1+d2"), ["a1-a2+a3", "e1-e2+e3", "a2-b2+c2"]);
  assert.equal(said.at(-1),
    "Turn 1 of this link is a1-b1+c1, but you played a1-a2+a3. Your game stays; the line of the link is a variation.");
  assert.equal(page.state.root.children[1].children[0].turn, "e1-d1+d2");
});

test("a link with another turn of the friend is a variation once it was answered", async () => {
  assert.equal((await open("a1-a2+a3", "e1-d1+d2")).length, 3);
  assert.match(said.at(-1), /^Turn 2 of this link is e1-d1\+d2, but your friend played e1-e2\+e3\./);
});

test("the friend can take back the last turn, which is said", async () => {
  await open("a1-a2+a3", "e1-e2+e3", "a2-b2+c2", "e2-d2+c2");
  assert.deepEqual((await open("a1-a2+a3", "e1-e2+e3", "a2-b2+c2", "e2-d1+c1")).at(-1), "e2-d1+c1");
  assert.equal(said.at(-1), "Friend took back e2-d2+c2. Friend moves from e2 to d1, builds level 1 on c1. Your turn.");
});

test("the link of this page changes nothing on it", async () => {
  const { state, friend } = page;
  const { root, seats } = state;
  linked = line("a1-a2+a3");
  await friend.open({ friend: { seat: 1, id: 7 }, turns: ["a1-a2+a3"] });
  assert.deepEqual([state.root, state.seats], [root, seats]);
  assert.match(said.at(-1), /^This link is for your friend/);
});

test("an earlier link adds nothing", async () => {
  assert.equal((await open("a1-a2+a3")).length, 3);
  assert.match(said.at(-1), /no turn that is new/);
});
