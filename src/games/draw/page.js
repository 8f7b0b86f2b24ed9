const games = JSON.parse(document.getElementById("data").textContent);
const choice = document.getElementById("choice");
const select = choice.querySelector("select");
const host = document.getElementById("game");
for (const game of games) select.add(new Option(game.title));
choice.hidden = games.length < 2;
select.onchange = () => {
  const game = games[select.selectedIndex];
  santorini.show(host, game.names, game.scenes, undefined, { flat: "flat" in host.dataset });
  // In a frame, the focus would scroll the page around it.
  if (parent === window) host.focus({ preventScroll: true });
};
select.onchange();
