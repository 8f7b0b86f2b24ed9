// The games that a program lost. `data` is what page.rs makes.
(() => {
  const { name, games } = JSON.parse(document.getElementById("data").textContent);
  const browser = document.getElementById("browser");
  if (!browser) return;

  const percent = chance => `${Math.round(100 * chance)}%`;
  const own = game => game.players.indexOf(name);
  // A cell about the losing turn; "-" if there is none.
  const turning = told => game => game.turning ? told(game.turning, game) : "-";

  function turnLink({ number }, game) {
    const link = document.createElement("a");
    link.href = `#game-${game.game}-turn-${number}`;
    link.textContent = number;
    return link;
  }

  santoriniGames.browse(browser, games, {
    columns: [
      ["against", game => game.players[1 - own(game)], "name"],
      ["turn", turning(turnLink)],
      ["chance", turning(({ before, after }) => `${percent(before)} → ${percent(after)}`)],
      ["played", turning(({ played }) => played)],
      ["better", turning(({ better }) => better)],
    ],
    show: (game, host, turn) => {
      const review = santoriniReview(host, game.players, santorini.scenes(game), game.review);
      review.go((turn ?? game.turning?.number ?? 0) - game.start.turn);
    },
  });
})();
