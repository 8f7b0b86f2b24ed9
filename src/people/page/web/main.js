// The page as a whole: dialogs, keys, light and dark, and the start.

// ---- a new game ----

const seatOptions = () => [
  ["person", "A person"],
  ["friend", "A friend, by links"],
  ...(socketAddress("live") ? [["live", "A friend, live on another page"]] : []),
  ...offered().levels.map(({ level }) => [`level ${level}`, `Level ${level}${level === fullStrength() ? " (full strength)" : ""}`]),
  ...offered().programs.map((name, program) => [`program ${program}`, name]),
];

// The chosen player; a person in place of a program that no longer exists.
/** @type {(text: string) => Player} */
const readSeat = text => {
  if (!seatOptions().some(([value]) => value === text)) return { kind: "person" };
  const [kind, number] = text.split(" ");
  if (kind === "level") return { kind, level: Number(number) };
  return kind === "program" ? { kind, program: Number(number) } : { kind: kind === "friend" || kind === "live" ? kind : "person" };
};

/** @type {(player: Player) => string} */
const writeSeat = player => player.kind === "level" ? `level ${player.level}`
  : player.kind === "program" ? `program ${player.program}` : player.kind;

// The description of a level, with its Elo above level 1.
/** @type {(level: Hello["levels"][number]) => string} */
const levelWords = ({ about, elo, error }) => `${capital(about)}.${elo ? ` Elo ${elo} ± ${error}.` : ""}`;

// The choices of the last game.
const readWishes = () => {
  const { seats, size, cards } = storage.get("wishes", /** @type {any} */ ({}));
  return {
    seats: Array.isArray(seats) ? [0, 1].map(seat => readSeat(seats[seat])) : state.seats,
    size: isSize(size) ? size : 5,
    cards: isCards(cards) ? cards : null,
  };
};

// Begins a game and keeps its choices for the next one.
/** @type {(game: Pick<Game, "seats" | "size" | "cards">) => void} */
function beginChosen(game) {
  storage.set("wishes", { ...game, seats: game.seats.map(writeSeat) });
  newGame(game);
}

const ENDS_LIVE = "Your live game is not over. Press Begin once more to end it and start this one.";

function showNew() {
  const dialog = $("newDialog");
  dialog.replaceChildren($("newTemplate").content.cloneNode(true));
  const wishes = readWishes();
  const { levels, cards, cardsNetwork, sizes, measured } = offered();
  const seatSelects = [$("seat0"), $("seat1")];
  const cardSelects = [$("card0"), $("card1")];
  seatSelects.forEach((select, seat) => {
    select.append(...seatOptions().map(([value, text]) => make("option", { value }, text)));
    select.value = writeSeat(wishes.seats[seat]);
    select.onchange = describe;
  });
  cardSelects.forEach((select, seat) => {
    select.append(...cards.map(({ name }) => make("option", {}, name)));
    select.value = wishes.cards?.[seat] ?? "";
    select.onchange = () => pair(seat);
  });
  $("sizes").append(...sizes.map(size => make("label", {},
    make("input", { type: "radio", name: "size", value: size, checked: size === wishes.size }), `${size} by ${size}`)));

  // The difference in strength with cards at 3,000 nodes a turn: 191 (145 to 244).
  const weaker = cardsNetwork ? "" : "With cards this smaller page plays about 190 Elo weaker than the larger one.";

  // Describes the chosen players and cards.
  function describe() {
    let hasElo = false;
    for (const seat of [0, 1]) {
      const player = readSeat(seatSelects[seat].value);
      const chosen = levels.find(({ level }) => player.kind === "level" && player.level === level);
      if (chosen?.elo) hasElo = true;
      $(`about${seat}`).textContent = chosen ? levelWords(chosen) : "";
      $(`rule${seat}`).textContent = cards.find(({ name }) => name === cardSelects[seat].value)?.rule ?? "";
    }
    const source = `Elo is counted from level 1, with 95% intervals, without cards; measured with ${measured}.`;
    $("measured").textContent = [hasElo ? source : "", weaker].filter(Boolean).join(" ");
  }
  // Both players have a card, or neither.
  /** @param {Seat} chosen */
  function pair(chosen) {
    const [own, other] = [cardSelects[chosen], cardSelects[opposite(chosen)]];
    if (!own.value) other.value = "";
    else if (!other.value || other.value === own.value) other.value = cards.find(({ name }) => name !== own.value)?.name ?? "";
    describe();
  }
  $("swapButton").onclick = () => {
    [seatSelects, cardSelects].forEach(([a, b]) => { [a.value, b.value] = [b.value, a.value]; });
    describe();
  };
  $("drawButton").onclick = () => {
    const drawn = drawTwo(cards);
    cardSelects.forEach((select, seat) => { select.value = drawn[seat].name; });
    describe();
  };
  $("cancelButton").onclick = () => dialog.close();
  $("beginButton").onclick = () => {
    const size = Number(inside(dialog, "[name=size]:checked").getAttribute("value"));
    const seats = seatSelects.map(select => readSeat(select.value));
    const cards = cardSelects[0].value ? cardSelects.map(select => select.value) : null;
    if (size !== 5 && seats.some(({ kind }) => kind === "program")) {
      $("newTrouble").textContent = "Player programs play on 5 by 5 only.";
      return;
    }
    const isElsewhere = seats.map(({ kind }) => kind === "friend" || kind === "live");
    if (isElsewhere.every(Boolean) || seats.some(({ kind }, seat) => kind === "live" && seats[opposite(seat)].kind !== "person")) {
      $("newTrouble").textContent = "One of the two players must be a person on this page.";
      return;
    }
    const isEnding = seats.some(({ kind }) => kind === "live") && live.isUnfinished();
    if (isEnding && $("newTrouble").textContent !== ENDS_LIVE) {
      $("newTrouble").textContent = ENDS_LIVE;
      return;
    }
    dialog.close();
    beginChosen({ seats, size, cards });
  };
  describe();
  showDialog(dialog);
}

