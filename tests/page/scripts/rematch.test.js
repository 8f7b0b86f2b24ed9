const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const person = { kind: "person" };
/** @type {(level: number) => object} */
const level = number => ({ kind: "level", level: number });

// The script in a browser with storage and three levels; `games` are the games begun.
const open = (seats, values = new Map()) => {
  const games = [];
  let ids = 0;
  const state = { mode: "play", seats, size: 5, root: null, node: null, cards: null };
  const { rematch } = load(["rematch"], "rematch", {
    state,
    view: () => state.node?.view ?? null,
    offered: () => ({ levels: [1, 2, 3].map(level => ({ level })) }),
    storage: {
      get: (key, otherwise, isRight) => isRight(values.get(key)) ? values.get(key) : otherwise,
      set: (key, value) => values.set(key, value),
    },
    button: (text, act, more) => ({ text, act, isStrong: more?.class === "strong" }),
    beginChosen: game => games.push(game),
    games: { idOf: root => root.id },
  });
  // Ends a new game.
  const end = (winner, cards = null) => {
    // An opened game has its cards only where it was looked at.
    state.root = { id: ++ids, view: {} };
    state.node = { view: { winner, cards } };
    return rematch.ended(state.node);
  };
  const choices = () => rematch.choices().map(({ text, isStrong }) => isStrong ? `*${text}` : text);
  const press = text => rematch.choices().find(choice => choice.text === text).act();
  return { state, values, games, end, choices, press, rematch };
};

test("two losses in a row offer the level below, two wins the level above", () => {
  const { state, end, choices } = open([person, level(2)]);
  assert.equal(end(1), "");
  assert.deepEqual(choices(), ["*Again", "Other side", "Easier: level 1"]);
  assert.match(end(1), /level 1 is easier/);
  assert.deepEqual(choices(), ["Again", "Other side", "*Easier: level 1"]);
  assert.equal(end(0), "");
  assert.deepEqual(choices(), ["*Again", "Other side", "Harder: level 3"]);
  assert.match(end(0), /try level 3/);
  assert.deepEqual(choices(), ["Again", "Other side", "*Harder: level 3"]);
  // Another level starts counting again.
  state.seats = [level(3), person];
  assert.equal(end(1), "");
  assert.deepEqual(choices(), ["*Again", "Other side"]);
  // There is no level above the highest.
  assert.equal(end(1), "");
  // After a loss there is no level below the lowest, and none above it is offered.
  state.seats = [person, level(1)];
  assert.equal(end(1), "");
  assert.deepEqual(choices(), ["*Again", "Other side"]);
});

test("a game counts once, and only one of a person against a level", () => {
  const { state, values, end, rematch, choices } = open([person, level(2)]);
  end(1);
  rematch.ended({ view: { winner: 1 } });
  rematch.ended({ view: { winner: null } });
  assert.deepEqual(values.get("streak"), { level: 2, isWon: false, games: [1] });
  // The first game of the page after a reload is the same one.
  assert.equal(open([person, level(2)], values).end(1), "");
  assert.deepEqual(values.get("streak"), { level: 2, isWon: false, games: [1] });
  state.mode = "puzzle";
  assert.equal(end(1), "");
  state.mode = "play";
  state.seats = [person, person];
  assert.equal(end(1), "");
  assert.deepEqual(choices(), []);
  assert.equal(values.get("streak").games.length, 1);
});

test("what was kept may be broken", () => {
  const { values, end } = open([person, level(2)]);
  values.set("streak", { level: 2, isWon: "yes", games: [8, 9] });
  assert.equal(end(1), "");
});

test("the sides change with their cards", () => {
  const { games, end, press } = open([person, level(1)]);
  end(0, ["Pan", "Atlas"]);
  press("Other side");
  press("Again");
  press("Harder: level 2");
  const cards = ["Pan", "Atlas"];
  assert.deepEqual(games, [
    { seats: [level(1), person], size: 5, cards: ["Atlas", "Pan"] },
    { seats: [person, level(1)], size: 5, cards },
    { seats: [person, level(2)], size: 5, cards },
  ]);
});
