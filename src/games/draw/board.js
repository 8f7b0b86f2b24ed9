// Draws Santorini boards in a web page, and replays games step by step.
//
//   santorini.svg(scene)            the text of an <svg> element
//   santorini.scenes(record)        the scenes of a game record, start first
//   santorini.replay(host, record)  a player with buttons, in the element host.
//                                   Returns {go} as `show` does, if there is a
//                                   board to show
//   santorini.show(host, names, scenes, shown)  the same for scenes made
//                                   elsewhere; `shown`, if given, is told the
//                                   index of each scene that is shown. Returns
//                                   {go}, a function that shows a scene
//   santorini.steps(turn)           the path and the builds of a turn in notation
//   santorini.prepare()             adds shapes and styles to the page; who
//                                   uses `svg` alone calls it first
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
// The shapes and colours are those of look.svg and marks.svg, which stand in
// `santoriniLook`. The layout is that of svg.rs: a space is 100 units wide,
// with 50 units around the board for the coordinates.
const santorini = (() => {
  const middle = ([row, column]) => [column * 100 + 50, row * 100 + 50];
  const use = (name, [row, column]) =>
    `<use href="#sn-${name}" x="${column * 100}" y="${row * 100}"/>`;
  const same = (a, b) => a[0] === b[0] && a[1] === b[1];
  const letters = "abcdef";

  function coordinates(size) {
    const end = size * 100;
    let text = "";
    for (let i = 0; i < size; i++) {
      const along = i * 100 + 50;
      text += `<text class="sn-text" font-size="26" x="${along}" y="-14">${letters[i]}</text>`;
      text += `<text class="sn-text" font-size="26" x="-24" y="${along + 9}">${i + 1}</text>`;
      text += `<text class="sn-text sn-minor" font-size="20" x="${along}" y="${end + 31}">${i + 1}</text>`;
    }
    return text;
  }

  // A way from space to space that stops short of the middle of the last one;
  // `aside` moves it sideways, so that two ways can pass each other.
  function way(spaces, head, aside, inks) {
    let points = spaces.map(middle);
    const [x1, y1] = points[points.length - 2];
    const [x2, y2] = points[points.length - 1];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    points[points.length - 1] = [x2 - dx * 40, y2 - dy * 40];
    points = points.map(([x, y]) => [x - dy * aside, y + dx * aside]);
    const path = "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const [rim, core] = inks;
    return `<path class="sn-way" d="${path}" stroke="${rim}" stroke-width="11"/>` +
      `<path class="sn-way" d="${path}" stroke="${core}" stroke-width="6" marker-end="url(#sn-${head})"/>`;
  }

  // A turn that could be played; those behind the best one are fainter.
  function arrow({ path, built }, rank) {
    const inside = way(path, "best", 0, ["#ffffff", "#0b5fa5"]) +
      built.map(at => use("hint-build", at)).join("");
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

  function svg(scene) {
    const size = scene.levels.length;
    const wide = size * 100 + 100;
    const last = scene.last;
    let inside = "";
    scene.levels.forEach((levels, row) => levels.forEach((level, column) => {
      const at = [row, column];
      inside += use(`grass${(row + column) % 2}`, at) + use(`level${level}`, at);
      if (level > 0) {
        inside += `<text class="sn-level" x="${column * 100 + 85}" y="${row * 100 + 91}">${level}</text>`;
      }
    }));
    if (last) {
      inside += last.path.slice(0, -1).map(at => use("left", at)).join("");
      inside += use("arrived", last.path[last.path.length - 1]);
      inside += last.built.map(at => use("built", at)).join("");
      inside += way(last.path, "head", last.displaced ? 12 : 0, ["#4a3a00", "#ffd84a"]);
      if (last.displaced) {
        inside += way(last.displaced, "push", 12, ["#333333", "#ffffff"]);
      }
    }
    const lit = scene.lit || [];
    const isBelow = ({ as }) => as === "own" || as === "chosen";
    inside += lit.filter(isBelow).map(({ as, at }) => use(as, at)).join("");
    scene.workers.forEach((squares, player) => {
      inside += squares.map(at => use(`worker${player}`, at)).join("");
    });
    inside += lit.filter(space => !isBelow(space)).map(({ as, at }) => use(as, at)).join("");
    inside += (scene.arrows || []).map(arrow).reverse().join("");
    return `<svg xmlns="http://www.w3.org/2000/svg" class="sn-board" viewBox="-50 -50 ${wide} ${wide}" role="img">` +
      `<rect x="-50" y="-50" width="${wide}" height="${wide}" rx="24" fill="url(#sn-cliff)"/>` +
      coordinates(size) + inside + "</svg>";
  }

  const spaceOf = text => [Number(text[1]) - 1, letters.indexOf(text[0])];

  // Plays one legal turn in notation; `push` says whether a worker in the way
  // is pushed on (Minotaur) or swapped (Apollo). See src/engine/rules/turn.rs.
  function play(scene, turn, push) {
    const levels = scene.levels.map(row => row.slice());
    const workers = scene.workers.map(squares => squares.slice());
    const player = scene.mover;
    const path = [spaceOf(turn)];
    const built = [];
    let displaced = null;
    for (const [, sign, name] of turn.matchAll(/([-x+^])([a-f][1-6])/g)) {
      const at = spaceOf(name);
      if (sign === "+" || sign === "^") {
        levels[at[0]][at[1]] = sign === "^" ? 4 : levels[at[0]][at[1]] + 1;
        if (!built.some(space => same(space, at))) built.push(at);
        continue;
      }
      if (sign === "x") {
        const from = path[0];
        const to = push ? [2 * at[0] - from[0], 2 * at[1] - from[1]] : from;
        workers[1 - player] = workers[1 - player].map(w => same(w, at) ? to : w);
        displaced = [at, to];
      }
      path.push(at);
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
    const winner = record.winner === null ? "nobody" : record.players[record.winner];
    end.caption += `; ${winner} wins (${record.ending})`;
    // The board by which the game was lost, which no legal turn leads to.
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
.sn-replay{color:var(--ink,#22333b);max-width:36rem}
.sn-replay:focus-visible{outline:3px solid var(--sea,#1a629e);outline-offset:.4em}
.sn-replay .sn-players{display:flex;gap:.6em 1.5em;margin:0 0 .6em;flex-wrap:wrap}
.sn-replay .sn-players span{padding:.2em .6em;border-left:.8em solid;border-radius:.3em}
.sn-replay .sn-players span:nth-child(1){border-color:#c9452a}
.sn-replay .sn-players span:nth-child(2){border-color:#7b5fb5}
.sn-replay .sn-players .sn-moves,.sn-replay .sn-turns .sn-now{background:var(--sun,#ffd84a);color:var(--on-sun,#3b2f00)}
.sn-replay .sn-caption{min-height:1.4em;margin:.5em 0}
.sn-replay .sn-buttons{display:flex;gap:.3em;align-items:center}
.sn-replay .sn-buttons input{flex:1;min-width:4em}
.sn-replay .sn-turns{position:relative;max-height:9em;overflow-y:auto;margin:.5em 0}
.sn-replay .sn-turns button{font:.85em "DejaVu Sans Mono",Menlo,Consolas,monospace;border:0;background:none;color:inherit;padding:.3em .4em;margin:0 .2em 0 0}
.sn-replay button{font-size:1.1em;min-width:44px;min-height:44px;border:1px solid var(--line,#d9cfba);border-radius:.5em;background:var(--card,#fffdf8);color:inherit;cursor:pointer}
.sn-replay .sn-turns .sn-now{background:var(--sun,#ffd84a);color:var(--on-sun,#3b2f00)}
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

  function show(host, names, all, shown) {
    prepare();
    if (host.stopReplay) host.stopReplay();
    host.replaceChildren();
    host.classList.add("sn-replay");
    host.tabIndex = 0;
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
      look(to);
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
      if (now === all.length - 1) look(0);
      timer = setInterval(() => {
        look(now + 1);
        if (now === all.length - 1) go(now);
      }, 900);
      look(now);
    });
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = 0;
    slider.max = all.length - 1;
    slider.setAttribute("aria-label", "turn");
    slider.oninput = () => go(Number(slider.value));
    buttons.append(slider);
    const next = button("›", "one turn on (right arrow)", () => go(now + 1));
    const end = button("»", "end (End)", () => go(all.length - 1));
    host.onkeydown = event => {
      const act = { ArrowLeft: back, ArrowRight: next, Home: start, End: end, " ": run }[event.key];
      if (!act) return;
      event.preventDefault();
      if (!act.disabled) act.onclick();
    };
    function look(to) {
      now = Math.max(0, Math.min(all.length - 1, to));
      const scene = all[now];
      board.innerHTML = svg(scene);
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
    look(0);
    return { go };
  }

  return { svg, scenes, replay, show, steps, prepare };
})();