// ---- the rules ----

function showRules() {
  const dialog = $("rulesDialog");
  const rules = offered().rules.map(([title, words]) => make("div", {}, make("h3", {}, title), make("p", {}, words)));
  const cards = offered().cards.flatMap(({ name, rule }) => [
    make("dt", {}, name), make("dd", {}, rule, " ", button("Try it", () => learn(name), { "aria-label": `Try it: ${name}` })),
  ]);
  /** @type {(id?: string) => void} */
  const learn = id => {
    dialog.close();
    guide.open(id);
  };
  fillDialog(dialog, "How to play",
    make("p", {}, button("Learn by playing, in six steps", () => learn(), { class: "strong" })),
    make("div", { class: "rules" }, ...rules),
    make("h3", {}, "God cards"),
    make("p", { class: "soft" }, "Optionally, each player has a card, which changes the rules for that player."),
    make("dl", { class: "gods" }, ...cards),
    make("h3", {}, "On this page"),
    make("p", {}, "Click or drag a worker, then a lit space to move to, then one to build on. With the keyboard: press Tab to reach the board, the arrows to go from space to space, and Enter to choose. Outside the board, the left and right arrows step through the game. Press A for analysis, H for a hint, Ctrl+Z to take back a turn. In the analysis, point at a turn of a line to see its board, or click it to go there; \"wins in 4\" is a proved win in at most 4 turns."),
    make("p", {}, `After a turn is taken back you can play another one: it becomes a variation, and nothing is lost. Your last ${games.MOST} games are under Games. Share gives you links, the game as a file, the board as a picture, and the game as an animated GIF.`),
    make("div", { class: "ends" }, button("Close", () => dialog.close(), { class: "strong" })));
  showDialog(dialog);
}

// ---- light and dark ----

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  inside(document, "meta[name=theme-color]").setAttribute("content", theme === "dark" ? "#12304a" : "#cfe6f2");
  const other = theme === "dark" ? "Light" : "Dark";
  $("themeButton").textContent = other;
  $("themeButton").setAttribute("aria-label", `${other} colours`);
}

function prepareTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** @type {(theme: unknown) => boolean} */
  const isTheme = theme => theme === "dark" || theme === "light";
  const wanted = () => storage.get("theme", dark.matches ? "dark" : "light", isTheme);
  setTheme(wanted());
  dark.addEventListener("change", () => setTheme(wanted()));
  $("themeButton").onclick = () => {
    const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    storage.set("theme", other);
    setTheme(other);
  };
}

// ---- the menu ----

const isMenuOpen = () => $("menu").classList.contains("open");

/** @param {boolean} isOpen */
function setMenu(isOpen) {
  $("menu").classList.toggle("open", isOpen);
  $("menuButton").setAttribute("aria-expanded", String(isOpen));
}

// Closes the menu. The focus must not stay on a hidden button.
function closeMenu() {
  setMenu(false);
  if (isByKeys) $("menuButton").focus();
}

function prepareMenu() {
  $("menuButton").onclick = () => setMenu(!isMenuOpen());
  // Before the button acts: a dialog gives the focus back to where it was.
  $("menu").addEventListener("click", ({ target }) => {
    if (isMenuOpen() && target instanceof Element && target.closest("button") && target !== $("themeButton")) closeMenu();
  }, true);
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && !target.closest("#menu, #menuButton")) setMenu(false);
  });
}

// ---- keys ----

