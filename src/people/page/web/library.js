// The list of own games: continue, review, save or delete each of them.

const library = (() => {
  // The games deleted since the list was opened, the last one at the end.
  /** @type {SavedGame[]} */
  let deleted = [];

  // The record of a game with its number in a file, from 0.
  /** @type {(game: SavedGame, number: number) => Promise<string>} */
  async function recordOf(game, number) {
    const players = namesForOthers(games.playersOf(game));
    const { record } = await client.ask({ do: "record", position: game.position, tree: game.tree, players });
    return `${JSON.stringify({ ...JSON.parse(record), game: number })}\n`;
  }

  /** @param {SavedGame[]} all */
  async function save(all) {
    const records = [];
    for (const [number, game] of all.entries()) records.push(await recordOf(game, number));
    download(all.length === 1 ? "game.jsonl" : "games.jsonl", textFile(records.join(""), "application/json"));
    return "choose";
  }

  /** @type {(game: SavedGame) => Promise<void>} */
  const goOn = game => session.continueGame({ ...game, isThinking: true });

  /** @param {SavedGame} game */
  async function judge(game) {
    await session.continueGame({ ...game, at: [], isThinking: false });
    review.start();
  }

  // The list, in an element that is redrawn after each change. `attempt` closes the dialog or
  // says what failed.
  /** @param {(open: () => Promise<any>) => void} attempt */
  function panel(attempt) {
    const said = make("p", { role: "status", class: "soft" });
    const body = make("div", {});
    deleted = [];

    /** @param {SavedGame} game */
    function row(game) {
      const title = games.title(game);
      /** @type {(words: string, act: () => void) => HTMLElement} */
      const act = (words, act) => button(words, act, { "aria-label": `${words}: ${title}` });
      const [who, rest] = games.words(game);
      const name = button(who, () => attempt(() => goOn(game)), { class: "title", title: "Continue this game" });
      name.append(make("span", { class: "comma" }, ", "), make("small", {}, rest));
      return make("li", {}, name,
        act("Review", () => attempt(() => judge(game))),
        act("Save", () => attempt(() => save([game]))),
        act("Delete", () => {
          games.remove(game);
          deleted.push(game);
          draw();
        }));
    }

    function draw() {
      const all = games.list();
      const last = deleted.at(-1);
      said.textContent = last ? `Deleted: ${games.title(last)}.`
        : games.trouble() ? games.trouble()
        : all.length ? `This browser keeps your last ${games.MOST} games, or fewer if its storage is full.` : "The games that you play are listed here.";
      replaceControls(body, [
        last ? button("Undo: delete", () => {
          deleted.pop();
          games.restore(last);
          draw();
        }) : null,
        make("ul", { class: "games" }, ...all.map(row)),
        all.length > 1 ? button("Save all", () => attempt(() => save(all))) : null,
      ].filter(part => part !== null));
    }

    draw();
    // Another tab has changed the list.
    /** @param {StorageEvent} event */
    const follow = ({ key }) => {
      if (!body.isConnected) return removeEventListener("storage", follow);
      if (key === null || key.includes(".game.")) draw();
    };
    addEventListener("storage", follow);
    return make("section", { class: "library", "aria-labelledby": "ownTitle" },
      make("h3", { id: "ownTitle" }, "Your games"), said, body);
  }

  return { panel };
})();
