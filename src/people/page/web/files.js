// Opening positions, games with their variations, and files of many games.

const files = (() => {
  // The games of a text: one JSON value a line, as records are kept, or one
  // value over many lines.
  /** @type {(text: string) => Opened[]} */
  function gamesIn(text) {
    try {
      const value = JSON.parse(text);
      return isGame(value) ? [value] : [];
    } catch {
      const lines = text.split("\n").filter(line => line.trim());
      /** @type {Opened[]} */
      const games = [];
      /** @type {object[]} */
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

  /** @type {(value: any) => boolean} */
  const isGame = value => Array.isArray(value?.turns) || Array.isArray(value?.boards) ||
    Array.isArray(value) && value.some(item => item?.spaces);

  /** @type {(game: Opened, index: number) => string} */
  function title(game, index) {
    if (!game.turns) return `Game ${index + 1}: boards without names`;
    const players = Array.isArray(game.players) ? game.players : ["first player", "second player"];
    const cards = Array.isArray(game.cards) ? ` (${game.cards.join(" against ")})` : "";
    const winner = players[game.winner];
    const end = winner === undefined ? "nobody wins" : `${winner} wins`;
    return `Game ${(game.game ?? index) + 1}: ${players.join(" – ")}${cards}, ${counted(game.turns.length)}, ${end}`;
  }

  /** @type {Player[]} */
  const people = [{ kind: "person" }, { kind: "person" }];

  /** @type {(value: Opened, seats?: Player[]) => Promise<void>} */
  async function openGame(value, seats = people) {
    const game = await desk.ask({ do: "game", value });
    const isAlone = seats.every(({ kind }) => kind === "person");
    undo.beforeGame();
    takeGame(tree.read(game.nodes), { seats, names: isAlone ? game.players : null });
    goTo(state.root);
    const how = game.ending ? ` It ended so: ${game.ending}${game.why ? ` (${game.why})` : ""}.` : "";
    say(`${game.players.join(" – ")}, ${counted(tree.ahead(state.root).length - 1)}.${how} The arrows go through it.`);
  }

  /** @param {string} text */
  async function openPosition(text) {
    const start = await desk.ask({ do: "read", text });
    beginFrom(start);
  }

  // Plays on from a position, both sides by hand until somebody is chosen.
  /** @type {(start: View, seats?: Player[]) => void} */
  function beginFrom(start, seats = people) {
    undo.beforeGame();
    takeGame(tree.root(start), { seats });
    goTo(state.root);
    say(standing());
    letOthersPlay();
  }

  /** @type {(text: string, list: HTMLElement, seats?: Player[]) => Promise<"choose" | void>} */
  async function openText(text, list, seats = people) {
    list.replaceChildren();
    const trimmed = text.trim();
    if (!trimmed) throw new Error("There is nothing to open yet.");
    if (links.find(trimmed)) return links.open(trimmed);
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

  /** @param {() => Promise<any>} open */
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
      make("h2", { id: "openTitle", tabindex: "-1", autofocus: true }, "Games"),
      library.panel(attempt),
      make("h3", {}, "Open something else"),
      make("div", { class: "field" },
        make("label", { for: "openFile" }, "A file of games, such as a tournament's"), file),
      make("div", { class: "field" },
        make("label", { for: "pasted" }, "Or paste a link, a position (one line, or a board in JSON) or a game"), area),
      trouble, list,
      make("div", { class: "ends" }, button("Close", () => dialog.close()),
        button("Open", () => attempt(() => openText(area.value, list)), { class: "strong" })));
    return list;
  }

  function showOpen() {
    fillOpen();
    showDialog($("openDialog"));
  }

  // Opens the games of the command line: the only one, or the list of them.
  /** @param {Player[]} seats */
  async function openGiven(seats) {
    const list = fillOpen();
    showDialog($("openDialog"));
    await attempt(async () => {
      const answer = await fetch(`games${location.search}`);
      if (!answer.ok) throw new Error(`The games cannot be had (${answer.status}).`);
      return openText(await answer.text(), list, seats);
    });
  }

  return { showOpen, openGiven, openGame, openPosition, beginFrom };
})();