/** @param {KeyboardEvent} event */
function onKey(event) {
  /** @type {(selector: string) => boolean} */
  const isOn = selector => event.target instanceof Element && event.target.matches(selector);
  const isControl = event.ctrlKey || event.metaKey;
  // Plain keys choose in a list.
  const isTyping = isOn("input:not([type=radio]), textarea") || isOn("select") && !isControl;
  if (document.querySelector("dialog[open]") || isTyping) return;
  const key = event.key.toLowerCase();
  if (key === "escape" && isMenuOpen()) return closeMenu();
  const undoLast = () => undo.isNext() && !state.entry.from ? undo.back() : takeBack();
  /** @type {Record<string, () => void>} */
  const control = { z: event.shiftKey ? redo : undoLast, y: redo };
  /** @type {Record<string, () => void>} */
  const plain = {
    arrowleft: goBack, arrowright: goForward, home: goStart, end: goEnd,
    a: () => $("analysisButton").click(), h: () => $("hintButton").click(),
    escape: startOver,
  };
  if (key === "escape") board.letGo();
  const act = isControl ? control[key] : !event.altKey && plain[key];
  if (!act || state.mode === "setup" && act !== undoLast) return;
  event.preventDefault();
  act();
}

// ---- typing turns ----

// The maximum number of turns listed for a turn that is typed in part.
const MOST_SAID = 8;

/** @param {Event} event */
async function playTyped(event) {
  event.preventDefault();
  const field = $("typed");
  const shown = openView();
  if (!shown || !mayAct()) return say("You cannot play a turn right now.", "bad");
  try {
    const said = await client.ask({ do: "explain", position: shown.position, turn: field.value });
    if ("turn" in said) {
      field.value = "";
      return playTurn(said.turn);
    }
    if ("illegal" in said) return say(refusalWords(said.illegal), "bad");
    const { length } = said.begins;
    const more = length > MOST_SAID ? `, and ${length - MOST_SAID} more` : "";
    say(`${counted(length)} ${length === 1 ? "begins" : "begin"} like this: ${said.begins.slice(0, MOST_SAID).join(", ")}${more}.`);
  } catch (error) {
    sayError(error);
  }
}

// ---- the beginning ----

function prepare() {
  santorini.prepare();
  prepareTheme();
  prepareMenu();
  looks.prepare();
  analysis.prepare();
  losses.prepare();
  threat.prepare();
  opening.prepare();
  const dialogs = {
    newButton: showNew, puzzlesButton: () => puzzles.open(), rulesButton: showRules, setupButton: () => setup.open(),
    openButton: () => files.showOpen(), saveButton: () => saving.show(),
  };
  const acts = {
    undoButton: takeBack, redoButton: redo, startButton: goStart, backButton: goBack, nextButton: goForward, endButton: goEnd,
  };
  for (const [id, act] of Object.entries(dialogs)) $(id).addEventListener("click", () => whenConnected(act));
  for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
  $("typeForm").addEventListener("submit", playTyped);
  document.addEventListener("keydown", onKey);
  onChange(showGame);
  onChange(() => guide.show());
  onChange(() => setup.show());
  onChange(() => analysis.show());
  onChange(() => opening.show());
  onChange(() => review.show());
  onChange(() => puzzles.show());
  onChange(() => session.save());
  live.prepare();
  prepareDialogs();
  guide.prepare();
  addEventListener("hashchange", () => { if (state.hello) links.openOwn(); });
  client.onLink(isOpen => {
    const words = state.mode === "play" ? standing() : "";
    const again = "Connected again.";
    if (!isOpen) {
      if ($("status").textContent?.startsWith(again)) say(words);
      return;
    }
    if (!state.hello) return begin();
    say(`${again} ${words}`);
    // Ask what could not be asked without a connection.
    if (state.mode === "place" && allStand()) beginGame();
    if (state.mode === "puzzle") puzzles.goOn();
    if (state.thinking) {
      stopThinking();
      letOthersPlay();
    }
  });
  client.open();
}

async function begin() {
  try {
    state.hello = await client.ask({ do: "hello" });
    games.upgrade();
    if (live.begin()) return;
    // What the command line asks for comes first, once.
    const { start } = state.hello;
    const isNew = start && start.id !== storage.get("start", null);
    const [puzzle, board] = ["puzzle", "setup"].map(storage.getOwn);
    let trouble = "";
    const isRestored = !isNew && await session.restore().catch(error => {
      trouble = `The last game cannot be opened: ${errorWords(error)}`;
      return false;
    });
    /** @type {Player[]} */
    const seats = start ? [{ kind: "person" }, readSeat(start.opponent)] : state.seats;
    if (!isRestored) newGame({ seats, size: 5, cards: null });
    if (trouble) say(asSentence(trouble), "bad");
    if (!isNew) {
      if (puzzle) await puzzles.open(puzzle);
      if (setup.isBoard(board)) setup.open(board);
    } else {
      storage.set("start", start.id);
      if (start.file) await files.openGiven();
    }
    await links.openOwn();
    live.rejoin();
  } catch (error) {
    sayError(error);
  }
}

prepare();
