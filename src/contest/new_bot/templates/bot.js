#!/usr/bin/env node
// A bot for the Santorini server: it wins if it can, and otherwise plays any legal turn (santorini help protocol).
//   node bot.js HOST PORT NAME
"use strict";

const [host, port, name] = process.argv.slice(2);
if (name === undefined) {
  console.error("usage: node bot.js HOST PORT NAME");
  process.exit(1);
}
const SPACES = [0, 1, 2, 3, 4, 5].flatMap(x => [0, 1, 2, 3, 4, 5].map(y => [x, y]));
const same = (a, b) => a[0] === b[0] && a[1] === b[1];
const near = a => SPACES.filter(b =>
  !same(a, b) && Math.abs(a[0] - b[0]) < 2 && Math.abs(a[1] - b[1]) < 2);
const any = list => list[Math.floor(Math.random() * list.length)];
const pairs = ([x, y, ...more]) => (x === undefined ? [] : [[x, y], ...pairs(more)]);

let moved = 1; // the worker that moved last, which is the one that builds
let over = false;

// The answer to a state that names this bot.
function answer(status, floors, mine, workers) {
  const floor = ([x, y]) => floors[y][x];
  const free = space => !workers.some(worker => same(worker, space));
  if (status === "placeWorker") return any(SPACES.filter(free));
  if (status === "build") {
    return any(near(mine[moved - 1]).filter(space => free(space) && floor(space) < 4));
  }
  const moves = mine.flatMap((worker, index) => near(worker)
    .filter(space => free(space) && floor(space) <= Math.min(floor(worker) + 1, 3))
    .map(space => [index + 1, ...space]));
  const move = moves.find(([, x, y]) => floor([x, y]) === 3) ?? any(moves);
  moved = move[0];
  return move;
}

const server = require("node:net").connect(Number(port), host);
server.setNoDelay(true);
server.write(name + "\n");
server.on("close", () => {
  if (over) return;
  console.error("the connection ended before the final table");
  process.exitCode = 1;
});
const lines = require("node:readline").createInterface({ input: server });
lines.on("error", error => console.error(error.message));
lines.on("line", line => {
  const message = JSON.parse(line);
  if (typeof message === "string") { // a remark to people
    console.log(message);
    over = message.startsWith("final table: ");
    return;
  }
  const [status, turn, floors, ...bots] = message;
  if (turn !== name || status === "gameOver") return;
  const mine = pairs(bots.find(([bot]) => bot === name)[1]);
  const workers = bots.flatMap(([, numbers]) => pairs(numbers));
  server.write(answer(status, floors, mine, workers).join(" ") + "\n");
});
