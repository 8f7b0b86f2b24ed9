// The games that a program lost: a list, the chosen game, and its chances.
// `data` is what page.rs makes; `santorini` is the board script.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const browser = document.getElementById("browser");
  if (!browser) return;

  const make = (parent, name, text, className) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    parent.append(element);
    return element;
  };
  const percent = chance => `${Math.round(100 * chance)}%`;
  browser.className = "browser";
  const list = make(make(browser, "div"), "div", undefined, "list");
  const pane = make(browser, "div", undefined, "replay");
  const heading = make(pane, "h3");
  const told = make(pane, "p");
  const curve = make(pane, "div");
  const host = make(pane, "div");

  const table = make(list, "table");
  const head = make(table, "tr");
  for (const text of ["game", "against", "turn", "played", "better", "chance"]) make(head, "th", text);
  const rows = data.games.map(game => {
    const row = make(table, "tr");
    row.tabIndex = 0;
    const own = game.players.indexOf(data.name);
    const at = game.turning;
    const cells = at
      ? [game.start.turn + at.index + 1, at.played, at.better, `${percent(at.before)} → ${percent(at.after)}`]
      : ["-", "-", "-", "-"];
    for (const text of [game.game, game.players[1 - own], ...cells]) make(row, "td", text);
    row.onclick = () => { location.hash = `game-${game.game}`; };
    row.onkeydown = event => { if (event.key === "Enter") row.onclick(); };
    return row;
  });

  // The chance to win on each board; a click on it shows the board.
  function draw(game) {
    const [wide, high] = [360, 90];
    const x = index => 8 + index * (wide - 16) / Math.max(1, game.chances.length - 1);
    const y = chance => 8 + (1 - chance) * (high - 16);
    const points = game.chances.map((chance, index) => `${x(index).toFixed(1)},${y(chance).toFixed(1)}`);
    const mark = game.turning
      ? `<circle cx="${x(game.turning.index + 1)}" cy="${y(game.turning.after)}" r="5" fill="#c9452a"/>` : "";
    curve.innerHTML = `<svg viewBox="0 0 ${wide} ${high}" role="img" aria-label="chance to win" ` +
      `style="display:block;width:100%;max-width:34rem;cursor:pointer;background:#fff;border:1px solid #e2dfd5">` +
      `<path d="M8 ${y(0.5)}H${wide - 8}" stroke="#d8d4c8"/>` +
      `<polyline points="${points.join(" ")}" fill="none" stroke="#0072b2" stroke-width="2"/>${mark}</svg>`;
    curve.firstChild.onclick = event => {
      const box = curve.firstChild.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width * wide - 8) / (wide - 16);
      show(Math.round(Math.max(0, Math.min(1, share)) * (game.chances.length - 1)));
    };
  }

  // Shows a board of the chosen game.
  const show = index => host.querySelectorAll(".sn-turns button")[index]?.click();

  function choose(game) {
    const own = game.players.indexOf(data.name);
    heading.textContent = `Game ${game.game}, ${own === 0 ? "moving first" : "moving second"}`;
    const at = game.turning;
    told.textContent = at
      ? `Turn ${game.start.turn + at.index + 1}: ${at.played} takes the chance to win from ` +
        `${percent(at.before)} to ${percent(at.after)}; ${at.better} was better.`
      : "It had no turn of its own.";
    draw(game);
    santorini.replay(host, game);
    if (at) show(at.index + 1);
    rows.forEach((row, index) => row.classList.toggle("chosen", data.games[index] === game));
  }

  function follow() {
    const number = Number((location.hash.match(/^#game-(\d+)$/) || [])[1]);
    const game = data.games.find(game => game.game === number);
    if (game) choose(game);
  }

  addEventListener("hashchange", follow);
  choose(data.games[0]);
  follow();
})();
