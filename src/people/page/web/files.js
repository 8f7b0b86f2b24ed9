// Opening and saving: positions, games with their variations, files of many
// games, pictures.

const files = (() => {
  const record = async () => {
    const answer = await desk.ask({
      do: "record", position: state.root.view.position, tree: tree.write(state.root),
      players: [0, 1].map(nameOfSeat),
    });
    return answer.record;
  };

  // ---- opening ----

  // The games of a text: one JSON value a line, as records are kept, or one
  // value over many lines.
  function gamesIn(text) {
    try {
      const value = JSON.parse(text);
      return isGame(value) ? [value] : [];
    } catch {
      const lines = text.split("\n").filter(line => line.trim());
      const games = [];
      const boards = [];
      lines.forEach((line, index) => {
        let value;
        try {
          value = JSON.parse(line);
        } catch {
          // A program that was killed may not have written its last line whole.
          if (index === lines.length - 1 && games.length + boards.length) return;
          throw new Error(`Line ${index + 1} is not JSON.`);
        }
        if (isGame(value)) games.push(value);
        else if (value?.spaces) boards.push(value);
      });
      return games.length || !boards.length ? games : [{ boards }];
    }
  }

  const isGame = value => Array.isArray(value?.turns) || Array.isArray(value?.boards) ||
    Array.isArray(value) && value.some(item => item?.spaces);

  function title(game, index) {
    if (!game.turns) return `Game ${index + 1}: boards without names`;
    const players = Array.isArray(game.players) ? game.players : ["first player", "second player"];
    const cards = Array.isArray(game.cards) ? ` (${game.cards.join(" against ")})` : "";
    const winner = players[game.winner];
    const end = winner === undefined ? "nobody wins" : `${winner} wins`;
    return `Game ${(game.game ?? index) + 1}: ${players.join(" – ")}${cards}, ${counted(game.turns.length)}, ${end}`;
  }

  const people = [{ kind: "person" }, { kind: "person" }];

  async function openGame(value, seats = people) {
    const game = await desk.ask({ do: "game", value });
    const isAlone = seats.every(({ kind }) => kind === "person");
    undo.beforeGame();
    takeGame(tree.read(game.nodes), { seats, names: isAlone ? game.players : null });
    goTo(state.root);
    const how = game.ending ? ` It ended so: ${game.ending}${game.why ? ` (${game.why})` : ""}.` : "";
    say(`${game.players.join(" – ")}, ${counted(tree.ahead(state.root).length - 1)}.${how} The arrows go through it.`);
  }

  async function openPosition(text) {
    const start = await desk.ask({ do: "read", text });
    beginFrom(start);
  }

  // Plays on from a position, both sides by hand until somebody is chosen.
  function beginFrom(start, seats = people) {
    undo.beforeGame();
    takeGame(tree.root(start), { seats });
    goTo(state.root);
    say(standing());
    letOthersPlay();
  }

  async function openText(text, list, seats = people) {
    list.replaceChildren();
    const trimmed = text.trim();
    if (!trimmed) throw new Error("There is nothing to open yet.");
    if (!/^[[{]/.test(trimmed)) return openPosition(trimmed);
    const games = gamesIn(trimmed);
    if (!games.length) return openPosition(trimmed);
    if (games.length === 1) return openGame(games[0], seats);
    const most = 2000;
    list.append(make("p", { class: "soft" }, `${games.length} games; choose one.`));
    list.append(...games.slice(0, most).map((game, index) =>
      button(title(game, index), () => attempt(() => openGame(game, seats)))));
    if (games.length > most) list.append(make("p", { class: "soft" }, `Only the first ${most} are listed.`));
    list.querySelector("button").focus();
    return "choose";
  }

  const trouble = make("p", { role: "alert", class: "soft" });

  async function attempt(open) {
    trouble.textContent = "";
    try {
      if (await open() !== "choose") $("openDialog").close();
    } catch (error) {
      trouble.textContent = error.message;
    }
  }

  function fillOpen() {
    const dialog = $("openDialog");
    const area = make("textarea", { rows: 4, id: "pasted", placeholder: "00000/00010/00000/00000/00000 b3d3 c2c4 1" });
    const list = make("div", { class: "games" });
    const file = make("input", { type: "file", id: "openFile", accept: ".json,.jsonl,.txt" });
    file.onchange = () => attempt(async () => {
      if (file.files.length) return openText(await file.files[0].text(), list);
    });
    trouble.textContent = "";
    dialog.replaceChildren(
      make("h2", { id: "openTitle", tabindex: "-1", autofocus: true }, "Open"),
      make("div", { class: "field" },
        make("label", { for: "openFile" }, "A file of games, such as a tournament's"), file),
      make("div", { class: "field" },
        make("label", { for: "pasted" }, "Or paste a position (one line, or a board in JSON) or a game"), area),
      trouble, list, ...earlierGames(),
      make("div", { class: "ends" }, button("Close", () => dialog.close()),
        button("Open", () => attempt(() => openText(area.value, list)), { class: "strong" })));
    return list;
  }

  // Games that were left, to go on with.
  function earlierGames() {
    const games = earlier.list();
    if (!games.length) return [];
    return [make("h3", {}, "Earlier games"), make("div", { class: "games earlier" }, ...games.map(game =>
      button(earlier.title(game), () => attempt(() => goOnWith(game)))))];
  }

  function showOpen() {
    fillOpen();
    $("openDialog").showModal();
  }

  // Opens the games of the command line: the only one, or the list of them.
  async function openGiven(seats) {
    const list = fillOpen();
    $("openDialog").showModal();
    await attempt(async () => {
      const answer = await fetch(`games${location.search}`);
      if (!answer.ok) throw new Error(`The games cannot be had (${answer.status}).`);
      return openText(await answer.text(), list, seats);
    });
  }

  // ---- saving ----

  function copyField(label, text) {
    const field = make("input", { readonly: true, "aria-label": label });
    field.value = text;
    const done = make("span", { role: "status" });
    const take = button("Copy", async () => {
      await copy(text);
      done.textContent = "copied";
    }, { "aria-label": `Copy: ${label}` });
    return make("div", { class: "field" },
      make("span", { class: "row" }, label, done), make("span", { class: "row" }, field, take));
  }

  async function showSave() {
    const dialog = $("saveDialog");
    const { node } = state;
    const parts = [make("h2", { id: "saveTitle", tabindex: "-1", autofocus: true }, "Save")];
    if (!node) {
      parts.push(make("p", {}, "There is something to save when all workers stand."));
    } else {
      try {
        const game = await record();
        const question = node.parent
          ? { position: node.parent.view.position, turn: node.turn }
          : { position: node.view.position };
        const picture = await desk.ask({ do: "svg", ...question, players: [0, 1].map(nameOfSeat) });
        const board = node.view.board ?? (await desk.ask({ do: "look", ...question })).board;
        parts.push(
          copyField("This position, in one line", node.view.position),
          copyField("This position, as a board in JSON", JSON.stringify(board)),
          copyField("The game, as a record", game.trim()),
          make("div", { class: "row" },
            button("Save the game", () => download("game.jsonl", "application/json", game), { class: "strong" }),
            button("Save a picture", () => download("board.svg", "image/svg+xml", picture.svg))));
      } catch (error) {
        parts.push(make("p", { role: "alert" }, error.message));
      }
    }
    parts.push(make("div", { class: "ends" }, button("Close", () => dialog.close())));
    dialog.replaceChildren(...parts);
    dialog.showModal();
  }

  // ---- what the browser keeps of a game that is not finished ----

  const before = new Map();

  // Keeps what is not kept yet; `prepare` is called before.
  function keepAs(key, value, prepare = () => {}) {
    const text = JSON.stringify(value);
    if (text === before.get(key) || text.length > 200_000) return;
    prepare();
    before.set(key, text);
    kept.setOwn(key, value);
  }

  // The game as the browser keeps it.
  function written() {
    const { seats, names } = review.players();
    return {
      id: earlier.idOf(state.root), position: state.root.view.position, tree: tree.write(state.root), seats, names,
      at: pathOf(state.node), isThinking: state.thinking !== null,
    };
  }

  // A game is kept until the next one begins, also while that one's workers are placed,
  // and beside it the puzzle and the position set up that have it under them.
  function keep() {
    if (!state.desk) return;
    if (state.mode === "play" && state.root) {
      const game = written();
      keepAs("game", game, () => earlier.makeWay(game));
      keepAs("placing", null);
    }
    if (state.mode === "place") {
      const { seats, size, cards, placed, seed } = state;
      const hasBegun = seats.some((_, seat) => isPerson(seat) && placed[seat].length > 0);
      keepAs("placing", hasBegun ? { seats, size, cards, placed, seed } : null);
    }
    if (state.mode !== "setup") keepAs("puzzle", puzzles.now());
    keepAs("setup", setup.now());
  }

  const pathOf = node => tree.path(node).slice(1).map(({ turn }) => turn);

  const isPlacing = placing => isSize(placing?.size) && isCards(placing.cards) && isPlaced(placing.placed, placing.size) &&
    (placing.placed[0].length === 2 || !placing.placed[1].length);

  // Goes on with a game as it was kept.
  async function goOnWith({ position, tree: branches, seats, names, at, isThinking }) {
    const line = await desk.ask({ do: "record", position, tree: branches, players: ["", ""] });
    const { nodes } = await desk.ask({ do: "game", value: JSON.parse(line.record) });
    undo.beforeGame();
    takeGame(tree.read(nodes), { seats: seatsThere(seats), names: isPair(names, isText) ? names : null });
    let node = state.root;
    for (const turn of at) node = node.children.find(child => child.turn === turn) ?? node;
    goTo(node);
    say(`The game goes on. ${standing()}`);
    if (isThinking === true) letOthersPlay();
  }

  async function restore() {
    const placing = kept.getOwn("placing");
    if (isPlacing(placing)) {
      const { seats, size, cards, placed, seed } = placing;
      takeUp({
        mode: "place", names: null, root: null, node: null, wasThinking: true, seats: seatsThere(seats), size, cards,
        placed, seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : 1,
      });
      return true;
    }
    const game = kept.getOwn("game");
    if (!earlier.isGame(game)) return false;
    try {
      await goOnWith(game);
      return true;
    } catch {
      return false;
    }
  }

  return { showOpen, openGiven, showSave, keep, written, restore, beginFrom, openGame };
})();
