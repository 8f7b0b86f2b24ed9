// Animations on the board: workers that move, blocks that fall into place, petals after a win.

const motions = (() => {
  // Milliseconds of a move, for each space of its path.
  const STEP = 170;
  // Milliseconds between two blocks on one space.
  const BLOCK = 260;

  /** @type {(picture: Element, name: string, at: Point) => SVGUseElement | null} */
  const shapeAt = (picture, name, [x, y]) =>
    picture.querySelector(`use[href="#sn-${name}"][x="${x}"][y="${y}"]`);

  // What is moving, with its shape's name and place.
  /** @type {{ animation: Animation, name: string, at: Point }[]} */
  let running = [];

  /** @type {(picture: Element, name: string, at: Point, frames: Keyframe[], options: KeyframeAnimationOptions) => void} */
  function move(picture, name, at, frames, options) {
    const shape = shapeAt(picture, name, at);
    if (shape) running.push({ animation: shape.animate(frames, options), name, at });
  }

  // Continues the animations in a redrawn picture.
  /** @param {Element} picture */
  function carryOn(picture) {
    running = running.filter(({ animation, name, at }) => {
      if (animation.playState !== "running") return false;
      const shape = shapeAt(picture, name, at);
      if (shape) /** @type {KeyframeEffect} */ (animation.effect).target = shape;
      else animation.cancel();
      return shape !== null;
    });
  }

  // Whether a worker climbs or descends between two points: a level step moves it by 0 or by
  // `depth` down or up the picture.
  /** @type {(a: Point, b: Point, depth: number) => boolean} */
  const isClimb = (a, b, depth) => ![0, depth].includes(Math.abs(a[1] - b[1]));

  // The frames of a worker that goes along points to the last of them. It hops where it
  // climbs.
  /** @type {(points: Point[], depth: number) => Keyframe[]} */
  function walk(points, depth) {
    const [x, y] = points[points.length - 1];
    /** @type {(to: Point) => Keyframe} */
    const frame = to => ({ transform: `translate(${to[0] - x}px, ${to[1] - y}px)` });
    return points.flatMap((point, index) => {
      const next = points[index + 1];
      if (!next || !isClimb(point, next, depth)) return [frame(point)];
      return [frame(point), frame([(point[0] + next[0]) / 2, Math.min(point[1], next[1]) - 14])];
    });
  }

  // A new block or worker falls into place.
  const FALL = [
    { transform: "translate(0px, -90px)", opacity: 0, offset: 0, easing: "cubic-bezier(.4, 0, .9, .6)" },
    { opacity: 1, offset: 0.3 },
    { transform: "translate(0px, 0px)", offset: 0.68, easing: "ease-out" },
    { transform: "translate(0px, -7px)", offset: 0.82, easing: "ease-in" },
    { transform: "translate(0px, 0px)", offset: 1 },
  ];

  /** @type {(scene: Scene, at: Place) => number} */
  const levelAt = ({ levels }, [row, column]) => levels[row][column];

  // The new levels of a space, the lowest first: two for Hephastus; a dome at any height.
  /** @type {(before: number, after: number) => number[]} */
  const newFloors = (before, after) => after === 4 ? [4]
    : Array.from({ length: after - before }, (_, index) => before + index + 1);

  // Shows what changed between two scenes. The mover goes along `path`, if there is one.
  /** @type {(picture: Element, before: Scene, after: Scene, path: Place[] | null) => void} */
  function show(picture, before, after, path) {
    carryOn(picture);
    const changes = changesOf(before, after);
    const [old, plan] = [before, after].map(scene => santorini.layout(scene, looks.now()));
    const end = path?.at(-1) ?? null;
    /** @type {(seat: Seat, points: Point[]) => void} */
    const go = (seat, points) => move(picture, `worker${seat}`, points[points.length - 1], walk(points, plan.depth),
      { duration: STEP * points.length, easing: "ease-in-out" });
    if (path && end) {
      const seat = after.workers.findIndex(squares => squares.some(at => same(at, end)));
      const from = before.levels.length === after.levels.length ? old : plan;
      go(seat, [...path.slice(0, -1).map(from.stand), plan.stand(end)]);
    }
    if (!changes) return;
    /** @type {(name: string, at: Point, delay: number) => void} */
    const fall = (name, at, delay) => move(picture, name, at, FALL, { duration: 320, delay, fill: "backwards" });
    for (const { seat, from, to } of changes.moved) {
      if (!from) fall(`worker${seat}`, plan.stand(to), 0);
      // It is pushed or swapped.
      else if (end && !same(end, to)) go(seat, [old.stand(from), plan.stand(to)]);
    }
    const delay = path ? STEP * path.length : 0;
    for (const at of changes.raised) {
      newFloors(levelAt(before, at), levelAt(after, at)).forEach((level, index) =>
        fall(`${plan.prefix}level${level}`, plan.origin(at), delay + index * BLOCK));
    }
  }

  // Petals in the winner's colours fall over the board.
  /** @type {(host: HTMLElement, seat: Seat) => void} */
  function celebrate(host, seat) {
    if (isCalm()) return;
    const colours = [["#dd4f2b", "#ff8f63"], ["#6647ac", "#a58be0"]][seat].concat("#ffd84a", "#ffffff");
    const petals = Array.from({ length: 70 }, (_, index) => {
      const petal = make("i", { style: `left: ${Math.random() * 100}%; background: ${colours[index % colours.length]}` });
      const [drift, spin] = [(Math.random() - 0.5) * 160, 200 + Math.random() * 700];
      petal.animate([
        { transform: "translate(0, -20px)", opacity: 1 },
        { opacity: 1, offset: 0.8 },
        { transform: `translate(${drift}px, ${host.clientHeight}px) rotate(${spin}deg)`, opacity: 0 },
      ], { duration: 1500 + Math.random() * 1400, delay: Math.random() * 500, fill: "both", easing: "cubic-bezier(.3, .4, .7, 1)" });
      return petal;
    });
    const sky = make("div", { class: "petals", "aria-hidden": "true" }, ...petals);
    host.append(sky);
    setTimeout(() => sky.remove(), 3600);
  }

  return { show, celebrate, shapeAt };
})();
