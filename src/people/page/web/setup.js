// Setting up a position by hand with tools that are used on spaces.

const setup = (() => {
  const TOOLS = [
    ["up", "Build one level"], ["dome", "Dome"], ["clear", "Clear"],
    ["0", "Red worker"], ["1", "Violet worker"],
  ];
  let tool = "up";
  /** @type {Draft} */
  let board = { levels: [], workers: [[], []], mover: 0, cards: null };
  // The game under the board that is set up.
  /** @type {SuspendedGame | null} */
  let before = null;
  // The boards before each change, as JSON.
  /** @type {string[]} */
  let past = [];

  // Opens the set-up. With `left`, resumes that board.
  /** @param {Draft | null} left */
  function open(left = null) {
    if (under()) return;
    before = snapshot();
    stopThinking();
    const scene = state.node?.view.scene ?? placingScene();
    /** @type {Draft} */
    const start = {
      levels: scene.levels.map(row => row.slice()),
      workers: scene.workers.map(squares => squares.map(nameOf)),
      mover: scene.mover ?? 0,
      cards: (state.node?.view.cards ?? state.cards)?.slice() ?? null,
    };
    board = left ?? start;
    past = left ? [JSON.stringify(start)] : [];
    state.mode = "setup";
    clearEntry();
    say("Set up a position: choose a tool, then spaces.");
    changed();
  }

  // To be called before each change.
  const remember = () => { past.push(JSON.stringify(board)); };

  // Undoes the last change.
  function back() {
    const now = JSON.stringify(board);
    // Skip uses of a tool that changed nothing.
    past.length = past.findLastIndex(text => text !== now) + 1;
    const last = past.pop();
    if (last === undefined) return;
    board = JSON.parse(last);
    say("The last change is undone.");
    changed();
  }

  // Whether a stored value is a board to set up.
  /** @type {(board: any) => boolean} */
  const isBoard = board => Array.isArray(board?.levels) && isSize(board.levels.length) && isCards(board.cards ?? null) && [0, 1].includes(board.mover) &&
    board.levels.every((/** @type {unknown} */ row) => Array.isArray(row) && row.length === board.levels.length &&
      row.every(level => [0, 1, 2, 3, 4].includes(level))) &&
    isPlaced(board.workers, board.levels.length);

  /** @type {() => Scene} */
  const scene = () => ({
    levels: board.levels, workers: board.workers.map(names => names.map(placeOf)), last: null, mover: null,
    movable: [0, 1],
  });

  // Whose worker stands on a space, or -1.
  /** @type {(name: string) => Seat} */
  const seatOn = name => board.workers.findIndex(names => names.includes(name));

  /** @param {string} name */
  function press(name) {
    const [row, column] = placeOf(name);
    const levels = board.levels[row];
    const stands = seatOn(name);
    const isWorker = tool === "0" || tool === "1";
    let [words, trouble] = ["", ""];
    remember();
    if (tool === "up") levels[column] = levels[column] >= (stands < 0 ? 4 : 3) ? 0 : levels[column] + 1;
    else if (tool === "clear") levels[column] = 0;
    else if (isWorker && levels[column] === 4) trouble = domeWords(name);
    else if (isWorker) words = placeWorkerOf(Number(tool), name, stands);
    else if (stands >= 0) trouble = `A worker stands on ${name}.`;
    else levels[column] = 4;
    say(trouble || words || `${name}: ${heights[levels[column]]}.`, trouble ? "bad" : "");
    changed();
  }

  /** @type {(name: string) => string} */
  const domeWords = name => `${name} has a dome; no worker can stand there.`;

  // Places a worker, or removes it if it stands there already. Returns words for it.
  /** @type {(seat: Seat, name: string, stands: Seat) => string} */
  function placeWorkerOf(seat, name, stands) {
    if (stands >= 0) board.workers[stands] = board.workers[stands].filter(other => other !== name);
    if (stands === seat) return `${colours[seat]} worker removed from ${name}.`;
    const own = board.workers[seat];
    const first = own.length === 2 ? own.shift() : null;
    own.push(name);
    const replaced = stands >= 0 ? ` ${colours[stands]} worker removed.` : "";
    return `${colours[seat]} worker ${first ? `moved from ${first} to` : "on"} ${name}.${replaced}`;
  }

  /** @type {(from: string, to: string) => void} */
  function drop(from, to) {
    const seat = seatOn(from);
    if (seat < 0) return;
    const trouble = seatOn(to) >= 0 ? `A worker stands on ${to}.` : levelOf(board, to) === 4 ? domeWords(to) : "";
    if (!trouble) {
      remember();
      board.workers[seat] = board.workers[seat].map(name => name === from ? to : name);
    }
    say(trouble || `${colours[seat]} worker on ${to}.`, trouble ? "bad" : "");
    changed();
  }

  /** @param {number} rows */
  function resize(rows) {
    remember();
    /** @type {(draft: Draft) => string} */
    const content = ({ levels, workers }) => [...levels.flat().filter(level => level), ...workers.flat()].join();
    const before = content(board);
    board.levels = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: rows }, (_, column) => board.levels[row]?.[column] ?? 0));
    /** @type {(name: string) => boolean} */
    const isThere = name => placeOf(name).every(part => part < rows);
    board.workers = board.workers.map(names => names.filter(isThere));
    const isLess = content(board) !== before;
    say(`The board is ${rows} by ${rows}.${isLess ? " What stood in row 6 and column f is gone; Take back restores it." : ""}`);
    changed();
  }

  function empty() {
    remember();
    board.levels = board.levels.map(row => row.map(() => 0));
    board.workers = [[], []];
    say("The board is empty.");
    changed();
  }

  // The board as the first one of a game. The turn number is the number of levels built, or one
  // more, so that the right player is to move.
  async function read() {
    const missing = board.workers.findIndex(names => names.length < 2);
    if (missing >= 0) {
      const lacks = 2 - board.workers[missing].length;
      throw new Error(`${colours[missing]} needs ${lacks === 2 ? "two workers" : "one more worker"} on the board.`);
    }
    const built = board.levels.flat().reduce((sum, level) => sum + level, 0);
    const turn = built % 2 === board.mover ? built : built + 1;
    return client.ask({ do: "read", text: positionText(board, board.mover, turn) });
  }

  /** @param {Player[]} [seats] */
  async function start(seats) {
    try {
      const view = await read();
      // The board stays, as the first one of the game.
      past = [];
      files.beginFrom(view, seats);
    } catch (error) {
      say(asSentence(errorWords(error)), "bad");
    }
  }

  function under() {
    return state.mode === "setup" ? before : null;
  }

  function leave() {
    if (!before) return;
    const isUndoable = undo.beforeLeavingSetup();
    resume(before);
    if (isUndoable) undo.shownNow();
    if (state.mode === "puzzle") puzzles.goOn();
  }

  // ---- the panel ----

  /** @type {(name: string, value: number | string, label: string, isChosen: boolean, act: () => void) => HTMLElement} */
  const radio = (name, value, label, isChosen, act) => make("label", {},
    make("input", { type: "radio", name, value, ...(isChosen ? { checked: true } : {}), onchange: act }), label);

  /** @type {(seat: Seat, card: string) => HTMLElement} */
  function cardField(seat, card) {
    const select = make("select", {}, ...offered().cards.map(({ name }) => make("option", {}, name)));
    select.value = card;
    select.onchange = () => {
      const { cards } = board;
      if (!cards) return;
      remember();
      cards[seat] = select.value;
      // The two cards must differ.
      if (cards[0] === cards[1]) cards[opposite(seat)] = offered().cards.find(({ name }) => name !== select.value)?.name ?? "";
      changed();
    };
    return make("label", { class: "field" }, `${colours[seat]}'s card`, select);
  }

  function show() {
    const card = $("setupCard");
    card.hidden = state.mode !== "setup";
    $("movesCard").hidden = $("typeCard").hidden = !card.hidden;
    if (card.hidden) {
      card.dataset.key = "";
      return;
    }
    redraw(card, [board.levels.length, board.cards, board.mover], parts);
  }

  function parts() {
    /** @type {(value: string) => () => void} */
    const choose = value => () => { tool = value; };
    const other = board.levels.length === 5 ? 6 : 5;
    return [
      make("h2", {}, "Set up a position"),
      make("div", { class: "chips", role: "radiogroup", "aria-label": "Tool" },
        ...TOOLS.map(([value, label]) => radio("tool", value, label, tool === value, choose(value)))),
      make("h3", {}, "Who is to move"),
      make("div", { class: "chips", role: "radiogroup", "aria-label": "Who is to move" },
        ...colours.map((colour, seat) =>
          radio("mover", seat, colour, board.mover === seat, () => {
            remember();
            board.mover = seat;
            changed();
          }))),
      make("h3", {}, "Board"),
      make("div", { class: "row" },
        button(`Make it ${other} by ${other}`, () => resize(other), { id: "setupSize" }),
        button("Clear the board", empty)),
      make("h3", {}, "God cards"),
      make("div", { class: "row" },
        button(board.cards ? "Without cards" : "With cards", () => {
          remember();
          board.cards = board.cards ? null : ["Apollo", "Artemis"];
          changed();
        }, { id: "setupCards" })),
      make("div", { class: "two" }, ...(board.cards ?? []).map((card, seat) => cardField(seat, card))),
      make("div", { class: "ends" },
        button("Cancel", leave),
        button("Play against full strength", () => start(
          [0, 1].map(seat => seat === board.mover ? { kind: "person" } : { kind: "level", level: fullStrength() }))),
        button("Start from here", () => start(), { class: "strong" })),
    ];
  }

  return { open, isBoard, scene, press, drop, back, read, hasPast: () => state.mode === "setup" && past.length > 0, show, under, now: () => state.mode === "setup" ? board : null };
})();
