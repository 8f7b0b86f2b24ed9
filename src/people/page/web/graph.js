// The graph of a review: the chance of the first player on each board of the game.

const graph = (() => {
  const WIDE = 600;
  const HIGH = 170;

  /** @type {(chance: number) => number} */
  const y = chance => 6 + (HIGH - 12) * (1 - chance);

  // The end of a line stays round where the picture is stretched.
  /** @type {(kind: string, x: number, y: number) => string} */
  const dot = (kind, x, y) => `<line class="dot ${kind}" x1="${x}" x2="${x}" y1="${y}" y2="${y}"/>`;

  // `chances` of the first player on the board before the first turn and after each of `nodes`.
  /** @type {(review: { root: GameNode, nodes: PlayedNode[], chances: number[] }) => HTMLElement} */
  function draw({ root, nodes, chances }) {
    /** @type {(index: number) => number} */
    const x = index => 8 + (WIDE - 16) * index / Math.max(1, nodes.length);
    const marks = nodes.map(({ judged }, index) => judged && ["inaccuracy", "mistake", "blunder"].includes(judged.judgement)
      ? dot("rim", x(index + 1), y(chances[index + 1])) + dot(judged.judgement, x(index + 1), y(chances[index + 1])) : "").join("");
    const now = nodes.findIndex(node => node === state.node) + 1;
    const here = state.node === root || now > 0
      ? `<line class="here" x1="${x(now)}" x2="${x(now)}" y1="0" y2="${HIGH}"/>` : "";
    const host = make("div", { class: "graph", role: "img", "aria-label": words(chances) });
    host.innerHTML = `<svg viewBox="0 0 ${WIDE} ${HIGH}" preserveAspectRatio="none"><line class="half" x1="0" x2="${WIDE}" y1="${HIGH / 2}" y2="${HIGH / 2}"/>${curve(x, chances)}${here}${marks}</svg>`;
    host.addEventListener("click", event => {
      const box = host.getBoundingClientRect();
      const index = Math.round((event.clientX - box.left) / box.width * nodes.length);
      lookAt(index <= 0 ? root : nodes[Math.min(index, nodes.length) - 1]);
      bringBoard();
    });
    return host;
  }

  /** @type {(x: (index: number) => number, chances: number[]) => string} */
  function curve(x, chances) {
    const path = chances.map((chance, index) => `${x(index).toFixed(1)} ${y(chance).toFixed(1)}`).join("L");
    return `<path class="area" d="M0 ${HIGH}V${y(chances[0])}L${path}H${WIDE}V${HIGH}Z"/><path class="curve" d="M${path}"/>`;
  }

  /** @type {(chances: number[]) => string} */
  const words = chances => `Chance of winning over the game (${nameOfSeat(0)}): ${chances.slice(0, 200).map(percent).join(", ")}`;

  return { draw };
})();
