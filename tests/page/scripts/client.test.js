const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { load } = require("./load");

// A link that records what is sent, what the page says, and the line about the connection.
let client, state, link, sent, said, isThere, line;
beforeEach(() => {
  state = { hello: { most: { message: 100 } } };
  [sent, said, isThere, line] = [[], [], true, { hidden: true, textContent: "" }];
  ({ client } = load(["client"], "client", {
    state,
    changed: () => {},
    say: text => said.push(text),
    $: () => line,
    openLink: listener => {
      link = listener;
      return { send: text => isThere && sent.push(JSON.parse(text)) > 0 };
    },
  }));
  client.open();
});
const hear = message => link.heard(JSON.stringify(message));

test("answers come in any order, each to its question", async () => {
  const [first, second] = [client.ask({ do: "hello" }), client.ask({ do: "puzzles" })];
  assert.deepEqual(sent.map(({ do: what }) => what), ["hello", "puzzles"]);
  hear({ id: sent[1].id, ok: "two" });
  hear({ id: sent[0].id, ok: "one" });
  assert.deepEqual(await Promise.all([first, second]), ["one", "two"]);
});

test("an error refuses its question, one without a question is said", async () => {
  const answer = client.ask({ do: "look", position: "nonsense" });
  hear({ id: sent[0].id, error: "no position" });
  await assert.rejects(answer, { message: "no position" });
  hear({ id: null, error: "no JSON" });
  assert.deepEqual(said, ["no JSON"]);
});

test("a search tells its parts, and is stopped only while it runs", async () => {
  const parts = [];
  const { answer, stop } = client.study({ do: "analyze" }, part => parts.push(part));
  const { id } = sent[0];
  hear({ id, part: 1 });
  hear({ id, part: 2 });
  stop();
  assert.deepEqual({ ...sent[1], id: 0 }, { id: 0, do: "stop", what: id });
  hear({ id, ok: 3 });
  assert.equal(await answer, 3);
  stop();
  assert.equal(sent.length, 2);
  assert.deepEqual(parts, [1, 2]);
});

test("a lost link refuses what was asked, and is shown until it is back", async () => {
  const told = [];
  client.onLink(isOpen => told.push(isOpen));
  link.opened();
  assert.ok(client.isOpen());
  const answer = client.ask({ do: "hello" });
  link.lost("the program has ended");
  assert.ok(!client.isOpen());
  await assert.rejects(answer, { message: "the program has ended" });
  assert.deepEqual(line, { hidden: false, textContent: "No connection: the program has ended." });
  link.lost("the program was restarted");
  assert.deepEqual(line, { hidden: false, textContent: "No connection: the program was restarted." });
  assert.deepEqual(told, [true, false, false]);
  isThere = false;
  await assert.rejects(client.ask({ do: "hello" }), /no connection/);
  link.opened();
  assert.ok(line.hidden);
});

test("the program tells when a live game begins and ends", () => {
  const now = () => [state.hello.live, state.hello.joined];
  hear({ id: null, live: true, joined: false });
  assert.deepEqual(now(), [true, false]);
  hear({ id: null, live: true, joined: true });
  assert.deepEqual(now(), [true, true]);
  hear({ id: null, live: false, joined: false });
  assert.deepEqual(now(), [false, false]);
  // A program that was restarted has none.
  hear({ id: null, live: true, joined: true });
  link.lost("the program has ended");
  assert.deepEqual(now(), [false, false]);
  state.hello = null;
  hear({ id: null, live: true, joined: true });
  assert.equal(state.hello, null);
});

test("a question longer than the program takes is not sent", async () => {
  // 60 letters of two bytes each.
  await assert.rejects(client.ask({ do: "read", text: "ä".repeat(60) }), /too long: 1 kB/);
  assert.equal(sent.length, 0);
});

test("in one file, a comparison delays no question and can be stopped", async () => {
  const workers = [];
  class Worker {
    constructor() { this.asked = []; workers.push(this); }
    postMessage(message) { this.asked.push(message); }
    terminate() {}
  }
  const { openLink } = load(["../../../wasm/link"], "openLink", {
    Worker,
    URL: { createObjectURL: () => "worker" },
    Blob: class { stream() { return { pipeThrough: () => null }; } },
    Response: class { arrayBuffer() { return new ArrayBuffer(0); } },
    DecompressionStream: class {},
    WebAssembly: { compile: () => "module" },
    atob: () => "",
  });
  const heard = [];
  const opened = await new Promise(done => {
    const link = openLink({ heard: text => heard.push(JSON.parse(text)), opened: () => done(link), lost: assert.fail });
  });
  const ask = question => opened.send(JSON.stringify(question));
  ask({ id: 1, do: "compare" });
  ask({ id: 2, do: "look" });
  // The first message of a worker is its engine.
  assert.deepEqual(workers.flatMap(({ asked }) => asked.slice(1)).map(text => JSON.parse(text).id).sort(), [1, 2]);
  const comparing = workers.find(({ asked }) => asked[1].includes("compare"));
  comparing.onmessage({ data: '{"id":1,"part":{"depth":3}}' });
  ask({ id: 3, do: "stop", what: 1 });
  assert.deepEqual(heard.slice(1), [{ id: 1, ok: { depth: 3 } }, { id: 3, ok: null }]);
});

test("a lost connection is reported even if the host is silent", async () => {
  let socket;
  const { openLink } = load(["../serve/link"], "openLink", {
    WebSocket: class { constructor() { socket = this; } },
    location: new URL("http://127.0.0.1:7575/?token=t"),
    AbortSignal: { timeout: () => AbortSignal.timeout(10) },
    fetch: (_, { signal }) => new Promise((_, fail) => signal?.addEventListener("abort", fail)),
    setTimeout: () => {},
  });
  const why = await Promise.race([
    new Promise(lost => {
      openLink({ heard: () => {}, opened: () => {}, lost });
      socket.onclose({ code: 1006 });
    }),
    new Promise(done => setTimeout(done, 1000, "nothing")),
  ]);
  assert.equal(why, "the program has ended, or cannot be reached");
});
