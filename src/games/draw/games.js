// Games in a web page: a list, and the chosen one beside it, which the address of
// the page names: #game-7, or #game-7-turn-12 for a board of it.
//
//   santoriniGames.browse(host, games, {columns, filters, show})
//     games    objects with `game`, the number
//     columns  [head, cell, class]: `cell(game)` returns a text or an element.
//              Use the class "name" for texts that can be long. The first column
//              is always the number of the game
//     filters  optional: (frame, again) => game => whether it is listed. Adds its
//              fields to the frame; they call `again` when they change
//     show     (game, host, turn) => shows a game; `turn` if the address names one
//   santoriniGames.make(parent, name, text, class)  a new element
const santoriniGames = (() => {
  // The rows shown at first, and added by each click on "show more".
  const STEP = 200;

  function make(parent, name, text, className) {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    parent.append(element);
    return element;
  }

  function browse(host, games, { columns, filters, show }) {
    host.className = "browser";
    const left = make(host, "div");
    const frame = make(left, "div", undefined, "filters");
    const count = make(left, "p");
    const list = make(left, "div", undefined, "list");
    const pane = make(host, "div", undefined, "replay");
    const heading = make(pane, "h3");
    const shown = make(pane, "div");
    let rows = STEP;
    let chosen = null;
    const wanted = filters ? filters(frame, () => { rows = STEP; draw(); }) : () => true;

    function draw() {
      const found = games.filter(wanted);
      count.textContent = filters ? `${found.length} of ${games.length} games` : `${games.length} games`;
      list.replaceChildren();
      const table = make(list, "table");
      const head = make(table, "tr");
      for (const text of ["game", ...columns.map(([text]) => text)]) make(head, "th", text);
      for (const game of found.slice(0, rows)) {
        const row = make(table, "tr");
        row.classList.toggle("chosen", game === chosen);
        make(make(row, "td"), "a", game.game).href = `#game-${game.game}`;
        for (const [, cell, className] of columns) make(row, "td", undefined, className).append(cell(game));
        row.onclick = event => {
          if (!event.target.closest("a")) location.hash = `game-${game.game}`;
        };
      }
      if (found.length > rows) {
        const more = make(list, "button", `show ${Math.min(STEP, found.length - rows)} more`);
        more.onclick = () => {
          rows += STEP;
          draw();
        };
      }
    }

    function choose(game, turn) {
      chosen = game;
      heading.textContent = `Game ${game.game}`;
      show(game, shown, turn);
      const { scrollTop } = list;
      draw();
      list.scrollTop = scrollTop;
    }

    function follow() {
      const [, number, turn] = location.hash.match(/^#game-(\d+)(?:-turn-(\d+))?$/) || [];
      const game = games.find(game => game.game === Number(number));
      if (!game) return;
      choose(game, turn === undefined ? undefined : Number(turn));
      // On a narrow screen the game is below the list, out of sight.
      (pane.offsetTop > left.offsetTop ? pane : host).scrollIntoView();
      shown.querySelector(".sn-replay")?.focus({ preventScroll: true });
    }

    addEventListener("hashchange", follow);
    draw();
    if (games.length) choose(games[0]);
    follow();
  }

  return { browse, make };
})();
