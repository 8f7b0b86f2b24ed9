// The page as a whole: dialogs, keys, light and dark, and how it begins.

// ---- a new game ----

const seatOptions = () => [
  ["person", "A person"],
  ...state.desk.levels.map(({ level }) => [`level ${level}`, `Level ${level}`]),
  ...state.desk.programs.map((name, program) => [`program ${program}`, name]),
];

// Who was chosen; a person in place of a program that is not there any more.
const readSeat = text => {
  if (!seatOptions().some(([value]) => value === text)) return { kind: "person" };
  const [kind, number] = text.split(" ");
  if (kind === "level") return { kind, level: Number(number) };
  return kind === "program" ? { kind, program: Number(number) } : { kind };
};

const writeSeat = ({ kind, level, program }) => kind === "person" ? kind : `${kind} ${level ?? program}`;

// What was chosen the last time.
const readWishes = () => {
  const { seats, size, cards } = kept.get("wishes", {});
  return {
    seats: Array.isArray(seats) ? [0, 1].map(seat => readSeat(seats[seat])) : state.seats,
    size: isSize(size) ? size : 5,
    cards: isCards(cards) ? cards : null,
  };
};

function showNew() {
  const dialog = $("newDialog");
  const wishes = readWishes();
  const seatSelects = [0, 1].map(seat => {
    const select = make("select", { id: `seat${seat}` }, ...seatOptions().map(([value, text]) => make("option", { value }, text)));
    select.value = writeSeat(wishes.seats[seat]);
    return select;
  });
  const cardSelects = [0, 1].map(seat => {
    const none = make("option", { value: "" }, "No card");
    const select = make("select", { id: `card${seat}` }, none, ...state.desk.cards.map(({ name }) => make("option", {}, name)));
    select.value = wishes.cards ? wishes.cards[seat] : "";
    return select;
  });
  const rules = [0, 1].map(() => make("p", { class: "rule" }));
  const abouts = [0, 1].map(() => make("p", { class: "rule" }));
  // What is chosen, in words.
  const describe = () => [0, 1].forEach(seat => {
    const { level } = readSeat(seatSelects[seat].value);
    abouts[seat].textContent = state.desk.levels.find(other => other.level === level)?.about ?? "";
    rules[seat].textContent = state.desk.cards.find(({ name }) => name === cardSelects[seat].value)?.rule ?? "";
  });
  seatSelects.forEach(select => { select.onchange = describe; });
  const trouble = make("p", { role: "alert" });
  const tell = changedSeat => {
    // Both have a card, or neither.
    const other = cardSelects[opposite(changedSeat)];
    if (!cardSelects[changedSeat].value) other.value = "";
    else if (!other.value || other.value === cardSelects[changedSeat].value) {
      other.value = state.desk.cards.find(({ name }) => name !== cardSelects[changedSeat].value).name;
    }
    describe();
  };
  cardSelects.forEach((select, seat) => { select.onchange = () => tell(seat); });
  tell(0);
  const sizes = state.desk.sizes.map(size => make("label", {},
    make("input", { type: "radio", name: "size", value: size, checked: size === wishes.size }), `${size} by ${size}`));
  const side = seat => {
    const legend = make("legend");
    legend.innerHTML = figure(seat);
    legend.append(seat === 0 ? "Red begins" : "Violet");
    return make("fieldset", {}, legend,
      make("div", { class: "field" }, make("label", { for: `seat${seat}` }, "Who plays"), seatSelects[seat]), abouts[seat],
      make("div", { class: "field" }, make("label", { for: `card${seat}` }, "God card"), cardSelects[seat]),
      rules[seat]);
  };
  const swap = () => {
    [seatSelects, cardSelects].forEach(([a, b]) => { [a.value, b.value] = [b.value, a.value]; });
    describe();
  };
  const draw = () => {
    const names = state.desk.cards.map(({ name }) => name).sort(() => Math.random() - 0.5);
    cardSelects[0].value = names[0];
    cardSelects[1].value = names[1];
    tell(0);
  };
  const begin = () => {
    const size = Number(dialog.querySelector("[name=size]:checked").value);
    const seats = seatSelects.map(select => readSeat(select.value));
    const cards = cardSelects[0].value ? cardSelects.map(select => select.value) : null;
    if (size !== 5 && seats.some(({ kind }) => kind === "program")) {
      trouble.textContent = "Player programs play on 5 by 5 only.";
      return;
    }
    kept.set("wishes", { seats: seats.map(writeSeat), size, cards });
    dialog.close();
    newGame({ seats, size, cards });
  };
  dialog.replaceChildren(
    make("h2", { id: "newTitle", tabindex: "-1", autofocus: true }, "New game"),
    make("div", { class: "two" }, side(0), side(1)),
    make("div", { class: "row ends" }, button("Swap sides", swap), button("Draw cards", draw)),
    make("h3", { id: "sizeTitle" }, "Board"),
    make("div", { class: "chips", role: "radiogroup", "aria-labelledby": "sizeTitle" }, ...sizes),
    trouble,
    make("div", { class: "ends" }, button("Cancel", () => dialog.close()), button("Begin", begin, { class: "strong" })));
  dialog.showModal();
}

// ---- the rules ----

