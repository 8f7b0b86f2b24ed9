const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const { spokenSeat, likely, chanceWords, scoreFor, whoseChances, judgementOf, reviewedChance, chancesAround } = load(
  ["chances"], "spokenSeat, likely, chanceWords, scoreFor, whoseChances, judgementOf, reviewedChance, chancesAround",
  { percent: chance => `${Math.round(chance * 100)}%`, colours: ["Red", "Violet"], counted: turns => `${turns} turns` });

const person = { kind: "person" };
const level = { kind: "level", level: 3 };

test("chances are those of the only person, else of the first player", () => {
  assert.equal(spokenSeat([level, person]), 1);
  assert.equal(spokenSeat([person, level]), 0);
  assert.equal(spokenSeat([person, person]), 0);
  assert.equal(whoseChances(1, "You"), "Chances are shown for you (violet).");
  assert.equal(whoseChances(0, "Red"), "Chances are shown for Red.");
  assert.equal(whoseChances(0, "Level 3"), "Chances are shown for Level 3 (red).");
});

test("only a proved end is certain", () => {
  assert.deepEqual([0.9999, 0.994, 0.5, 0.001].map(likely), [">99%", "99%", "50%", "<1%"]);
});

test("a line speaks for one seat, whoever is to move", () => {
  const line = { chance: 0.7, score: "+0.85" };
  assert.equal(chanceWords(line, 0, 0), "70%");
  assert.equal(chanceWords(line, 1, 0), "30%");
  assert.equal(scoreFor(line.score, 0, 0), "+0.85");
  assert.equal(scoreFor(line.score, 1, 0), "-0.85");
});

test("a proved end is told in turns of the winner", () => {
  const win = { chance: 1, score: "win in 5" };
  assert.equal(chanceWords(win, 0, 0), "wins in 3");
  assert.equal(chanceWords(win, 1, 0), "loses in 3");
  assert.equal(chanceWords({ chance: 0, score: "loss in 4" }, 1, 0), "wins in 2");
  assert.equal(scoreFor("win in 5", 0, 0), "");
});

test("losses are judged as reviews judge them", () => {
  assert.deepEqual([0.004, 0.005, 0.05, 0.1, 0.2].map(judgementOf), ["best", "good", "inaccuracy", "mistake", "blunder"]);
});

test("a review tells a proved end instead of 100%", () => {
  assert.equal(reviewedChance(0.63), "63%");
  assert.equal(reviewedChance(1, 3), "a win in 2 turns");
  assert.equal(reviewedChance(0, -4), "a loss in 2 turns");
});

test("a turn brings a proved end nearer by one ply", () => {
  /** @type {(best: number | undefined, played: number | undefined) => string[]} */
  const around = (best_plies, plies) => chancesAround({ chance_before: 0.7, chance_after: 0.4, best_plies, plies });
  assert.deepEqual(around(undefined, undefined), ["70%", "40%"]);
  assert.deepEqual(around(5, 5), ["a win in 3 turns", "a win in 2 turns"]);
  assert.deepEqual(around(-4, -4), ["a loss in 2 turns", "a loss in 2 turns"]);
  assert.deepEqual(around(1, 1), ["a win in 1 turns", "the game is won"]);
});
