#!/usr/bin/env node
// A player for Santorini with god cards: it wins if it can, and otherwise plays any legal turn.
// The rules, the cards and the JSON: santorini help rules
"use strict";

const SPACES = [...Array(25).keys()]; // row by row
const row = space => Math.floor(space / 5);
const NEAR = SPACES.map(a => SPACES.filter(b =>
  a !== b && Math.abs(row(a) - row(b)) < 2 && Math.abs(a % 5 - b % 5) < 2));
const spaceOf = token => 5 * token[0] + token[1] - 6;
const tokenOf = space => [row(space) + 1, space % 5 + 1];
const swapped = (list, old, now) => list.map(item => (item === old ? now : item));
const any = list => list[Math.floor(Math.random() * list.length)];

// A board: the card of the player to move, the spaces of both players' workers, all levels.
const taken = (board, space) => board.mine.includes(space) || board.theirs.includes(space);
const built = (board, space, level) =>
  ({ ...board, levels: board.levels.map((old, at) => (at === space ? level : old)) });

// Each new space of a worker, whether the move wins, and the board after it.
function* moves(board, old, climb = 1) {
  const { card, mine, theirs, levels } = board;
  for (const space of NEAR[old]) {
    if (mine.includes(space) || levels[space] > Math.min(levels[old] + climb, 3)) continue;
    let pushed = theirs;
    if (theirs.includes(space)) {
      const behind = 2 * space - old;
      const free = NEAR[space].includes(behind) && !taken(board, behind) && levels[behind] < 4;
      if (card === "Apollo") pushed = swapped(theirs, space, old);
      else if (card === "Minotaur" && free) pushed = swapped(theirs, space, behind);
      else continue;
    }
    const up = levels[space] - levels[old];
    const wins = (levels[space] === 3 && up > 0) || (card === "Pan" && up < -1);
    yield { space, wins, after: { ...board, mine: swapped(mine, old, space), theirs: pushed } };
  }
}

// Each space near a worker, and the board after one more level there.
function builds(board, worker) {
  const free = NEAR[worker].filter(space => !taken(board, space) && board.levels[space] < 4);
  return free.map(space => ({ space, after: built(board, space, board.levels[space] + 1) }));
}

// Each legal turn: whether it wins, and the board after it.
function* turns(board) {
  for (const old of board.mine) {
    const starts = [...moves(board, old)];
    if (board.card === "Artemis") {
      for (const { space, wins, after } of [...starts]) {
        if (!wins) starts.push(...[...moves(after, space)].filter(more => more.space !== old));
      }
    }
    if (board.card === "Prometheus") {
      for (const first of builds(board, old)) starts.push(...moves(first.after, old, 0));
    }
    for (const start of starts) {
      if (start.wins) yield start;
      for (const { space, after } of start.wins ? [] : builds(start.after, start.space)) {
        yield { after };
        const level = after.levels[space];
        if (board.card === "Atlas" && level < 4) yield { after: built(after, space, 4) };
        if (board.card === "Hephastus" && level < 3) yield { after: built(after, space, level + 1) };
        if (board.card === "Demeter") yield* builds(after, start.space).filter(more => more.space !== space);
      }
    }
  }
}

function answer(question) {
  if (Array.isArray(question)) { // place both workers
    const [me, other] = question;
    const free = SPACES.filter(space => !(other.tokens ?? []).map(spaceOf).includes(space));
    const first = any(free);
    const second = any(free.filter(space => space !== first));
    return [other, { card: me.card, tokens: [first, second].map(tokenOf) }];
  }
  const [me, other] = question.players;
  const [mine, theirs] = [me, other].map(player => player.tokens.map(spaceOf));
  const found = [...turns({ card: me.card, mine, theirs, levels: question.spaces.flat() })];
  const { after } = found.find(turn => turn.wins) ?? any(found);
  const players = [{ ...other, tokens: after.theirs.map(tokenOf) }, { ...me, tokens: after.mine.map(tokenOf) }];
  const spaces = [0, 5, 10, 15, 20].map(start => after.levels.slice(start, start + 5));
  return { players, spaces, turn: question.turn + 1 };
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", line => console.log(JSON.stringify(answer(JSON.parse(line)))));
