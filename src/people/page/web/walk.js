// Lines of play that can be walked: a turn that is pointed at shows its board, a click goes
// there, by a variation where it was not played.

const walk = (() => {
  // The line that each element shows.
  /** @type {WeakMap<HTMLElement, { node: GameNode, turns: string[] }>} */
  const lines = new WeakMap();
  // The turns that are looked at ahead of the game.
  /** @type {{ node: GameNode, turns: string[] } | null} */
  let ahead = null;

  // Whether a turn is pointed at: its line stands still meanwhile.
  const isAhead = () => ahead !== null && ahead.node === state.node && !state.entry.from;

  // The board that is looked at ahead of the game, if any.
  /** @returns {Scene | null} */
  function scene() {
    if (!isAhead()) return null;
    const { cards } = ahead.node.view;
    /** @type {Scene} */
    let scene = ahead.node.view.scene;
    for (const turn of ahead.turns) scene = sceneAfterTurn(scene, turn, cards);
    return scene;
  }

  /** @type {(line: HTMLElement, event: Event) => string[]} */
  function turnsTo(line, { target }) {
    const index = target instanceof HTMLElement ? [...line.children].indexOf(target) : -1;
    return lines.get(line).turns.slice(0, index + 1);
  }

  /** @type {(line: HTMLElement, event: Event) => void} */
  function point(line, event) {
    const turns = turnsTo(line, event);
    if (!turns.length) return;
    ahead = { node: lines.get(line).node, turns };
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
        const known = at.children.find(child => child.turn === turn);
        const view = known?.view ?? await desk.ask({ do: "look", position: at.view.position, turn });
        if (state.node !== before) return;
        at = tree.add(at, turn, view);
      }
      stepTo(at);
      bringBoard();
    } catch (error) {
      say(error.message, "bad");
    }
  }

  // An element for a line of turns.
  function newLine() {
    const line = make("span", { class: "walk" });
    line.addEventListener("mouseover", event => point(line, event));
    line.addEventListener("mouseleave", leave);
    line.addEventListener("focusin", event => { if (isByKeys) point(line, event); });
    line.addEventListener("focusout", leave);
    line.addEventListener("click", event => {
      const turns = turnsTo(line, event);
      if (turns.length) go(lines.get(line).node, turns);
    });
    return line;
  }

  // Shows other turns in a line. Its buttons stay, so that they can be aimed at.
  /** @type {(line: HTMLElement, node: GameNode, turns: string[]) => void} */
  function fill(line, node, turns) {
    lines.set(line, { node, turns });
    while (line.children.length > turns.length) line.lastChild.remove();
    turns.forEach((turn, index) => {
      const item = line.children[index] ?? line.appendChild(button("", () => {}, { title: "Go there" }));
      if (item.textContent !== turn) item.textContent = turn;
    });
  }

  /** @type {(node: GameNode, turns: string[]) => HTMLElement} */
  function line(node, turns) {
    const made = newLine();
    fill(made, node, turns);
    return made;
  }

  return { line, fill, scene, isAhead };
})();
