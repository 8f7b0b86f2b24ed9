const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { load } = require("./load");

// A status line, and a part of the page with controls.
const line = { textContent: "", replaceChildren(text) { this.textContent = text; } };
const control = (textContent, id = "") => ({
  id, name: "", value: "", textContent, focus() { document.activeElement = this; },
});
const host = {
  controls: [],
  querySelectorAll() { return this.controls; },
  replaceChildren(...controls) { this.controls = controls; },
  focus() { document.activeElement = this; },
};
const document = { getElementById: () => line, activeElement: null };
const { say, replaceControls } = load(["dom"], "say, replaceControls", { document, addEventListener: () => {} });

beforeEach(() => { host.controls = []; });

test("a text that is said again is read again", () => {
  for (const words of ["no", "no\u00a0", "no"]) {
    say("no");
    assert.equal(line.textContent, words);
  }
});

test("a copy that the browser refuses is reported", async () => {
  let isRefused = true;
  const area = { append() {}, select() {}, remove() {}, setAttribute() {} };
  const { copy } = load(["dom"], "copy", {
    addEventListener: () => {},
    navigator: { clipboard: { writeText: async () => { throw new Error("not allowed"); } } },
    document: { createElement: () => area, querySelector: () => area, execCommand: () => !isRefused },
  });
  assert.equal(await copy("text"), false);
  isRefused = false;
  assert.equal(await copy("text"), true);
});

// The focus after these controls take the place of those with the first one focused.
const focused = (before, after) => {
  replaceControls(host, before);
  before[0].focus();
  replaceControls(host, after);
  return document.activeElement;
};

test("the focus stays on the same control, and never goes to another one", () => {
  const next = control("Next");
  assert.equal(focused([control("Next"), control("Leave")], [control("More"), next, control("Leave")]), next);
  assert.equal(focused([control("Next"), control("Leave")], [control("Show me"), control("Leave")]), host);
  const smaller = control("Make it 5 by 5", "size");
  assert.equal(focused([control("Make it 6 by 6", "size")], [smaller]), smaller);
});
