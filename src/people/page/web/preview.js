// Lines of turns with a preview: pointing at a turn shows its board, and a click goes there.
// Turns that were not played become a variation.

const preview = (() => {
  // The line that each element shows.
  /** @type {WeakMap<HTMLElement, { node: GameNode, turns: string[] }>} */
  const lines = new WeakMap();
  // The turns that are previewed.
  /** @type {{ node: GameNode, turns: string[] } | null} */
  let ahead = null;

  // Whether a turn is pointed at. Its line must not change meanwhile.
  const isOn = () => ahead !== null && ahead.node === state.node && !state.entry.from;

  // The previewed board, if any.
  /** @returns {Scene | null} */
  function scene() {
    if (!ahead || !isOn()) return null;
    const { turns, node: { view } } = ahead;
    return turns.reduce((scene, turn) => sceneAfterTurn(scene, turn, view.cards ?? null), /** @type {Scene} */ (view.scene));
  }

  // The turns of a line up to the one under the pointer or focus; null if there is none.
  /** @type {(line: HTMLElement, event: Event) => { node: GameNode, turns: string[] } | null} */
  function turnsTo(line, { target }) {
    const whole = lines.get(line);
    const index = target instanceof HTMLElement ? [...line.children].indexOf(target) : -1;
    return whole && index >= 0 ? { node: whole.node, turns: whole.turns.slice(0, index + 1) } : null;
  }

  /** @type {(line: HTMLElement, event: Event) => void} */
  function point(line, event) {
    const pointed = turnsTo(line, event);
    if (!pointed) return;
    ahead = pointed;
    changed();
  }

  function leave() {
    if (!ahead) return;
    ahead = null;
    changed();
  }

  // Goes to the board after these turns.
  /** @type {(node: GameNode, turns: string[]) => Promise<void>} */
  async function go(node, turns) {
    ahead = null;
    const before = state.node;
    let at = node;
    try {
      for (const turn of turns) {
        const view = await viewAfter(at, turn);
        if (state.node !== before) return;
        at = tree.add(at, turn, view);
      }
      stepTo(at);
      bringBoard();
    } catch (error) {
      sayError(error);
    }
  }

  // An element that shows a line of turns. It is no tab stop, which Firefox would make of
  // anything that scrolls.
  /** @type {(node: GameNode, turns: string[]) => HTMLElement} */
  function makeLine(node, turns) {
    const line = make("span", { class: "turnLine", tabindex: "-1" });
    line.addEventListener("mouseover", event => point(line, event));
    line.addEventListener("mouseleave", leave);
    line.addEventListener("focusin", event => { if (isByKeys) point(line, event); });
    line.addEventListener("focusout", leave);
    line.addEventListener("click", event => {
      const pointed = turnsTo(line, event);
      if (pointed) go(pointed.node, pointed.turns);
    });
    fill(line, node, turns);
    return line;
  }

  // Shows other turns in a line. Its buttons stay in place under the pointer.
  /** @type {(line: HTMLElement, node: GameNode, turns: string[]) => void} */
  function fill(line, node, turns) {
    lines.set(line, { node, turns });
    while (line.children.length > turns.length) line.lastElementChild?.remove();
    turns.forEach((turn, index) => {
      const item = line.children[index] ?? line.appendChild(button("", () => {}, { title: "Go there" }));
      if (item.textContent !== turn) item.textContent = turn;
    });
  }

  return { line: makeLine, fill, scene, isOn };
})();
