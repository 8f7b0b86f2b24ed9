const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const at = (href, client) => load(["storage", "steps", "links"], "links", {
  window: {}, location: new URL(href), document: {}, state: {}, copyField: () => {}, client,
}).links;
const links = at("https://name.example/santorini.html");

test("a game is packed into letters of an address and unpacked again", async () => {
  const text = JSON.stringify({ turns: Array(60).fill("c3-c4+b4"), comment: "Ünïcode 🙂" });
  const packed = await links.pack(text);
  assert.match(packed, /^[\w-]+$/);
  assert.ok(packed.length < 200, `${packed.length} letters`);
  assert.equal(await links.unpack(packed), text);
});

test("a link that was cut or changed is refused", async () => {
  const packed = await links.pack(JSON.stringify({ turns: ["c3-c4+b4", "d1-d2+d3", "a1-a2+a3"] }));
  for (let letters = 0; letters < packed.length; letters += 1) {
    await assert.rejects(links.unpack(packed.slice(0, letters)), /damaged or incomplete/, `${letters}`);
  }
  const other = packed[12] === "A" ? "B" : "A";
  await assert.rejects(links.gameIn(packed.slice(0, 12) + other + packed.slice(13)), /damaged or incomplete/);
  for (const value of ["null", "3", "x"]) {
    await assert.rejects(links.gameIn(await links.pack(value)), /damaged or incomplete/);
  }
});

test("a link to a game that is not legal is damaged, unless only the connection is lost", async () => {
  let isOpen = true;
  const ask = async () => { throw new Error("turn 0: b2-e5+c1 is not legal"); };
  const { read } = at("https://name.example/", { ask, isOpen: () => isOpen });
  await assert.rejects(read({}), /^Error: This link is damaged or incomplete\./);
  isOpen = false;
  await assert.rejects(read({}), /is not legal/);
});

test("a link never unpacks to more than a game", async () => {
  const packed = await links.pack("x".repeat(5_000_000));
  assert.ok(packed.length < 10_000);
  await assert.rejects(links.unpack(packed), /too long/);
  await assert.rejects(links.unpack("A".repeat(200_000)), /too long/);
});

test("a link is found in a message, and a position is read from it", () => {
  const position = "00000/00010/00000/00000/00000 b3d3 c2c4 1 Pan Atlas";
  const message = `Your turn: ${links.addressOf(links.of.position(position))} (have fun).`;
  assert.deepEqual(links.find(message), { kind: "p", value: position.replaceAll(" ", "_") });
  assert.equal(links.positionIn(links.find(message).value), position);
  assert.equal(links.positionIn("00000%2F00010_b3d3_c2c4_1"), "00000/00010 b3d3 c2c4 1");
  assert.equal(links.find("https://name.example/#about"), null);
  const cut = ["00000/00010", "00000/00010_b3d3_c2", "00000/00010_b3d3_c2c4_", "00000/00010_b3d3_c2c4_1_Pan"];
  for (const wrong of ["", "%", "0".repeat(300), ...cut]) assert.throws(() => links.positionIn(wrong), /damaged/);
});

test("a link never holds the token of the page", () => {
  const links = at("http://127.0.0.1:8080/?token=secret-secret-12&x=1#p=old");
  assert.equal(links.addressOf("#z=new"), "http://127.0.0.1:8080/?x=1#z=new");
  assert.equal(at("file:///home/me/page.html").addressOf("#g=a"), "file:///home/me/page.html#g=a");
});

test("a long name is cut at a whole character", async () => {
  const asked = [];
  const { links } = load(["storage", "steps", "links"], "links", {
    client: { ask: async ({ value }) => asked.push(...value.players) },
    files: { showGame: () => {} },
  });
  const players = [`${"a".repeat(59)}🙂b`, "b\ud83d"];
  await links.open(await links.of.game({ turns: [], players }));
  assert.deepEqual(asked, [`${"a".repeat(59)}🙂`, "b\ufffd"]);
});

test("a guest of a live game opens no link", async () => {
  const said = [];
  const { links } = load(["storage", "steps", "links"], "links", {
    location: new URL("http://127.0.0.1:8080/?guest=g#p=00000_b3d3_c2c4_1"),
    history: { state: null, replaceState: () => {} },
    live: { isGuest: () => true },
    files: { openPosition: () => assert.fail("the live game is left") },
    say: text => said.push(text),
  });
  await links.openOwn();
  assert.deepEqual(said, ["This page is for the live game alone, so the link was not opened."]);
});
