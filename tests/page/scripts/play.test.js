const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { load } = require("./load");

// The scripts with a program that gives the answers in `answers`, and otherwise refuses every turn;
// its questions, and what the page says.
let page, asked, said, answers, isOpen, time;
beforeEach(() => {
  [asked, said, answers, isOpen, time] = [[], [], {}, true, 0];
  const ask = async question => {
    asked.push(question);
    return (answers[question.do] ?? (() => ({ illegal: "the reason" })))();
  };
  page = load(["steps", "tree", "state", "play"],
    "state, tree, takeGame, goTo, pressSpace, dropWorker, finishTurn, standing, playerOf, letOthersPlay, stopThinking, goBack, goForward, takeBack, whenConnected, refusalWords", {
      say: text => said.push(text),
      sayError: ({ message }) => said.push(message),
      pause: () => Promise.resolve(),
      performance: { now: () => time },
      client: { ask, isOpen: () => isOpen, study: question => ({ answer: ask(question), stop: () => {} }) },
      files: { isRecord: () => false },
      lesson: { isOn: () => false },
      rematch: { ended: () => "" },
      live: {
        isOn: () => false, isOver: () => false, winner: () => null, refusal: () => "", mayAct: () => true, takeBack: () => false,
      },
    });
  page.state.seats = [{ kind: "person" }, { kind: "person" }];
});

// A board on which the mover's worker on a1 has no turn.
const view = (turn, mover = turn % 2) => ({
  position: `board ${turn}`, turns: ["c3-c4+b4"], winner: mover === null ? 1 - turn % 2 : null, stuck: false, cards: null,
  scene: { levels: Array.from({ length: 5 }, () => Array(5).fill(0)), workers: [[[0, 0], [2, 2]], [[4, 4], [3, 3]]], mover, turn, last: null },
});
const begin = root => {
  page.state.hello = { levels: [] };
  page.takeGame(page.tree.root(root), { seats: page.state.seats });
};

test("a worker that cannot move is refused as a move", async () => {
  begin(view(0));
  page.pressSpace("a1");
  assert.deepEqual(said, ["This worker cannot move."]);
  await page.pressSpace("a2");
  assert.deepEqual(asked, [{ do: "explain", position: "board 0", turn: "a1-a2" }]);
  assert.equal(said.at(-1), "The reason.");
});

test("a refusal is not said once the turn has gone on", async () => {
  begin(view(0));
  page.pressSpace("c3");
  const refused = page.pressSpace("a2");
  page.pressSpace("c4");
  await refused;
  assert.equal(said.at(-1), "Choose where to build.");
  await page.pressSpace("a2");
  assert.equal(said.at(-1), "The reason.");
});

test("the second tap of a double tap does nothing, unless it is a step of the turn", () => {
  begin({ ...view(0), turns: ["c3-c4+b4+b4"] });
  const { state, pressSpace } = page;
  const tap = name => {
    time += 100;
    pressSpace(name);
    return [state.entry.from, ...state.entry.steps.map(({ at }) => at)].join();
  };
  assert.deepEqual(["c3", "c3", "c4", "c4", "b4"].map(tap), ["c3", "c3", "c3,c4", "c3,c4", "c3,c4,b4"]);
  assert.deepEqual([asked, said.at(-1)], [[], "Choose where to build again."]);
  page.takeGame(state.root, { seats: state.seats });
  tap("c3");
  time += 1000;
  assert.equal(tap("c3"), "");
  // The second tap builds once more.
  time += 1000;
  ["c3", "c4", "b4", "b4"].forEach(tap);
  assert.deepEqual([state.entry.isWhole, state.entry.steps.length], [true, 3]);
});

// The steps of the turn in progress, as text.
const entered = () => {
  const { from, steps } = page.state.entry;
  return from + steps.map(({ kind, at }) => kind + at).join("");
};

test("a worker that has moved is not dragged on, and the turn stays", () => {
  begin(view(0));
  page.dropWorker("c3", "c4");
  assert.equal(entered(), "c3-c4");
  // It could be built on.
  page.pressSpace("c4", true);
  for (const drag of [["c4", "b4"], ["a1", "a2"]]) {
    page.dropWorker(...drag);
    assert.deepEqual([entered(), said.pop()], ["c3-c4", "Finish this turn, or start over to move this worker."]);
  }
  page.pressSpace("b4");
  assert.equal(page.state.entry.isWhole, true);
});

test("a second move can be dragged", () => {
  begin({ ...view(0), turns: ["c3-c4+b4", "c3-d5+e5"], cards: ["Artemis", "Pan"] });
  page.dropWorker("c3", "c4");
  page.dropWorker("c4", "d5");
  assert.equal(entered(), "c3-c4-d5");
  page.pressSpace("e5");
  assert.equal(page.state.entry.isWhole, true);
});

test("a drag after a build keeps the build", async () => {
  begin({ ...view(0), turns: ["c3-c4+b4", "c3+b3-c4+b4"], cards: ["Prometheus", "Pan"] });
  page.pressSpace("c3");
  page.state.entry.kind = "+";
  page.pressSpace("b3");
  page.pressSpace("c3", true);
  await page.dropWorker("c3", "b3");
  assert.deepEqual([entered(), said.at(-1)], ["c3+b3", "The reason."]);
  page.dropWorker("c3", "c4");
  assert.equal(entered(), "c3+b3-c4");
});

