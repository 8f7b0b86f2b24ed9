// Marks over the picture of the board: what a space is worth, threatened turns, and spaces to
// go to. They are placed by the buttons of the spaces, however the board is drawn.

const overlay = (() => {
  const SHAPES = {
    best: '<path d="M0 -1.15L.34 -.42L1.1 -.36L.54 .2L.72 1L0 .6L-.72 1L-.54 .2L-1.1 -.36L-.34 -.42Z"/>',
    good: '<circle r="1"/>',
    inaccuracy: '<path d="M0 -1.2L1.2 0L0 1.2L-1.2 0Z"/>',
    mistake: '<path d="M0 -1.2L1.15 .85L-1.15 .85Z"/>',
    blunder: '<path d="M-.9 -.9H.9V.9H-.9Z"/>',
  };
  /** @type {HTMLElement | null} */
  let layer = null;
  /** @type {SpaceMark[]} */
  let dots = [];
  /** @type {TurnPath[]} */
  let threats = [];
  /** @type {string[]} */
  let targets = [];

  // The rectangle of a space, in pixels of the board.
  /** @param {string} name */
  function boxOf(name) {
    const space = inside($("board"), `[data-at="${name}"]`).getBoundingClientRect();
    const board = $("board").getBoundingClientRect();
    return { x: space.x - board.x, y: space.y - board.y, wide: space.width, high: space.height };
  }

  // Draws a dot: in the upper left of its space, so that the tower stays visible, or in the
  // middle of free ground. The worse the turn, the smaller the dot.
  /** @type {(dot: SpaceMark) => string} */
  function dotOf({ at, loss, text, isFree = false }) {
    const { x, y, wide, high } = boxOf(at);
    const [left, above] = isFree ? [wide / 2, high * 0.36] : [wide * 0.21, wide * 0.19];
    const kind = judgementOf(loss);
    const radius = wide * (0.16 - 0.05 * Math.min(1, loss / 0.4));
    const size = Math.max(11, wide * 0.14);
    return `<g class="${kind}" transform="translate(${x + left} ${y + above})">` +
      `<g transform="scale(${radius})">${SHAPES[kind]}</g>` +
      `<text font-size="${size}" text-anchor="${isFree ? "middle" : "start"}" x="${isFree ? 0 : -wide * 0.17}" y="${radius + size * 0.95}">${text}</text></g>`;
  }

  /** @type {(way: TurnPath) => string} */
  function threatOf({ path, built }) {
    const points = path.map(nameOf).map(boxOf).map(({ x, y, wide, high }) => [x + wide / 2, y + high / 2]);
    const { wide } = boxOf(nameOf(path[0]));
    const line = `M${points.map(point => point.map(Math.round).join(" ")).join("L")}`;
    const [before, end] = points.slice(-2);
    const angle = Math.atan2(end[1] - before[1], end[0] - before[0]) * 180 / Math.PI;
    const builds = built.map(nameOf).map(boxOf).map(box =>
      `<circle class="build" cx="${box.x + box.wide / 2}" cy="${box.y + box.high / 2}" r="${wide * 0.3}"/>`);
    return `<g class="threat" stroke-width="${wide * 0.07}"><path class="rim" style="stroke-width:${wide * 0.12}px" d="${line}"/><path d="${line}"/>${builds.join("")}` +
      `<path class="head" d="M0 0L-1.4 -.8L-1.4 .8Z" transform="translate(${end.join(" ")}) rotate(${angle}) scale(${wide * 0.2})"/></g>`;
  }

  // An arrow from above to the top of the tower.
  /** @param {string} name */
  function targetOf(name) {
    const { x, y, wide, high } = boxOf(name);
    const { style } = inside($("board"), `[data-at="${name}"]`);
    const [top, height] = ["--top", "--height"].map(part => parseFloat(style.getPropertyValue(part)) / 100);
    return `<g class="target" transform="translate(${x + wide / 2} ${y + high * (top + height / 2)}) scale(${wide})">` +
      '<path d="M0 0L-.2 -.24H-.09V-.55H.09V-.24H.2Z"/></g>';
  }

  function draw() {
    if (!layer) {
      layer = make("div", { class: "overlay", "aria-hidden": "true" });
      inside($("board"), ".grid").before(layer);
      new ResizeObserver(draw).observe($("board"));
    }
    const { clientWidth, clientHeight } = $("board");
    const marks = threats.map(threatOf).join("") + dots.map(dotOf).join("") + targets.map(targetOf).join("");
    const drawing = marks && `<svg viewBox="0 0 ${clientWidth} ${clientHeight}">${marks}</svg>`;
    if (layer.innerHTML !== drawing) layer.innerHTML = drawing;
  }

  // Replaces all marks by these. The board must be drawn already.
  /** @type {(marks: { dots: SpaceMark[], threats: TurnPath[], targets: string[] }) => void} */
  function show(marks) {
    ({ dots, threats, targets } = marks);
    if (layer || dots.length || threats.length || targets.length) draw();
  }

  return { show };
})();
