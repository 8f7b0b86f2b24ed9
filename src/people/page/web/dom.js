// Small helpers for elements.

/**
 * @template {string} Id
 * @param {Id} id
 */
const $ = id => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element "${id}".`);
  return /** @type {ElementOf<Id>} */ (element);
};

// The first match of a selector in an element that must have one.
/** @type {(host: ParentNode, selector: string) => HTMLElement} */
const inside = (host, selector) => {
  const element = host.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`The page has no element "${selector}".`);
  return element;
};

// An element with attributes and children; `on...` attributes are listeners.
/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any>} attributes
 * @param {(Node | string | null)[]} children
 */
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
};

/** @type {(text: string, act: (event: Event) => void, attributes?: object) => HTMLButtonElement} */
const button = (text, act, attributes = {}) =>
  make("button", { type: "button", onclick: act, ...attributes }, text);

// An element with a label above it.
/** @type {(text: string, element: HTMLElement) => HTMLElement} */
const labelled = (text, element) => make("div", { class: "field" }, make("label", { for: element.id }, text), element);

// A number of turns, in words.
/** @type {(turns: number) => string} */
const counted = turns => turns === 1 ? "1 turn" : `${turns} turns`;

// Replaces the children of an element and keeps the focus on the same control: with the same id,
// or the same words. If the control is gone, the focus goes to the element, or to the board if the
// element is hidden, so that pressing a key twice triggers no other control. After a click it is
// dropped instead.
/** @type {(host: HTMLElement, children: HTMLElement[]) => void} */
const replaceControls = (host, children) => {
  const controls = () => [.../** @type {NodeListOf<HTMLInputElement>} */ (host.querySelectorAll("button, select, input, textarea"))];
  /** @type {(control: HTMLInputElement) => string} */
  const wordsOf = ({ id, name, value, textContent }) => id || [name, value, textContent].join();
  const before = controls();
  const place = before.findIndex(control => control === document.activeElement);
  host.replaceChildren(...children);
  if (place < 0) return;
  const after = controls();
  /** @type {(control: HTMLInputElement) => boolean} */
  const isSame = control => wordsOf(control) === wordsOf(before[place]);
  const next = [after[place], ...after].find(control => control && isSame(control));
  if (next) return next.focus();
  if (!isByKeys) return;
  focusPart(host);
  if (document.activeElement !== host) board.focus();
};

// Replaces the children only if `key`, the values that they show, has changed.
/** @type {(host: HTMLElement, key: unknown, parts: () => HTMLElement[]) => void} */
const redraw = (host, key, parts) => {
  const text = JSON.stringify(key);
  if (host.dataset.key === text) return;
  host.dataset.key = text;
  replaceControls(host, parts());
};

// Whether the last input came from the keyboard. A focus left by a click would be invisible
// and catch keys meant for the game.
let isByKeys = true;
addEventListener("keydown", () => { isByKeys = true; }, true);
addEventListener("pointerdown", () => { isByKeys = false; }, true);

// Disables a button, or enables it. The focus of the keys goes from a disabled one to its group:
// a browser would drop it.
/** @type {(control: HTMLButtonElement, isDisabled: boolean) => void} */
const setDisabled = (control, isDisabled) => {
  const isLeft = isDisabled && control === document.activeElement;
  control.disabled = isDisabled;
  if (isLeft && isByKeys && control.parentElement) focusPart(control.parentElement);
};

/** @type {(part: HTMLElement) => void} */
const focusPart = part => {
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
};

// Scrolls a part of the page into view, after all changes are shown.
/** @type {(part: HTMLElement, block: ScrollLogicalPosition) => void} */
const bring = (part, block) => queueMicrotask(() => {
  const { top, bottom } = part.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) part.scrollIntoView({ block, behavior: isCalm() ? "auto" : "smooth" });
});

// Scrolls the board and the status line into view.
const bringBoard = () => [$("status"), $("board")].forEach(part => bring(part, "nearest"));

/** @type {(text: string, type: string) => Blob} */
const textFile = (text, type) => new Blob([text], { type });

// Gives the browser a file to save.
/** @type {(name: string, content: Blob) => void} */
const download = (name, content) => {
  const address = URL.createObjectURL(content);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

// Returns whether the text was copied.
/** @type {(text: string) => Promise<boolean>} */
const copy = async text => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The only way without a secure connection.
    const area = make("textarea", { "aria-hidden": "true", class: "hidden-text" });
    area.value = text;
    (document.querySelector("dialog[open]") || document.body).append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
};

// Shows a text in the status line, which screen readers read aloud. Lines after the first are
// the output of a program.
/** @type {(text: string, kind?: "" | "good" | "bad") => void} */
const say = (text, kind = "") => {
  const line = $("status");
  line.className = kind;
  // With another space at its end, screen readers read the same text again.
  if (line.textContent === text) text += "\u00a0";
  const end = text.indexOf("\n");
  line.replaceChildren(end < 0 ? text : text.slice(0, end));
  if (end < 0) return;
  const lines = make("pre", {}, text.slice(end + 1));
  line.append(lines);
  // The end says most about an error.
  lines.scrollTop = lines.scrollHeight;
};

/** @type {(error: unknown) => string} */
const errorWords = error => error instanceof Error ? error.message : String(error);
/** @type {(error: unknown) => void} */
const sayError = error => say(errorWords(error), "bad");

/** @type {(chance: number) => string} */
const percent = chance => `${Math.round(chance * 100)}%`;
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
// A pause for an animation.
/** @type {(milliseconds: number) => Promise<void>} */
const pause = milliseconds => new Promise(done => setTimeout(done, isCalm() ? 0 : milliseconds));
