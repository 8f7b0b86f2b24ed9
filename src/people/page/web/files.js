// Opening positions, games with their variations, and files of many games.

const files = (() => {
  /** @type {(value: any) => boolean} */
  const isGame = value => Array.isArray(value?.turns) || Array.isArray(value?.boards) ||
    Array.isArray(value) && value.some(item => item?.spaces);

  /** @type {Player[]} */
  const people = [{ kind: "person" }, { kind: "person" }];

  /** @type {(value: Opened, seats?: Player[]) => Promise<void>} */
  async function openGame(value, seats = people) {
    const game = await client.ask({ do: "game", value });
    const isAlone = seats.every(({ kind }) => kind === "person");
    undo.beforeGame();
    const root = tree.read(game.nodes);
    takeGame(root, { seats, names: isAlone ? game.players : null });
    goTo(root);
    const how = game.ending ? ` Result: ${game.ending}${game.why ? ` (${game.why})` : ""}.` : "";
    say(`${game.players.join(" – ")}, ${counted(tree.after(root).length)}.${how} Step through the game with the arrows.`);
  }

  /** @param {string} text */
  async function openPosition(text) {
    const start = await client.ask({ do: "read", text });
    beginFrom(start);
  }

  // Starts a game from a position, by default with both sides played by hand.
  /** @type {(start: View, seats?: Player[]) => void} */
  function beginFrom(start, seats = people) {
    undo.beforeGame();
    const root = tree.root(start);
    takeGame(root, { seats });
    goTo(root);
    say(standing());
    letOthersPlay();
  }

  // Text of this many bytes may be one value over many lines; more is read line by line.
  const LONGEST_VALUE = 4_000_000;

  /** @type {(file: Blob, list: HTMLElement, seats?: Player[]) => Promise<"choose" | void>} */
  async function openFile(file, list, seats = people) {
    list.replaceChildren();
    const text = (await file.slice(0, 2 * LONGEST_VALUE).text()).trim();
    if (!text) throw new Error("There is nothing to open yet.");
    if (!/^[[{]/.test(text)) return links.find(text) ? links.open(text) : openPosition(text);
    if (file.size > LONGEST_VALUE) return openLines(file, list, seats);
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return openLines(new Blob([text]), list, seats);
    }
    return isGame(value) ? openGame(value, seats) : openPosition(text);
  }

  // Opens the only game of these lines, or lists the games.
  /** @type {(file: Blob, list: HTMLElement, seats: Player[]) => Promise<"choose" | void>} */
  async function openLines(file, list, seats) {
    const reading = make("p", { class: "soft" }, "Reading…");
    list.replaceChildren(reading);
    const { games, boards } = await gameList.index(file, isGame, share => { reading.textContent = `Reading… ${percent(share)}`; });
    reading.remove();
    if (!games.length && boards.length) return openGame({ boards }, seats);
    if (!games.length) throw new Error("No games found.");
    /** @type {(game: Listed) => Promise<void>} */
    const open = async ({ start, end }) => openGame(JSON.parse(await file.slice(start, end).text()), seats);
    if (games.length === 1) return open(games[0]);
    list.append(...gameList.parts(games, game => attempt(() => open(game))));
    inside(list, "input").focus();
    return "choose";
  }

  const trouble = make("p", { role: "alert", class: "soft" });

  /** @param {() => Promise<any>} open */
  async function attempt(open) {
    trouble.textContent = "";
    try {
      if (await open() !== "choose") $("openDialog").close();
    } catch (error) {
      trouble.textContent = errorWords(error);
    }
  }

  function fillOpen() {
    const dialog = $("openDialog");
    const area = make("textarea", { rows: 4, id: "pasted", placeholder: "00000/00010/00000/00000/00000 b3d3 c2c4 1" });
    const list = make("div");
    const file = make("input", { type: "file", id: "openFile", accept: ".json,.jsonl,.txt" });
    file.onchange = () => attempt(async () => {
      if (file.files?.length) return openFile(file.files[0], list);
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
        button("Open", () => attempt(() => openFile(new Blob([area.value]), list)), { class: "strong" })));
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
      if (!answer.ok) throw new Error(`The games cannot be loaded (${answer.status}).`);
      return openFile(await answer.blob(), list, seats);
    });
  }

  return { showOpen, openGiven, openGame, openPosition, beginFrom };
})();
