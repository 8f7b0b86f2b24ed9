// The board that is played on: the picture that `santorini.svg` draws, and over
// it a button for each space, for fingers, mice, keys and screen readers. A button covers
// its space and the tower on it; where a tower hides a part of the space behind, that part
// belongs to the tower.
//
//   const board = makeBoard(host, { press, drop })
//   board.show(scene, { label, path })
//   board.letGo()
//
// `press(name)` is called for a space that was clicked or chosen by a key,
// `drop(from, to)` when a worker was dragged; `label(name)` gives the words for
// a space. The worker at the end of `path`, spaces with rows and columns, is seen to
// move along it. `show` returns what changed since the scene before. `letGo` ends a drag, as
// if it had not begun.

/** @type {(host: HTMLElement, acts: { press(name: string, isDrag?: boolean): void, drop(from: string, to: string): void }) => BoardOfPage} */
const makeBoard = (host, { press, drop }) => {
  const picture = make("div", { class: "picture", "aria-hidden": "true" });
  const grid = make("div", { class: "grid", role: "grid", "aria-label": "Board" });
  host.append(picture, grid);
  let size = 0;
  /** @type {Map<string, HTMLButtonElement>} */
  let spaces = new Map();
  /** @type {string | null} */
  let current = null;
  // A worker that is pressed and perhaps dragged.
  /** @type {{ from: string, x: number, y: number, moved: boolean, dx?: number, dy?: number, id: number } | null} */
  let drag = null;
  // Whether the last press became a drag.
  let hasDragged = false;
  /** @type {Scene | null} */
  let shown = null;
  let drawn = "";

  // What the buttons are made for: the size of the board and how it is turned.
  let madeFor = "";
  /** @type {Layout} */
  let plan = null;

  // The space at a row and a column on the screen.
  /** @type {(row: number, column: number) => string} */
  const nameAt = (row, column) => [...spaces.keys()].find(name => same(plan.cell(placeOf(name)), [row, column]));

  function makeSpaces() {
    const focused = grid.contains(document.activeElement);
    const places = Array.from({ length: size ** 2 }, (_, index) => /** @type {Place} */ ([Math.floor(index / size), index % size]));
    const rows = Array.from({ length: size }, () => make("div", { role: "row" }));
    spaces = new Map(places.map(at => [nameOf(at),
      make("button", { type: "button", role: "gridcell", tabindex: "-1", "data-at": nameOf(at) })]));
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) rows[row].append(spaces.get(nameAt(row, column)));
    }
    grid.replaceChildren(...rows);
    setCurrent(spaces.has(current) ? current : nameOf([size >> 1, size >> 1]));
    if (focused) spaces.get(current).focus();
  }

  // Puts the button of a space over its tower.
  /** @type {(space: HTMLElement, at: Place) => void} */
  function lay(space, at) {
    const { box: [left, above, width, height], depth } = plan;
    const [x, y] = plan.origin(at);
    const [topX, topY, topWidth, topHeight] = plan.top(at);
    const reach = Math.max(0, y - topY);
    const high = depth + reach;
    /** @type {(part: number, whole: number) => string} */
    const share = (part, whole) => `${(100 * part / whole).toFixed(3)}%`;
    const [from, to, shoulder] = [share(topX - x, 100), share(topX - x + topWidth, 100), share(reach, high)];
    const css = [
      `left:${share(x - left, width)}`, `top:${share(y - reach - above, height)}`,
      `width:${share(100, width)}`, `height:${share(high, height)}`,
      `--left:${from}`, `--top:${share(topY - y + reach, high)}`, `--width:${share(topWidth, 100)}`,
      `--height:${share(topHeight, high)}`,
      reach ? `clip-path:polygon(${from} 0,${to} 0,${to} ${shoulder},100% ${shoulder},100% 100%,0 100%,0 ${shoulder},${from} ${shoulder})` : "",
    ].join(";");
    if (space.dataset.css === css) return;
    space.dataset.css = css;
    space.style.cssText = css;
  }

  /** @param {Scene} scene */
  function layOut(scene) {
    const look = looks.now();
    plan = santorini.layout(scene, look);
    size = plan.size;
    const wanted = `${size} ${look.turned}`;
    if (wanted !== madeFor) makeSpaces();
    madeFor = wanted;
    host.style.setProperty("--wide", (plan.box[2] / plan.box[3]).toFixed(4));
    for (const [name, space] of spaces) lay(space, placeOf(name));
  }

  /** @param {string} name */
  function setCurrent(name) {
    if (spaces.has(current)) spaces.get(current).tabIndex = -1;
    current = name;
    spaces.get(name).tabIndex = 0;
  }

  grid.addEventListener("keydown", event => {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!move || !current) return;
    event.preventDefault();
    event.stopPropagation();
    const [row, column] = plan.cell(placeOf(current)).map((part, index) =>
      Math.max(0, Math.min(size - 1, part + move[index])));
    setCurrent(nameAt(row, column));
    spaces.get(current).focus();
  });

  // A mouse or a finger leaves no focus behind: it would be unseen, and keep the arrow keys
  // from stepping through the game.
  grid.addEventListener("mousedown", event => {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });

  // The space that an event is on.
  /** @type {(event: Event) => HTMLElement | null} */
  const spaceOf = ({ target }) => target instanceof Element ? target.closest("[data-at]") : null;

  grid.addEventListener("click", event => {
    const space = spaceOf(event);
    // The click that ends a drag is none. Those of keys, without a count, are not meant.
    if (!space || hasDragged && event.detail > 0) return;
    setCurrent(space.dataset.at);
    press(space.dataset.at);
  });

  // ---- dragging a worker ----

  /** @type {(name: string) => Element | null} */
  const workerOn = name => [0, 1].map(seat => motions.shapeAt(picture, `worker${seat}`, plan.stand(placeOf(name))))
    .find(worker => worker) ?? null;

  // Where workers stand that can be dragged.
  /** @type {(scene: Scene) => Set<string>} */
  const movableOf = ({ workers, mover, movable = mover === null ? [] : [mover] }) =>
    new Set(movable.flatMap(seat => workers[seat].map(nameOf)));

  grid.addEventListener("pointerdown", event => {
    const space = spaceOf(event);
    letGo();
    hasDragged = false;
    if (!space || !shown || event.button !== 0 || !event.isPrimary) return;
    const from = space.dataset.at;
    if (movableOf(shown).has(from)) drag = { from, x: event.clientX, y: event.clientY, moved: false, id: event.pointerId };
  });

  grid.addEventListener("pointermove", event => {
    if (!drag || event.pointerId !== drag.id) return;
    // The button may have been let go of where nobody tells this page.
    if (!event.buttons) return letGo();
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved) {
      if (Math.hypot(dx, dy) < 8) return;
      Object.assign(drag, { dx, dy, moved: true });
      hasDragged = true;
      grid.setPointerCapture(drag.id);
      press(drag.from, true);
    }
    Object.assign(drag, { dx, dy });
    carry();
  });

  // Draws the worker that is dragged where the hand is.
  const carry = () => {
    const scale = plan.box[2] / picture.clientWidth;
    workerOn(drag.from)?.setAttribute("transform", `translate(${drag.dx * scale} ${drag.dy * scale})`);
  };

  const letGo = () => {
    if (!drag) return;
    workerOn(drag.from)?.removeAttribute("transform");
    if (grid.hasPointerCapture(drag.id)) grid.releasePointerCapture(drag.id);
    drag = null;
  };

  /** @param {PointerEvent} event */
  const endDrag = event => {
    if (!drag || event.pointerId !== drag.id) return;
    const { from, moved } = drag;
    letGo();
    const under = moved && event.type === "pointerup" && document.elementsFromPoint(event.clientX, event.clientY)
      .find(element => element.hasAttribute("data-at") && grid.contains(element))?.getAttribute("data-at");
    if (under && under !== from) drop(from, under);
  };
  document.addEventListener("pointerup", endDrag);
  document.addEventListener("pointercancel", endDrag);

  // ---- showing ----

  /** @type {BoardOfPage["show"]} */
  function show(scene, { label, path = null }) {
    const before = shown;
    shown = scene;
    layOut(scene);
    const drawing = santorini.svg(scene, looks.now());
    // What moves is not disturbed by what stays.
    if (drawing !== drawn) {
      picture.innerHTML = drawing;
      if (drag?.moved) carry();
    }
    drawn = drawing;
    const chosen = new Set((scene.lit || []).filter(({ as }) => as === "chosen").map(({ at }) => nameOf(at)));
    const movable = movableOf(scene);
    for (const [name, space] of spaces) {
      const words = label(name);
      if (space.getAttribute("aria-label") !== words) space.setAttribute("aria-label", words);
      space.setAttribute("aria-selected", String(chosen.has(name)));
      space.classList.toggle("movable", movable.has(name));
    }
    if (before && !isCalm()) motions.show(picture, before, scene, path);
    return changesOf(before, scene);
  }

  return { show, letGo, focus: () => spaces.get(current)?.focus({ preventScroll: true }) };
};
