// Opening positions, games with their variations, and files of many games.

const files = (() => {
  /** @type {(value: any) => boolean} */
  const isGame = value => Array.isArray(value?.turns) || Array.isArray(value?.boards) ||
    Array.isArray(value) && value.some(item => item?.spaces);

  /** @type {Player[]} */
  const people = [{ kind: "person" }, { kind: "person" }];

  /** @type {(value: Opened, seats?: Player[]) => Promise<void>} */
  const openGame = async (value, seats) => showGame(await client.ask({ do: "game", value }), seats);

  /** @type {(answer: Answers["game"], seats?: Player[]) => void} */
  function showGame({ players, nodes, winner, ending, why }, seats = people) {
    const root = tree.read(nodes);
    // A game begins at once from a single board.
    if (seats !== people && !root.children.length) return beginFrom(root.view, seats);
    undo.beforeGame();
    takeGame(root, { seats, names: players });
    games.leaveOut(root);
    goTo(root);
    const reason = ending === "win" ? "" : ` Ending: ${ending}${why ? ` (${why})` : ""}.`;
    // Boards alone end as the last one shows.
    const shownWinner = tree.end(root).view.winner;
    const how = ending === null ? shownWinner === null ? "" : ` ${winWords(shownWinner)}`
      : ending === "interrupted" ? " The game is not finished."
      : ` ${winner === null ? "There is no winner." : winWords(winner)}${reason}`;
    say(`${players.join(" – ")}, ${counted(tree.after(root).length)}.${how} Step through the game with the arrows.`);
  }

  // Whether the game on the board is one of other players, opened with an opponent to play on
  // against.
  const isRecord = () => state.mode === "play" && state.names !== null && state.seats.some(isMachine);

  /** @type {(node: GameNode) => GameNode} */
  const copyOf = node => node.parent ? tree.add(copyOf(node.parent), node.turn, node.view) : tree.root(node.view);

  // Begins a game of the players here with the turns of a record up to a board. Returns that
  // board in it. The record stays as it is.
  /** @type {(node: GameNode) => GameNode} */
  function playOn(node) {
    undo.beforeGame();
    const own = copyOf(node);
    takeGame(tree.line(own)[0], { seats: state.seats });
    return own;
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

  // Text of this many bytes may have values over many lines; more is read line by line.
  const LONGEST_VALUE = 4_000_000;

  // The values of a text: one, perhaps a list of games, or several, each of which begins a line.
  /** @type {(text: string) => any[]} */
  function valuesOf(text) {
    try {
      const value = JSON.parse(text);
      return Array.isArray(value) && !isGame(value) && value.some(isGame) ? value : [value];
    } catch {
      return text.split(/\n(?=[{[])/).map(part => JSON.parse(part));
    }
  }

  /** @type {(file: File, seats?: Player[]) => Promise<"choose" | void>} */
  async function openFile(file, seats = people) {
    const text = (await file.slice(0, 2 * LONGEST_VALUE).text()).trim();
    if (!text) throw new Error("There is nothing to open yet.");
    const isJson = /^[[{]/.test(text);
    if (!isJson && file.size > LONGEST_VALUE) {
      throw new Error(`This is too long: ${Math.ceil(file.size / 1024)} kB. A file of games has one game in JSON on each line.`);
    }
    if (!isJson) return links.find(text) ? links.open(text) : openPosition(text);
    if (file.size > LONGEST_VALUE) return openLines(file, seats);
    let values;
    try {
      values = valuesOf(text);
    } catch {
      return openLines(new File([text], file.name), seats);
    }
    if (values.length > 1) return openLines(new File(values.map(value => `${JSON.stringify(value)}\n`), file.name), seats);
    return isGame(values[0]) ? openGame(values[0], seats) : openPosition(text);
  }

  // The games of the last file of many games. They stay in the dialog when it is opened again.
  const list = make("div");

  // Opens the only game of these lines, or lists the games.
  /** @type {(file: File, seats: Player[]) => Promise<"choose" | void>} */
  async function openLines(file, seats) {
    const reading = make("p", { class: "soft" }, "Reading…");
    trouble.before(reading);
    const { games, boards } = await gameList.index(file, isGame, share => { reading.textContent = `Reading… ${percent(share)}`; })
      .finally(() => reading.remove());
    if (!games.length && boards.length) return openGame({ boards }, seats);
    if (!games.length) throw new Error("No games found.");
    /** @type {(game: Listed) => Promise<void>} */
    const open = async ({ start, end }) => openGame(JSON.parse(await file.slice(start, end).text()), seats);
    if (games.length === 1) return open(games[0]);
    list.replaceChildren(make("h3", {}, `Games of ${file.name}`), ...gameList.parts(games, game => attempt(() => open(game))));
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
      trouble.textContent = asSentence(errorWords(error));
    }
  }

  function showOpen() {
    const dialog = $("openDialog");
    const area = make("textarea", { rows: 4, id: "pasted", placeholder: "00000/00010/00000/00000/00000 b3d3 c2c4 1" });
    const file = make("input", { type: "file", id: "openFile", accept: ".json,.jsonl,.txt" });
    file.onchange = () => attempt(async () => {
      if (file.files?.length) return openFile(file.files[0]);
    });
    const given = offered().start?.file;
    trouble.textContent = "";
    fillDialog(dialog, "Games",
      list,
      library.panel(attempt),
      make("h3", {}, "Open something else"),
      given ? button(`Open ${given}`, loadGiven) : "",
      labelled("A file of games, such as a tournament's", file),
      labelled("Or paste a link, a position (one line, or a board in JSON) or a game", area),
      trouble,
      closingRow(dialog,
        button("Open", () => attempt(() => openFile(new File([area.value], "the pasted text"))), { class: "strong" })));
    showDialog(dialog);
  }

  // Opens the games of the command line: the only one, or the list of them.
  const loadGiven = () => attempt(async () => {
    const { start } = offered();
    if (!start?.file) return;
    const answer = await fetch(`games${location.search}`);
    if (!answer.ok) throw new Error(`The games cannot be loaded (${answer.status}).`);
    return openFile(new File([await answer.blob()], start.file), [{ kind: "person" }, readSeat(start.opponent)]);
  });

  async function openGiven() {
    showOpen();
    await loadGiven();
  }

  return { showOpen, openGiven, openGame, showGame, openPosition, beginFrom, isRecord, playOn };
})();
