// The exercises of the guide: first the steps of a game, then one for each god card. The list
// is JSON, so that tests can read it. Red is to move in each position. A turn that contains
// all texts of `goal` is right. Any other turn is answered by `threat`, if there is one.
/** @type {Exercise[]} */
const EXERCISES = [
  {
    "id": "move", "title": "Move",
    "position": "00000/00000/00000/00000/00000 b2d4 d2b4 0",
    "task": "Move a red worker to c3: choose the worker, then the space. Every turn ends with a build; choose any space for it.",
    "goal": ["-c3"],
    "done": "Well done. A turn is a move to one of the spaces around the worker, and then a build."
  },
  {
    "id": "climb", "title": "Climb",
    "position": "00000/00000/00120/00000/10000 b2e1 b5d5 4",
    "task": "Climb from b2 up to c3, then build anywhere. A step up is one level at most, so d3 is still too high.",
    "goal": ["b2-c3"],
    "done": "You are on level 1. From there a worker reaches level 2, and it may step down as far as it likes."
  },
  {
    "id": "build", "title": "Build",
    "position": "00000/00000/00120/00000/10000 c3e1 b5d5 4",
    "task": "Build level 3 on d3: move a worker so that it stands beside d3, then build there.",
    "goal": ["+d3"],
    "done": "A tower has three levels at most. The next build on it is a dome, and no worker can stand on a dome."
  },
  {
    "id": "block", "title": "Block",
    "position": "01000/00000/00020/00003/00000 c5b2 d3a1 6",
    "task": "Violet stands on level 2 and is about to step up to level 3 on e4. Stop it: put a dome on e4.",
    "goal": ["+e4"], "threat": "d3-e4#",
    "missed": "Violet stepped up to level 3 and won. A dome on e4 stops that.",
    "done": "Blocked! A dome closes a tower for the rest of the game."
  },
  {
    "id": "win", "title": "Win",
    "position": "00001/00000/00200/00300/00000 c3b5 a1e4 6",
    "task": "Your worker on c3 stands on level 2. Step up to level 3 and win.",
    "goal": ["c3-c4#"],
    "done": "You win! A step up to level 3 ends the game at once, without a build."
  },
  {
    "id": "stuck", "title": "No turn left",
    "position": "00100/22200/00000/00000/00001 e2d5 a1b1 8",
    "task": "Violet can still go to c1, and nowhere else: all other spaces are too high. Build on c1.",
    "goal": ["+c1"],
    "done": "Violet has no turn left and loses. The same happens to you if you cannot move and build."
  },
  {
    "id": "Apollo", "title": "Apollo", "card": "Apollo",
    "position": "00000/00000/00100/00000/10000 b2e5 c3d5 2 Apollo Pan",
    "task": "Change places with the violet worker on c3: move onto its space. Then build anywhere.",
    "goal": ["xc3"],
    "done": "The two workers have changed places."
  },
  {
    "id": "Artemis", "title": "Artemis", "card": "Artemis",
    "position": "00000/00000/00000/00000/00000 a1e5 b5d1 0 Artemis Pan",
    "task": "Get to c3 in one turn: move, press Move again, then move once more. Then build anywhere.",
    "goal": ["-c3+"],
    "done": "Two moves in one turn. The second one never leads back to where the worker began."
  },
  {
    "id": "Atlas", "title": "Atlas", "card": "Atlas",
    "position": "00000/00000/00100/00000/10000 b2e5 d5e1 2 Atlas Pan",
    "task": "Put a dome on c3, which has only one level: move beside it, then press Dome.",
    "goal": ["^c3"],
    "done": "That tower is closed, although it is low."
  },
  {
    "id": "Demeter", "title": "Demeter", "card": "Demeter",
    "position": "00000/00000/00000/00000/00000 b2e5 d5e1 0 Demeter Pan",
    "task": "Build on c1 and on c3 in one turn: move beside both of them first.",
    "goal": ["+c1", "+c3"],
    "done": "Two builds in one turn, on two spaces."
  },
  {
    "id": "Hephastus", "title": "Hephastus", "card": "Hephastus",
    "position": "00000/00000/00000/00000/00000 b2e5 d5e1 0 Hephastus Pan",
    "task": "Build twice on c3 in one turn: move beside it, then build there two times.",
    "goal": ["+c3+c3"],
    "done": "Two levels in one turn, on one space. The second one is never a dome."
  },
  {
    "id": "Minotaur", "title": "Minotaur", "card": "Minotaur",
    "position": "00000/00000/00000/00000/00000 b2e5 c3d1 0 Minotaur Pan",
    "task": "Push the violet worker off c3: move onto its space from b2. Then build anywhere.",
    "goal": ["b2xc3"],
    "done": "It was pushed straight on, to d4. That works only where the next space is free."
  },
  {
    "id": "Pan", "title": "Pan", "card": "Pan",
    "position": "00000/00000/00200/00000/00000 c3e5 a1d1 2 Pan Atlas",
    "task": "Win by a jump: step down from level 2 on c3 to the ground.",
    "goal": ["#"],
    "done": "You win! Stepping down two levels or more wins, too."
  },
  {
    "id": "Prometheus", "title": "Prometheus", "card": "Prometheus",
    "position": "00000/00000/00000/00000/00000 b2e5 d5e1 0 Prometheus Pan",
    "task": "Build before you move: choose the worker on b2, press Build first, and build. Then move it, and build again.",
    "goal": ["b2+"],
    "done": "Two builds in one turn. After building first, the worker must not move up."
  }
];