function showRules() {
  kept.set("rulesRead", true);
  const dialog = $("rulesDialog");
  const rules = state.desk.rules.map(([title, words]) => make("div", {}, make("h3", {}, title), make("p", {}, words)));
  const cards = state.desk.cards.flatMap(({ name, rule }) => [make("dt", {}, name), make("dd", {}, rule)]);
  changed();
  dialog.replaceChildren(
    make("h2", { id: "rulesTitle", tabindex: "-1", autofocus: true }, "How to play"),
    make("div", { class: "rules" }, ...rules),
    make("h3", {}, "God cards"),
    make("p", { class: "soft" }, "If you like, each player gets a card. It changes the rules for its own player."),
    make("dl", { class: "gods" }, ...cards),
    make("h3", {}, "On this page"),
    make("p", {}, "Click or drag a worker, then a lit space to move to, then one to build on. By keys: Tab to the board, arrows from space to space, Enter to choose. Outside of the board the left and right arrows step through the game; A switches the analysis, H gives a hint, Ctrl+Z takes back and undoes."),
    make("p", {}, "After a turn is taken back you can play another one: it becomes a variation, and nothing is lost. Games that another one took the place of are under Open."),
    make("div", { class: "ends" }, button("Close", () => dialog.close(), { class: "strong" })));
  dialog.showModal();
}

// ---- light and dark ----

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const other = theme === "dark" ? "Light" : "Dark";
  $("themeButton").textContent = other;
  $("themeButton").setAttribute("aria-label", `${other} colours`);
}

function prepareTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isTheme = theme => theme === "dark" || theme === "light";
  const wanted = () => kept.get("theme", dark.matches ? "dark" : "light", isTheme);
  setTheme(wanted());
  dark.addEventListener("change", () => setTheme(wanted()));
  $("themeButton").onclick = () => {
    const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    kept.set("theme", other);
    setTheme(other);
  };
}

// ---- keys ----

function onKey(event) {
  const isTyping = event.target.matches("input:not([type=radio]), textarea, select");
  if (document.querySelector("dialog[open]") || isTyping) return;
  const isControl = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const undoLast = () => undo.isHere() && !state.entry.from ? undo.back() : takeBack();
  const control = { z: event.shiftKey ? redo : undoLast, y: redo };
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

async function playTyped(event) {
  event.preventDefault();
  const field = $("typed");
  if (state.mode === "place" || !mayAct()) return say("No turn of yours is awaited just now.", "bad");
  try {
    const said = await desk.ask({ do: "explain", position: view().position, turn: field.value });
    if (said.turn) {
      field.value = "";
      return playTurn(said.turn);
    }
    if (said.begins) return say(`There are ${said.begins.length} turns that begin so: ${said.begins.slice(0, 8).join(", ")}.`);
    say(said.illegal, "bad");
  } catch (error) {
    say(error.message, "bad");
  }
}

// ---- the beginning ----

function prepare() {
  santorini.prepare();
  prepareTheme();
  board = makeBoard($("board"), { press: pressSpace, drop: dropWorker });
  analysis.prepare();
  const acts = {
    newButton: showNew, puzzlesButton: () => puzzles.open(), rulesButton: showRules, setupButton: () => setup.open(), openButton: () => files.showOpen(),
    saveButton: () => files.showSave(), undoButton: takeBack, redoButton: redo, startButton: goStart,
    backButton: goBack, nextButton: goForward, endButton: goEnd,
  };
  for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
  $("menuButton").onclick = () => {
    const isOpen = $("menu").classList.toggle("open");
    $("menuButton").setAttribute("aria-expanded", isOpen);
  };
  $("menu").addEventListener("click", event => {
    if (!event.target.closest("button") || event.target === $("themeButton")) return;
    $("menu").classList.remove("open");
    $("menuButton").setAttribute("aria-expanded", "false");
  });
  $("typeForm").addEventListener("submit", playTyped);
  document.addEventListener("keydown", onKey);
  onChange(showGame);
  onChange(() => setup.show());
  onChange(() => analysis.show());
  onChange(() => review.show());
  onChange(() => puzzles.show());
  onChange(() => files.keep());
  desk.onLink(isOpen => {
    if (!isOpen) return;
    if (!state.desk) return begin();
    say(`Connected again. ${state.mode === "play" ? standing() : ""}`);
    // What could not be asked meanwhile.
    if (state.mode === "place" && allStand()) beginGame();
    if (state.mode === "puzzle") puzzles.goOn();
  });
  desk.open();
}

async function begin() {
  try {
    state.desk = await desk.ask({ do: "hello" });
    // What the command line asks for comes first, once.
    const { start } = state.desk;
    const isNew = start && start.id !== kept.get("start", null);
    const [puzzle, board] = ["puzzle", "setup"].map(kept.getOwn);
    const isRestored = !isNew && await files.restore();
    const seats = start ? [{ kind: "person" }, readSeat(start.opponent)] : state.seats;
    if (!isRestored) newGame({ seats, size: 5, cards: null });
    if (!isNew) {
      if (puzzle) await puzzles.open(puzzle);
      if (setup.isBoard(board)) setup.open(board);
      return;
    }
    kept.set("start", start.id);
    if (start.file) await files.openGiven(seats);
  } catch (error) {
    say(error.message, "bad");
  }
}

prepare();
