#!/usr/bin/env node
// A player for Santorini: it wins if it can, and otherwise plays any legal turn (santorini help rules).
"use strict";

const SPACES = [1, 2, 3, 4, 5].flatMap(row => [1, 2, 3, 4, 5].map(column => [row, column]));
const same = (a, b) => a[0] === b[0] && a[1] === b[1];
const holds = (spaces, space) => spaces.some(other => same(other, space));
const near = a => SPACES.filter(b =>
  !same(a, b) && Math.abs(a[0] - b[0]) < 2 && Math.abs(a[1] - b[1]) < 2);
const any = list => list[Math.floor(Math.random() * list.length)];

// Each legal turn: whether it wins, and the board after it.
function turns(board) {
  const [mine, theirs] = board.players;
  const level = ([row, column]) => board.spaces[row - 1][column - 1];
  const found = [];
  for (const old of mine) {
    for (const space of near(old)) {
      if (holds([...mine, ...theirs], space)) continue;
      if (level(space) > Math.min(level(old) + 1, 3)) continue;
      const workers = mine.map(worker => (same(worker, old) ? space : worker));
      const after = { players: [theirs, workers], spaces: board.spaces, turn: board.turn + 1 };
      if (level(space) === 3) {
        found.push({ wins: true, after });
        continue;
      }
      for (const [row, column] of near(space)) {
        if (level([row, column]) > 3 || holds([...workers, ...theirs], [row, column])) continue;
        const built = structuredClone(after);
        built.spaces[row - 1][column - 1] += 1;
        found.push({ wins: false, after: built });
      }
    }
  }
  return found;
}

function answer(question) {
  if (Array.isArray(question)) { // place both workers
    const free = SPACES.filter(space => !holds(question.flat(), space));
    const first = any(free);
    return [...question, [first, any(free.filter(space => !same(space, first)))]];
  }
  const found = turns(question);
  return (found.find(turn => turn.wins) ?? any(found)).after;
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", line => console.log(JSON.stringify(answer(JSON.parse(line)))));
