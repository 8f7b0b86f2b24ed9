const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { load } = require("./load");

// What the page says, and the titles of the dialogs that it shows.
let said, titles, game, invite;
beforeEach(() => {
  [said, titles, game] = [[], [], null];
  const dialog = { open: false };
  ({ invite } = load(["invite"], "invite", {
    live: { now: () => game, isOn: () => true, ask: () => true },
    location: new URL("http://127.0.0.1:7575/?token=t"),
    $: () => dialog,
    make: (name, attributes, ...children) => children[0],
    button: words => words, copyField: label => label,
    fillDialog: (_, title) => titles.push(title), closingRow: () => null, showDialog: () => {},
    placingWords: () => "Place your two workers on free spaces.",
    say: text => said.push(text),
  }));
});
const see = invitation => {
  game = { host: { invitation, watch: "w", address: null } };
  invite.follow(game);
};

test("a new game shows its invitation", () => {
  invite.wanted();
  invite.follow(null);
  see("i");
  see("i");
  assert.deepEqual([titles, said], [["Invite to this game"], []]);
});

test("a new game with the friend of the last one says so", () => {
  invite.wanted();
  invite.follow(null);
  see(null);
  see(null);
  assert.equal(said.length, 1);
  assert.match(said[0], /^Your friend is still here/);
  // It shows no later invitation by itself.
  see("i");
  assert.deepEqual(titles, []);
});
