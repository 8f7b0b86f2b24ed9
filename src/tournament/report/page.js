// The list of games and the replay of the chosen one. `data` is what games.rs
// makes; `santorini` is the board script.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  // How many rows the list shows before it is asked for more.
  const STEP = 200;
  const games = data.games.map(([game, a, b, winner, ending, start, turns, ms, cards, illegal]) => ({
    game, winner, ending, start, cards, illegal,
    players: [data.players[a], data.players[b]],
    turns: turns ? turns.split(" ") : [],
    seconds: ms.map(value => value / 1000),
  }));

  const make = (parent, name, text, className) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    parent.append(element);
    return element;
  };
  const browser = document.getElementById("browser");
  browser.className = "browser";
  const left = make(browser, "div");
  const filters = make(left, "div", undefined, "filters");
  const count = make(left, "p");
  const list = make(left, "div", undefined, "list");
  const pane = make(browser, "div", undefined, "replay");
  const heading = make(pane, "h3");
  const host = make(pane, "div");
  let shown = STEP;
  let chosen = null;

  const choice = (label, options) => {
    const frame = make(filters, "label", label + " ");
    const select = make(frame, "select");
    for (const text of ["all", ...options]) make(select, "option", text).value = text;
    select.onchange = () => {
      shown = STEP;
      draw();
    };
    return () => select.selectedIndex === 0 ? null : select.value;
  };
  const player = choice("player", data.players);
  const opponent = choice("against", data.players);
  const winner = choice("won by", data.players);
  const ending = choice("ending", [...new Set(games.map(game => game.ending))].sort());

  const nameOfWinner = game => game.winner === null ? null : game.players[game.winner];
  const wanted = game =>
    [player(), opponent()].every(name => name === null || game.players.includes(name)) &&
    (winner() === null || nameOfWinner(game) === winner()) &&
    (ending() === null || game.ending === ending());

  function draw() {
    const found = games.filter(wanted);
    count.textContent = `${found.length} of ${games.length} games`;
    list.replaceChildren();
    const table = make(list, "table");
    const head = make(table, "tr");
    for (const text of ["game", "first player", "second player", "winner", "ending", "turns"]) {
      make(head, "th", text);
    }
    for (const game of found.slice(0, shown)) {
      const row = make(table, "tr");
      row.classList.toggle("chosen", game === chosen);
      const seat = index =>
        game.players[index] + (game.cards ? ` (${game.cards[index]})` : "");
      make(make(row, "td"), "a", game.game).href = `#game-${game.game}`;
      for (const text of [seat(0), seat(1), nameOfWinner(game) ?? "nobody",
        game.ending, game.turns.length]) make(row, "td", text);
      row.onclick = () => { location.hash = `game-${game.game}`; };
    }
    if (found.length > shown) {
      const more = make(list, "button", `show ${Math.min(STEP, found.length - shown)} more`);
      more.onclick = () => {
        shown += STEP;
        draw();
      };
    }
  }

  function choose(game) {
    chosen = game;
    heading.textContent = `Game ${game.game}`;
    santorini.replay(host, game);
    draw();
  }

  function follow() {
    const number = Number((location.hash.match(/^#game-(\d+)$/) || [])[1]);
    const game = games.find(game => game.game === number);
    if (!game) return;
    choose(game);
    document.getElementById("games").scrollIntoView();
    host.focus({ preventScroll: true });
  }

  addEventListener("hashchange", follow);
  draw();
  if (games.length) choose(games[0]);
  follow();
})();
