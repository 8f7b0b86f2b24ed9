// The board that is played on: the picture that `santorini.svg` draws, and over
// it a button for each space, for fingers, mice, keys and screen readers. A button covers
// its space and the tower on it, including what the tower hides of the space behind.
//
//   const board = makeBoard(host, { press, drop })
//   board.show(scene, { label, path })
//   board.letGo()
//
// `press(name)` is called for a space that was clicked or chosen by a key,
// `drop(from, to)` when a worker was dragged; `label(name)` gives the words for
// a space. `path` is a list of [row, column]: the worker on the last space is animated along
// it. `show` returns what changed since the scene before. `letGo` cancels a drag.

/** @type {(host: HTMLElement, acts: { press(name: string, isDrag?: boolean): void, drop(from: string, to: string): void }) => BoardOfPage} */
const makeBoard = (host, { press, drop }) => {
  const picture = make("div", { class: "picture", "aria-hidden": "true" });
  const grid = make("div", { class: "grid", role: "grid", "aria-label": "Board" });
  host.append(picture, grid);
  // The names of the spaces by their rows and columns on the screen, and their buttons.
  /** @type {string[][]} */
  let names = [];
  /** @type {Map<string, HTMLButtonElement>} */
  const spaces = new Map();
  let current = "";
  // The worker that is pressed, perhaps dragged.
  /** @type {{ from: string, x: number, y: number, moved: boolean, dx: number, dy: number, id: number } | null} */
  let drag = null;
  // Whether the last press became a drag.
  let hasDragged = false;
  /** @type {{ scene: Scene, plan: Layout } | null} */
  let shown = null;
  let drawn = "";

  // What the buttons are made for: the size of the board and how it is turned.
  let madeFor = "";

  /** @type {(name: string) => HTMLButtonElement} */
  function makeSpace(name) {
    const space = make("button", { type: "button", role: "gridcell", tabindex: "-1", "data-at": name });
    spaces.set(name, space);
    return space;
  }

  /** @param {Layout} plan */
  function makeSpaces({ size, cell }) {
    const hadFocus = grid.contains(document.activeElement);
    names = Array.from({ length: size }, () => Array(size).fill(""));
    for (let index = 0; index < size ** 2; index++) {
      /** @type {Place} */
      const at = [Math.floor(index / size), index % size];
      const [row, column] = cell(at);
      names[row][column] = nameOf(at);
    }
    spaces.clear();
    grid.replaceChildren(...names.map(row => make("div", { role: "row" }, ...row.map(makeSpace))));
    setCurrent(spaces.has(current) ? current : nameOf([size >> 1, size >> 1]));
    if (hadFocus) focus();
  }

  // Puts the button of a space over its tower.
  /** @type {(plan: Layout, space: HTMLElement, at: Place) => void} */
  function lay(plan, space, at) {
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

  /** @type {(scene: Scene) => Layout} */
  function layOut(scene) {
    const look = looks.now();
    const plan = santorini.layout(scene, look);
    const wanted = `${plan.size} ${look.turned}`;
    if (wanted !== madeFor) makeSpaces(plan);
    madeFor = wanted;
    host.style.setProperty("--wide", (plan.box[2] / plan.box[3]).toFixed(4));
    for (const [name, space] of spaces) lay(plan, space, placeOf(name));
    return plan;
  }

  /** @param {string} name */
  function setCurrent(name) {
    spaces.get(current)?.setAttribute("tabindex", "-1");
    current = name;
    spaces.get(current)?.setAttribute("tabindex", "0");
  }

  const focus = () => spaces.get(current)?.focus({ preventScroll: true });

  grid.addEventListener("keydown", event => {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!move || !shown) return;
    event.preventDefault();
    event.stopPropagation();
    const { plan: { size, cell } } = shown;
    const [row, column] = cell(placeOf(current)).map((part, index) => Math.max(0, Math.min(size - 1, part + move[index])));
    setCurrent(names[row][column]);
    spaces.get(current)?.focus();
  });

  // A click leaves no focus behind: it would be invisible and keep the arrow keys from
  // stepping through the game.
  grid.addEventListener("mousedown", event => {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });

  // The name of the space of an element.
  /** @type {(target: unknown) => string | null} */
  const spaceAt = target => target instanceof Element && grid.contains(target)
    ? target.closest("[data-at]")?.getAttribute("data-at") ?? null : null;

  grid.addEventListener("click", event => {
    const name = spaceAt(event.target);
    // Ignore the click at the end of a drag, but not clicks by key, whose `detail` is 0.
    if (!name || hasDragged && event.detail > 0) return;
    setCurrent(name);
    press(name);
  });

  // ---- dragging a worker ----

  /** @type {(plan: Layout, name: string) => Element | null} */
  const workerOn = (plan, name) => [0, 1].map(seat => motions.shapeAt(picture, `worker${seat}`, plan.stand(placeOf(name))))
    .find(worker => worker) ?? null;

  // The spaces of the workers that can be dragged.
  /** @type {(scene: Scene) => Set<string>} */
  const movableOf = ({ workers, mover, movable = mover === null ? [] : [mover] }) =>
    new Set(movable.flatMap(seat => workers[seat].map(nameOf)));

  grid.addEventListener("pointerdown", event => {
    const from = spaceAt(event.target);
    letGo();
    hasDragged = false;
    if (!from || !shown || event.button !== 0 || !event.isPrimary || !movableOf(shown.scene).has(from)) return;
    drag = { from, x: event.clientX, y: event.clientY, moved: false, dx: 0, dy: 0, id: event.pointerId };
  });

  grid.addEventListener("pointermove", event => {
    if (!drag || event.pointerId !== drag.id) return;
    // The button may have been released outside the page, which then gets no event.
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

  // Draws the dragged worker at the pointer.
  const carry = () => {
    if (!drag || !shown) return;
    const scale = shown.plan.box[2] / picture.clientWidth;
    workerOn(shown.plan, drag.from)?.setAttribute("transform", `translate(${drag.dx * scale} ${drag.dy * scale})`);
  };

  const letGo = () => {
    if (!drag) return;
    if (shown) workerOn(shown.plan, drag.from)?.removeAttribute("transform");
    if (grid.hasPointerCapture(drag.id)) grid.releasePointerCapture(drag.id);
    drag = null;
  };

  /** @param {PointerEvent} event */
  const endDrag = event => {
    if (!drag || event.pointerId !== drag.id) return;
    const { from, moved } = drag;
    letGo();
    const under = moved && event.type === "pointerup" && document.elementsFromPoint(event.clientX, event.clientY)
      .map(spaceAt).find(name => name);
    if (under && under !== from) drop(from, under);
  };
  document.addEventListener("pointerup", endDrag);
  document.addEventListener("pointercancel", endDrag);

  // ---- showing ----

  /** @type {BoardOfPage["show"]} */
  function show(scene, { label, path = null }) {
    const before = shown?.scene ?? null;
    shown = { scene, plan: layOut(scene) };
    const drawing = santorini.svg(scene, looks.now());
    // Do not redraw an unchanged picture: that would end its animations.
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

  return { show, letGo, focus };
};
