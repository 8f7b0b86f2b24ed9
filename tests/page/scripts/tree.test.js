const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { load } = require("./load");

const { tree } = load(["tree"], "tree");

// A game of two turns, `a` and `b`, with `c` instead of `b`, `d` after it, and `e` instead of `a`.
let root, a, b, c, d, e;
beforeEach(() => {
  root = tree.root({ position: "start" });
  const play = (parent, turn) => tree.add(parent, turn, { position: `after ${turn}` });
  a = play(root, "a");
  b = play(a, "b");
  c = play(a, "c");
  d = play(c, "d");
  e = play(root, "e");
});

const turns = nodes => nodes.map(({ turn }) => turn);

test("a turn that was played before leads to the same board", () => {
  assert.equal(tree.add(a, "c", { position: "another" }), c);
  assert.equal(c.view.position, "after c");
  assert.deepEqual(turns(a.children), ["b", "c"]);
});

test("a path leads from the start, the main line goes on from a board", () => {
  assert.deepEqual([tree.turns(d), tree.turns(root)], [["a", "c", "d"], []]);
  assert.deepEqual([tree.after(root), tree.after(c), tree.after(d)], [[a, b], [d], []]);
  assert.deepEqual([tree.end(root), tree.end(d)], [b, d]);
  assert.deepEqual([tree.line(root), tree.line(b), tree.line(c)], [[root, a, b], [root, a, b], [root, a, c, d]]);
  assert.deepEqual([root, a, b, c, d, e].map(tree.isMain), [true, true, true, false, false, false]);
});

test("a variation becomes the main line with all turns that lead to it", () => {
  tree.promote(d);
  assert.deepEqual(tree.after(root), [a, c, d]);
  tree.promote(e);
  assert.deepEqual(turns(root.children), ["e", "a"]);
  assert.deepEqual(turns(a.children), ["c", "b"]);
});

test("what is deleted is not in the tree, with all that follows", () => {
  assert.ok(tree.holds(root, d));
  tree.remove(c);
  assert.ok(tree.holds(root, b));
  assert.ok(!tree.holds(root, c) && !tree.holds(root, d));
  assert.ok(!tree.holds(tree.root({ position: "start" }), b));
});

test("a game has as many turns as the program opens", () => {
  const view = { position: "more" };
  for (let number = 5; number < 2000; number += 1) tree.add(root, `turn ${number}`, view);
  assert.throws(() => tree.add(d, "one more", view), /2000 turns with its variations, which is the maximum/);
  // A turn that was played before is no further one.
  assert.equal(tree.add(root, "e", view), e);
  assert.equal(tree.write(tree.read(tree.write(root))).length, 2001);
});

test("a tree is written with each turn behind the one that it follows", () => {
  c.comment = "better";
  assert.deepEqual(tree.write(root), [
    {}, { after: 0, turn: "a" }, { after: 1, turn: "b" }, { after: 1, turn: "c", comment: "better" },
    { after: 3, turn: "d" }, { after: 0, turn: "e" },
  ]);
});

test("a tree that is written and read is the same", () => {
  root.comment = "the start";
  tree.promote(c);
  const written = tree.write(root);
  // Like an answer of the program, with null for missing values.
  const again = tree.read(written.map(branch =>
    ({ after: null, turn: null, comment: null, ...branch, position: `after ${branch.turn}` })));
  assert.deepEqual(tree.write(again), written);
  assert.equal(again.children[0].view.position, "after a");
  assert.equal(again.parent, null);
});