test("a turn entered without a connection can be finished once there is one", async () => {
  begin(view(0));
  const { state, finishTurn } = page;
  answers.look = () => { isOpen = false; throw new Error("There is no connection just now."); };
  ["c3", "c4", "b4"].forEach(name => page.pressSpace(name));
  await new Promise(setImmediate);
  assert.deepEqual([entered(), said.at(-1)], ["c3-c4+b4", "There is no connection just now."]);
  [isOpen, answers.look] = [true, () => view(1)];
  finishTurn();
  await new Promise(setImmediate);
  assert.equal(state.node.turn, "c3-c4+b4");
});

test("the worker of the opponent cannot be chosen", () => {
  begin(view(0));
  page.pressSpace("e5");
  assert.deepEqual([asked, said], [[], ["The worker on e5 is your opponent's. Choose one of your own."]]);
});

test("a refusal is a sentence without the numbers of spaces", () => {
  for (const [illegal, words] of [
    ["the worker on b3 (3,2) cannot move to e5 (5,5): that is not one of the spaces around it", "The worker on b3 cannot move to e5: that is not one of the spaces around it."],
    ["a2 (2,1) and a4 (4,1) were built on; a turn builds one level on one space", "a2 and a4 were built on; a turn builds one level on one space."],
  ]) assert.equal(page.refusalWords(illegal), words);
});

test("the player of a turn is known, also of the last one", () => {
  begin(view(4));
  const { state, tree, playerOf } = page;
  const turn = tree.add(state.root, "c3-c4+b4", view(5));
  assert.deepEqual([playerOf(turn), playerOf(tree.add(turn, "d4-d5#", view(6, null)))], [0, 1]);
});

test("each board that is stepped to is described by its turn, and by how that was judged", () => {
  begin(view(4));
  const { state, tree, goTo, goBack, goForward } = page;
  const turn = tree.add(state.root, "c3-c4+b4", view(5));
  tree.add(turn, "d4-d5#", view(6, null));
  goForward();
  assert.equal(said.pop(), "Turn 5: Red moves from c3 to c4, builds level 1 on b4. Violet is to move.");
  goForward();
  assert.equal(said.pop(), "Turn 6: Violet moves from d4 to d5. Violet wins.");
  turn.judged = { judgement: "mistake" };
  goTo(turn);
  goBack();
  assert.equal(said.pop(), "Turn 4. Red is to move.");
  goForward();
  assert.match(said.pop(), /^Turn 5 \(mistake\): Red moves/);
});

test("a reply that is lost with the connection is asked for again", async () => {
  begin(view(0));
  const { state, letOthersPlay, stopThinking } = page;
  state.seats = [{ kind: "level", level: 1 }, { kind: "person" }];
  answers = {
    play: () => ({ turn: "c3-c4+b4" }),
    look: () => { isOpen = false; throw new Error("the connection was lost"); },
  };
  await letOthersPlay();
  assert.equal(said.at(-1), "the connection was lost");
  assert.ok(state.thinking);
  // As the page does when it is connected again.
  [isOpen, answers.look] = [true, () => view(1)];
  stopThinking();
  await letOthersPlay();
  assert.deepEqual([state.node.turn, state.thinking], ["c3-c4+b4", null]);
  assert.equal(said.at(-1), "Level 1 moves from c3 to c4, builds level 1 on b4. Your turn.");
});

test("a reply that is refused ends the thinking", async () => {
  begin(view(0));
  const { state, letOthersPlay } = page;
  state.seats = [{ kind: "level", level: 1 }, { kind: "person" }];
  answers = { play: () => ({ turn: "c3-c4+b4" }), look: () => { throw new Error("not legal"); } };
  await letOthersPlay();
  assert.deepEqual([state.node, state.thinking, said.at(-1)], [state.root, null, "not legal"]);
});

test("a player goes on thinking when its board is shown again", () => {
  begin(view(0));
  const { state, tree, letOthersPlay, goTo, goBack, goForward, stopThinking } = page;
  const node = tree.add(state.root, "c3-c4+b4", view(1));
  state.seats = [{ kind: "person" }, { kind: "level", level: 1 }];
  goTo(node);
  goBack();
  goForward();
  assert.equal(state.thinking, null);
  letOthersPlay();
  goBack();
  assert.equal(state.thinking, null);
  goForward();
  assert.equal(state.thinking.seat, 1);
  assert.equal(asked.filter(question => question.do === "play").length, 2);
  stopThinking();
});

test("the workers of the second player are described too", async () => {
  const { state, letOthersPlay } = page;
  state.hello = { levels: [] };
  Object.assign(state, { seats: [{ kind: "person" }, { kind: "level", level: 1 }], placed: [["b2", "d4"], []] });
  answers = { place: () => ({ squares: ["c2", "c4"] }), read: () => view(0) };
  await letOthersPlay();
  assert.equal(said.at(-1), "Level 1 placed workers on c2 and c4. Your turn.");
});

test("without a game workers are placed, and nothing is stepped through or taken back", () => {
  const { state, standing, goBack, takeBack } = page;
  assert.equal(standing(), "Red: place your two workers on free spaces.");
  goBack();
  takeBack();
  assert.deepEqual([state.mode, state.node, state.placed], ["place", null, [[], []]]);
});

test("no worker is placed before there is a connection", () => {
  page.pressSpace("b2");
  assert.deepEqual([page.state.placed, said], [[[], []], ["There is no connection yet. Try again in a moment."]]);
});

test("what needs the program waits for the connection", () => {
  const done = [];
  page.whenConnected(() => done.push("before"));
  assert.deepEqual([done, said], [[], ["There is no connection yet. Try again in a moment."]]);
  page.state.hello = { levels: [] };
  page.whenConnected(() => done.push("after"));
  assert.deepEqual(done, ["after"]);
});
