// The games of a tournament. `data` is what games.rs makes.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const games = data.games.map(([game, a, b, winner, ending, start, turns, ms, cards, illegal]) => ({
    game, winner, ending, start, cards, illegal,
    players: [data.players[a], data.players[b]],
    turns: turns ? turns.split(" ") : [],
    seconds: ms.map(value => value / 1000),
  }));
  const nameOfWinner = game => game.winner === null ? null : game.players[game.winner];
  const seat = index => game => game.players[index] + (game.cards ? ` (${game.cards[index]})` : "");

  function filters(frame, again) {
    const choice = (label, options) => {
      const field = santoriniGames.make(frame, "label", label + " ");
      const select = santoriniGames.make(field, "select");
      for (const text of ["all", ...options]) santoriniGames.make(select, "option", text).value = text;
      select.onchange = again;
      return () => select.selectedIndex === 0 ? null : select.value;
    };
    const player = choice("player", data.players);
    const opponent = choice("against", data.players);
    const winner = choice("won by", data.players);
    const ending = choice("ending", [...new Set(games.map(game => game.ending))].sort());
    return game =>
      [player(), opponent()].every(name => name === null || game.players.includes(name)) &&
      (winner() === null || nameOfWinner(game) === winner()) &&
      (ending() === null || game.ending === ending());
  }

  santoriniGames.browse(document.getElementById("browser"), games, {
    columns: [
      ["first player", seat(0), "name"],
      ["second player", seat(1), "name"],
      ["winner", game => nameOfWinner(game) ?? "none", "name"],
      ["ending", game => game.ending],
      ["turns", game => game.turns.length],
    ],
    filters,
    show: (game, host, turn) => {
      const replay = host.querySelector(".sn-replay") || santoriniGames.make(host, "div");
      santorini.replay(replay, game)?.go((turn ?? 0) - (game.start?.turn ?? 0));
    },
  });
})();
