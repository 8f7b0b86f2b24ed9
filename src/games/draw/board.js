// Draws Santorini boards in a web page, and replays games step by step.
//
//   santorini.svg(scene, look)      the text of an <svg> element
//   santorini.layout(scene, look)   where things are in that picture
//   santorini.scenes(record)        the scenes of a game record, start first
//   santorini.replay(host, record)  a player with buttons, in the element host.
//                                   Returns {go} as `show` does, or null if the
//                                   record has no board
//   santorini.show(host, names, scenes, shown, look)  the same for scenes made
//                                   elsewhere. Calls `shown`, if given, with the
//                                   index of each scene that it shows. Returns {go}:
//                                   `go(index)` shows a scene. `look` is the first
//                                   look; a button switches `flat`
//   santorini.steps(turn)           the path and the builds of a turn in notation
//   santorini.prepare()             adds shapes and styles to the page; call it
//                                   first if you use `svg` alone
//
// A scene has what `svg` draws; rows and columns count from 0:
//
//   levels   rows of levels 0 to 4, 5x5 or 6x6
//   workers  [[first player's [row, column], ...], [second player's, ...]]
//   last     null, or what the last turn did: {path: [from, (via,) to],
//            built: [[row, column], ...], displaced: null or [from, to]}
//   mover    0 or 1, who is to move; null when the game is over
//   caption  one line about the last turn (not drawn by `svg`)
//   turn     the number of turns played before this board (not drawn)
//   played   the last turn in notation, or null (not drawn)
//
// and, where a page has a use for it:
//
//   lit      spaces that something can be done with: [{at: [row, column],
//            as: "own", "chosen", "move" or "build"}, ...]
//   arrows   turns that could be played, the best one first, as `last` is:
//            [{path, built}, ...]
//
// A look is how it is drawn, all parts optional: {flat, turned}. `flat` draws the board
// from above. `turned` is the number of quarter turns clockwise.
//
// The shapes and colours come from look.svg, towers.svg, flat.svg and marks.svg, whose text
// `santoriniLook` holds. plan.rs has the same layout.
const santorini = (() => {
  const same = (a, b) => a[0] === b[0] && a[1] === b[1];
  const letters = "abcdef";
  // The margin at the left and the right, for the coordinates and the sea.
  const SIDE = 44;
  // The measures of the two views; see `Measures` in plan.rs.
  const TOWERS = {
    prefix: "", depth: 82, above: 54, below: 66, cliff: 16, stand: 64,
    tops: [[0, 0, 100, 82], [7, -12, 86, 70], [16, -22, 68, 56], [25, -31, 50, 42], [25, -31, 50, 42]],
  };
  const FLAT = {
    prefix: "flat-", depth: 100, above: 24, below: 50, cliff: 0, stand: 51,
    tops: [[0, 0, 100, 100], [7, 7, 86, 86], [18, 18, 64, 64], [28, 28, 44, 44], [28, 28, 44, 44]],
  };

  // Where things are in a picture of the scene, in its units:
  //
  //   box          [x, y, width, height] of the picture
  //   cell(at)     [row, column] on the screen of a space
  //   top(at)      [x, y, width, height] of the top of a space's tower, or of its ground
  //   middle(at)   [x, y] of the middle of that
  //   stand(at)    [x, y] of the shape of a worker that stands there
  //   depth        the height of a space
  function layout(scene, { flat = false, turned = 0 } = {}) {
    const measures = flat ? FLAT : TOWERS;
    const { depth, above, below, tops, stand } = measures;
    const size = scene.levels.length;
    const cell = ([row, column]) => {
      for (let i = 0; i < turned % 4; i++) [row, column] = [column, size - 1 - row];
      return [row, column];
    };
    const origin = at => {
      const [row, column] = cell(at);
      return [column * 100, row * depth];
    };
    const top = at => {
      const [x, y, width, height] = tops[scene.levels[at[0]][at[1]]];
      const [left, back] = origin(at);
      return [left + x, back + y, width, height];
    };
    const middle = at => {
      const [x, y, width, height] = top(at);
      return [x + width / 2, y + height / 2];
    };
    return {
      ...measures, size, turned, cell, origin, top, middle,
      stand: at => [middle(at)[0] - 50, middle(at)[1] - stand],
      box: [-SIDE, -above, size * 100 + 2 * SIDE, size * depth + above + below],
    };
  }

  const use = (name, [x, y]) => `<use href="#sn-${name}" x="${x}" y="${y}"/>`;

  function mark(kind, [x, y, width, height]) {
    return `<rect class="sn-${kind}" x="${x + 3}" y="${y + 3}" width="${width - 6}" height="${height - 6}" rx="5"/>`;
  }

  // The sea, and the island in it with its cliff.
  function island({ size, depth, box: [x, y, width, height], cliff }) {
    const wide = size * 100 + 64;
    const high = size * depth + 52;
    const waves = Array.from({ length: cliff ? size : 0 }, (_, i) =>
      use("wave", [i * 100 + 10 + i % 2 * 40, i % 2 * 11 - 42])).join("");
    return `<rect class="sn-sea" x="${x}" y="${y}" width="${width}" height="${height}" rx="22" fill="url(#sn-sea)"/>` + waves +
      `<rect x="-35" y="-17" width="${wide + 6}" height="${high + cliff + 6}" rx="21" fill="#ffffff" opacity="0.45"/>` +
      `<rect x="-32" y="-14" width="${wide}" height="${high + cliff}" rx="18" fill="url(#sn-cliff)"/>` +
      `<rect class="sn-sand" x="-32" y="-14" width="${wide}" height="${high}" rx="18" fill="#ead9ae"/>`;
  }

  function coordinates({ size, depth, turned }) {
    const label = (text, x, y) => `<text class="sn-text" font-size="21" x="${x}" y="${y}">${text}</text>`;
    let text = "";
    for (let i = 0; i < size; i++) {
      // A turned board may count from the other end.
      const [row, column] = [turned === 2 || turned === 3, turned === 1 || turned === 2]
        .map(isReversed => isReversed ? size - 1 - i : i);
      const [down, along] = turned % 2 ? [letters[row], column + 1] : [row + 1, letters[column]];
      text += label(down, -16, i * depth + depth / 2 + 8) + label(along, i * 100 + 50, size * depth + 26);
    }
    return text;
  }

  // A way from space to space that stops short of the middle of the last one;
  // `aside` moves it sideways, so that two ways can pass each other.
  function way({ middle }, spaces, head, aside, inks) {
    let points = spaces.map(middle);
    const [x1, y1] = points[points.length - 2];
    const [x2, y2] = points[points.length - 1];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    points[points.length - 1] = [x2 - dx * 34, y2 - dy * 34];
    points = points.map(([x, y]) => [x - dy * aside, y + dx * aside]);
    const path = "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const [rim, core] = inks;
    return `<path class="sn-way" d="${path}" stroke="${rim}" stroke-width="11"/>` +
      `<path class="sn-way" d="${path}" stroke="${core}" stroke-width="6" marker-end="url(#sn-${head})"/>`;
  }

  // Where a sign stands on a space: in the middle, but beside the digit of a tower.
  function signAt({ levels }, plan, at) {
    const level = levels[at[0]][at[1]];
    const [left, , width] = plan.top(at);
    const [x, y] = plan.middle(at);
    return [level > 0 && level < 4 ? Math.min(x, left + width - 38) : x, y];
  }

  // A turn that could be played; those behind the best one are fainter.
  function arrow(scene, plan, { path, built }, rank) {
    const inside = way(plan, path, "best", 0, ["#ffffff", "#0b5fa5"]) +
      built.map(at => use("hint-build", signAt(scene, plan, at))).join("");
    return `<g opacity="${rank === 0 ? 1 : 0.55 / rank ** 0.5}">${inside}</g>`;
  }

  // The steps of a turn in notation, as `last` has them.
  function steps(turn) {
    const path = [spaceOf(turn)];
    const built = [];
    for (const [, sign, name] of turn.matchAll(/([-x+^])([a-f][1-6])/g)) {
      const at = spaceOf(name);
      if (sign === "-" || sign === "x") path.push(at);
      else if (!built.some(space => same(space, at))) built.push(at);
    }
    return { path, built };
  }

  // A space with its tower, its marks and its worker.
  function space(scene, plan, at) {
    const level = scene.levels[at[0]][at[1]];
    const { last, lit = [] } = scene;
    const top = plan.top(at);
    const [x, y, width, height] = top;
    const isHere = other => same(other, at);
    let inside = "";
    for (let floor = 1; floor <= level; floor++) inside += use(`${plan.prefix}level${floor}`, plan.origin(at));
    if (last?.path.slice(0, -1).some(isHere)) inside += mark("left", top);
    if (last && isHere(last.path[last.path.length - 1])) inside += mark("arrived", top);
    if (last?.built.some(isHere)) inside += mark("built", top) + use("plus", [x + width - 4, y + 4]);
    inside += lit.filter(({ at }) => isHere(at)).map(({ as }) => mark(as, top)).join("");
    scene.workers.forEach((squares, player) => {
      if (squares.some(isHere)) inside += use(`worker${player}`, plan.stand(at));
    });
    if (level > 0 && level < 4) {
      // Right of a worker, which would hide it on a narrow tower.
      const least = scene.workers.flat().some(isHere) ? plan.origin(at)[0] + 76 : -Infinity;
      const right = Math.max(x + width - 15, least);
      inside += `<text class="sn-level" x="${right}" y="${y + height - 10}">${level}</text>`;
    }
    return inside;
  }

  // Draws, above all towers: the path of the last turn, signs on the spaces to move to or build
  // on, and arrows for turns that could be played.
  function ways(scene, plan) {
    const { last, lit = [], arrows = [] } = scene;
    let inside = "";
    if (last) {
      inside += way(plan, last.path, "head", last.displaced ? 12 : 0, ["#4a3a00", "#ffd84a"]);
      if (last.displaced) inside += way(plan, last.displaced, "push", 12, ["#333333", "#ffffff"]);
    }
    inside += lit.filter(({ as }) => as === "move" || as === "build")
      .map(({ as, at }) => use(`${as}-sign`, signAt(scene, plan, at))).join("");
    return inside + arrows.map((turn, rank) => arrow(scene, plan, turn, rank)).reverse().join("");
  }

  function svg(scene, look) {
    const plan = layout(scene, look);
    const spaces = scene.levels.flatMap((levels, row) => levels.map((_, column) => [row, column]));
    const order = ([row, column]) => row * plan.size + column;
    spaces.sort((a, b) => order(plan.cell(a)) - order(plan.cell(b)));
    const ground = at => use(`${plan.prefix}grass${(at[0] + at[1]) % 2}`, plan.origin(at));
    return `<svg xmlns="http://www.w3.org/2000/svg" class="sn-board" viewBox="${plan.box.join(" ")}" role="img" aria-label="Board">` +
      island(plan) + coordinates(plan) + spaces.map(ground).join("") +
      spaces.map(at => space(scene, plan, at)).join("") + ways(scene, plan) + "</svg>";
  }

  const spaceOf = text => [Number(text[1]) - 1, letters.indexOf(text[0])];

  // Plays one legal turn in notation; `push` says whether a worker in the way
  // is pushed on (Minotaur) or swapped (Apollo). See src/engine/rules/turn.rs.
  function play(scene, turn, push) {
    const levels = scene.levels.map(row => row.slice());
    const workers = scene.workers.map(squares => squares.slice());
    const player = scene.mover;
    const { path, built } = steps(turn);
    let displaced = null;
    for (const [, sign, name] of turn.matchAll(/([x+^])([a-f][1-6])/g)) {
      const at = spaceOf(name);
      if (sign === "x") {
        const from = path[0];
        const to = push ? [2 * at[0] - from[0], 2 * at[1] - from[1]] : from;
        workers[1 - player] = workers[1 - player].map(w => same(w, at) ? to : w);
        displaced = [at, to];
      } else {
        levels[at[0]][at[1]] = sign === "^" ? 4 : levels[at[0]][at[1]] + 1;
      }
    }
    const to = path[path.length - 1];
    workers[player] = workers[player].map(w => same(w, path[0]) ? to : w);
    const wins = turn.endsWith("#");
    return { levels, workers, last: { path, built, displaced }, mover: wins ? null : 1 - player };
  }

  function scenes(record) {
    const board = record.start;
    if (!board) return [];
    const first = board.turn % 2;
    const seats = [board.players[first], board.players[1 - first]];
    const squares = player => (player.tokens || player).map(([r, c]) => [r - 1, c - 1]);
    const push = seats.map(player => player.card === "Minotaur");
    let scene = { levels: board.spaces, workers: seats.map(squares), last: null, mover: first };
    Object.assign(scene, { caption: `turn ${board.turn}: start`, turn: board.turn, played: null });
    const all = [scene];
    record.turns.forEach((turn, index) => {
      const player = scene.mover;
      scene = play(scene, turn, push[player]);
      const seconds = (record.seconds || [])[index];
      const time = seconds === undefined ? "" : ` in ${seconds.toFixed(2)} s`;
      const number = board.turn + index + 1;
      const caption = `turn ${number}: ${record.players[player]} played ${turn}${time}`;
      Object.assign(scene, { caption, turn: number, played: turn });
      all.push(scene);
    });
    const end = all[all.length - 1];
    end.mover = null;
    const winner = record.winner === null ? "no player" : record.players[record.winner];
    end.caption += `; ${winner} wins (${record.ending})`;
    // The illegal board that lost the game.
    const illegal = record.illegal;
    if (illegal) {
      const number = illegal.turn;
      const loser = record.players[end.turn % 2];
      const at = illegal.turn % 2;
      const order = [illegal.players[at], illegal.players[1 - at]];
      all.push({ levels: illegal.spaces, workers: order.map(squares), last: null, mover: null, turn: number,
        caption: `${illegal.why ?? `not legal: ${loser} answered with this board`}; ${winner} wins`, played: "not legal" });
    }
    return all;
  }

  // The shapes and styles, once in a page.
  function prepare() {
    if (document.getElementById("sn-look")) return;
    const look = document.createElement("div");
    look.id = "sn-look";
    look.innerHTML = `<svg width="0" height="0" style="position:absolute">${santoriniLook}</svg><style>
.sn-board{display:block;width:100%;height:auto}
.sn-replay{color:var(--ink,#22333b);max-width:36rem;outline:none}
.sn-replay.sn-keys:focus-visible{outline:3px solid var(--sea,#1a629e);outline-offset:.2em}
.sn-replay .sn-players{display:flex;gap:.6em 1.5em;margin:0 0 .6em;flex-wrap:wrap;overflow-wrap:anywhere}
.sn-replay .sn-players span{padding:.2em .6em;border-left:.8em solid;border-radius:.3em}
.sn-replay .sn-players span:nth-child(1){border-color:#c9452a}
.sn-replay .sn-players span:nth-child(2){border-color:#7b5fb5}
.sn-replay .sn-players .sn-moves,.sn-replay .sn-turns .sn-now{background:var(--sun,#ffd84a);color:var(--on-sun,#3b2f00)}
.sn-replay .sn-caption{min-height:1.4em;margin:.5em 0;overflow-wrap:anywhere}
.sn-replay .sn-buttons{display:flex;gap:.3em;align-items:center;flex-wrap:wrap}
.sn-replay .sn-buttons input{flex:1 1 10em;min-height:44px}
.sn-replay .sn-turns{position:relative;max-height:9em;overflow-y:auto;margin:.5em 0}
.sn-replay .sn-turns button:focus-visible{outline-offset:-3px}
.sn-replay .sn-turns button{font:.85em "DejaVu Sans Mono",Menlo,Consolas,monospace;border:0;background:none;color:inherit;padding:.3em .4em;margin:0 .2em 0 0}
.sn-replay button{font-size:1.1em;min-width:44px;min-height:44px;border:1px solid var(--line,#d9cfba);border-radius:.5em;background:var(--card,#fffdf8);color:inherit;cursor:pointer}
.sn-replay button[aria-pressed=true]{background:var(--sea,#1a629e);border-color:var(--sea,#1a629e);color:var(--on-sea,#fff)}
.sn-replay .sn-buttons button{padding:.3em .5em}
.sn-replay button:disabled{opacity:.5;cursor:default}
</style>`;
    document.body.prepend(look);
  }

  function make(parent, name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  function replay(host, record) {
    const cards = record.cards;
    const names = record.players.map((name, seat) => cards ? `${name} (${cards[seat]})` : name);
    const all = scenes(record);
    if (all.length) return show(host, names, all);
    host.replaceChildren();
    make(host, "p", "", `The game ended before the first turn: ${record.ending}.`);
    return null;
  }

  // Whether boards are shown from above, in all replays of the page; null before the first.
  let isFlat = null;

  function show(host, names, all, shown, look) {
    prepare();
    isFlat ??= Boolean(look && look.flat);
    if (host.stopReplay) host.stopReplay();
    host.replaceChildren();
    host.classList.add("sn-replay");
    host.tabIndex = 0;
    // Pages focus it for its keys: it has a ring once one is used.
    host.onkeyup = () => host.classList.add("sn-keys");
    const players = make(host, "p", "sn-players");
    for (const name of names) make(players, "span", "", name);
    const board = make(host, "div");
    const caption = make(host, "p", "sn-caption");
    caption.setAttribute("role", "status");
    const buttons = make(host, "div", "sn-buttons");
    const list = make(host, "p", "sn-turns");
    let now = 0;
    let timer = null;
    const button = (text, title, act) => {
      const element = make(buttons, "button", "", text);
      element.type = "button";
      element.title = title;
      if (text.length === 1) element.setAttribute("aria-label", title);
      element.onclick = act;
      return element;
    };
    host.stopReplay = () => {
      clearInterval(timer);
      timer = null;
    };
    const go = to => {
      host.stopReplay();
      turnTo(to);
    };
    const items = all.map((scene, index) => {
      const item = make(list, "button", "", `${scene.turn} ${scene.played || ""}`.trim());
      item.type = "button";
      item.onclick = () => go(index);
      return item;
    });
    const start = button("«", "start (Home)", () => go(0));
    const back = button("‹", "one turn back (left arrow)", () => go(now - 1));
    const run = button("Play", "play (space bar)", () => {
      if (timer) {
        go(now);
        return;
      }
      if (now === all.length - 1) turnTo(0);
      timer = setInterval(() => {
        turnTo(now + 1);
        if (now === all.length - 1) go(now);
      }, 900);
      turnTo(now);
    });
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = 0;
    slider.max = all.length - 1;
    slider.setAttribute("aria-label", "turn");
    slider.oninput = () => go(Number(slider.value));
    const next = button("›", "one turn forward (right arrow)", () => go(now + 1));
    const end = button("»", "end (End)", () => go(all.length - 1));
    const flat = button("Flat", "show the board from above (F)", () => {
      isFlat = !isFlat;
      draw();
    });
    buttons.append(slider);
    host.onkeydown = event => {
      const act = { ArrowLeft: back, ArrowRight: next, Home: start, End: end, " ": run, f: flat }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      if (!act.disabled) act.onclick();
    };
    function draw() {
      board.innerHTML = svg(all[now], { ...look, flat: isFlat });
      flat.setAttribute("aria-pressed", String(isFlat));
    }
    function turnTo(to) {
      now = Math.max(0, Math.min(all.length - 1, to));
      const scene = all[now];
      draw();
      caption.textContent = scene.caption;
      slider.value = now;
      start.disabled = back.disabled = now === 0;
      end.disabled = next.disabled = now === all.length - 1;
      run.textContent = timer ? "Pause" : "Play";
      [...players.children].forEach((element, seat) =>
        element.classList.toggle("sn-moves", scene.mover === seat));
      items.forEach((item, index) => item.classList.toggle("sn-now", index === now));
      const item = items[now];
      list.scrollTop = item.offsetTop - list.clientHeight / 2;
      if (shown) shown(now);
    }
    turnTo(0);
    return { go };
  }

  return { svg, layout, scenes, replay, show, steps, prepare };
})();
