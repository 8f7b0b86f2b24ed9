const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const { gameList, listed, listedTitle, isWanted } = load(["gamelist"], "gameList, listed, listedTitle, isWanted",
  { counted: turns => `${turns} turns` });

const isGame = value => Array.isArray(value?.turns);
const game = (number, players, winner, turns, cards) =>
  ({ game: number, players, winner, turns: Array(turns).fill("a1-a2+a1"), cards });
const index = lines => gameList.index(new Blob([lines.join("\n")]), isGame);

test("each game of a file is found by its bytes", async () => {
  const written = [game(0, ["Änn", "Bob"], 0, 3), game(1, ["Bob", "Änn"], null, 4)];
  const lines = [JSON.stringify(written[0]), "", JSON.stringify({ other: 1 }), JSON.stringify(written[1])];
  const { games } = await index(lines);
  assert.deepEqual(games.map(({ number, turns, winner }) => [number, turns, winner]), [[1, 3, 0], [2, 4, null]]);
  const file = new Blob([lines.join("\n")]);
  for (const [place, { start, end }] of games.entries()) {
    assert.deepEqual(JSON.parse(await file.slice(start, end).text()), JSON.parse(JSON.stringify(written[place])));
  }
});

test("games are in the order of their numbers", async () => {
  const lines = [0, 2, 1].map(number => JSON.stringify(game(number, ["Ann", "Bob"], 0, 3)));
  const { games } = await index(lines);
  assert.deepEqual(games.map(({ number }) => number), [1, 2, 3]);
  assert.equal(JSON.parse(await new Blob([lines.join("\n")]).slice(games[1].start, games[1].end).text()).game, 1);
});

test("lines longer than one read of a file are whole", async () => {
  const long = { ...game(0, ["Ann", "Bob"], 1, 2), comment: "x".repeat(300_000) };
  const { games } = await index([JSON.stringify(long), JSON.stringify(long)]);
  assert.equal(games.length, 2);
});

test("a broken last line is left out, another one is named", async () => {
  const line = JSON.stringify(game(0, ["Ann", "Bob"], 1, 2));
  assert.equal((await index([line, line.slice(0, 20)])).games.length, 1);
  await assert.rejects(index([line, line.slice(0, 20), line]), { message: "Line 2 is not JSON. A file of games has one game on each line." });
  await assert.rejects(index(["nonsense"]), { message: "Line 1 is not JSON. A file of games has one game on each line." });
});

test("boards without games are kept as boards", async () => {
  const { games, boards } = await index([JSON.stringify({ spaces: [] }), JSON.stringify({ spaces: [] })]);
  assert.deepEqual([games.length, boards.length], [0, 2]);
});

test("a title tells how a game ended, where that is known", () => {
  const title = game => listedTitle(listed(game, 0)).split(": ")[1];
  const names = ["Ann", "Bob"];
  for (const [written, words] of [
    [{ ...game(0, names, 1, 3), ending: "win" }, "Ann – Bob, 3 turns, Bob wins"],
    [{ ...game(0, names, null, 3), ending: "interrupted" }, "Ann – Bob, 3 turns, not finished"],
    [{ ...game(0, names, null, 3), ending: "draw" }, "Ann – Bob, 3 turns, drawn"],
    [{ boards: [{}, {}, {}] }, "First player – Second player, 2 turns"],
    [game(0, ["", "Bob"], 0, 3), "First player – Bob, 3 turns, First player wins"],
  ]) {
    assert.equal(title(written), words);
  }
});

test("games are searched by words, winner and length", () => {
  const one = listed(game(4, ["Ann", "Bob"], 1, 30, ["Pan", "Atlas"]), 0);
  assert.equal(listedTitle(one), "Game 5: Ann – Bob (Pan against Atlas), 30 turns, Bob wins");
  const any = { words: "", winner: "", least: NaN, most: NaN };
  for (const [wanted, is] of [
    [{}, true], [{ words: "bob  ANN" }, true], [{ words: "pan" }, true], [{ words: "cleo" }, false],
    [{ words: "game" }, false], [{ words: "5" }, false], [{ words: "30" }, false], [{ words: "wins" }, false],
    [{ winner: "Bob" }, true], [{ winner: "Ann" }, false], [{ winner: "-" }, false],
    [{ least: 30, most: 30 }, true], [{ least: 31 }, false], [{ most: 29 }, false],
  ]) {
    assert.equal(isWanted(one, { ...any, ...wanted }), is, JSON.stringify(wanted));
  }
  assert.equal(isWanted({ ...one, winner: null }, { ...any, winner: "-" }), true);
});
