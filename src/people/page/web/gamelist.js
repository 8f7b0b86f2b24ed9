// The games of a file of any length: an index of them, read line by line, and a list of them
// that can be searched.

// What the list knows of a game, and how it is opened.
/** @type {(game: Opened, index: number) => Listed} */
const listed = (game, index) => ({
  number: (game.game ?? index) + 1,
  players: [0, 1].map(seat => String(game.players?.[seat] || ["First player", "Second player"][seat])),
  cards: Array.isArray(game.cards) ? game.cards : null,
  turns: (game.turns ?? (game.boards ?? /** @type {any} */ (game)).slice(1)).length,
  winner: game.winner === 0 || game.winner === 1 ? game.winner : null,
  ending: game.ending ?? null,
});

/** @type {(game: Listed) => string} */
const listedTitle = ({ number, players, cards, turns, winner, ending }) => {
  const withCards = cards ? ` (${cards.join(" against ")})` : "";
  // Boards alone do not tell how their game ended.
  const end = winner !== null ? `, ${players[winner]} wins` : ending === null ? ""
    : ending === "interrupted" ? ", not finished" : ", drawn";
  return `Game ${number}: ${players.join(" – ")}${withCards}, ${counted(turns)}${end}`;
};

// Whether a game has all words in its names and cards, this winner ("" is anyone, "-" none), and
// a length within the limits, where there are any.
/** @type {(game: Listed, wanted: { words: string, winner: string, least: number, most: number }) => boolean} */
const isWanted = (game, { words, winner, least, most }) => {
  const name = game.winner === null ? "-" : game.players[game.winner];
  if (winner && winner !== name || game.turns < (least || 0) || game.turns > (most || Infinity)) return false;
  const names = [...game.players, ...game.cards ?? []].join(" ").toLowerCase();
  return words.toLowerCase().split(/\s+/).every(word => names.includes(word));
};

const gameList = (() => {
  const MOST_GAMES = 1_000_000;
  const LONGEST_LINE = 4_000_000;
  const PAGE = 100;

  /** @type {(line: number) => Error} */
  const notJson = line => new Error(`Line ${line} is not JSON. A file of games has one game on each line.`);

  // Calls `take` with each line of a file and the bytes where the line begins and ends.
  /** @type {(file: Blob, take: (line: string, start: number, end: number) => void) => Promise<void>} */
  async function eachLine(file, take) {
    const decoder = new TextDecoder();
    let rest = new Uint8Array(0);
    let start = 0;
    /** @type {(bytes: Uint8Array, from: number, end: number) => void} */
    const give = (bytes, from, end) => take(decoder.decode(bytes.subarray(from, end)), start + from, start + end);
    const reader = file.stream().getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const bytes = new Uint8Array(rest.length + part.value.length);
      bytes.set(rest);
      bytes.set(part.value, rest.length);
      let from = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
        give(bytes, from, end);
        from = end + 1;
      }
      rest = bytes.slice(from);
      start += from;
      if (rest.length > LONGEST_LINE) throw new Error("This is not a file of games: a line is longer than 4 MB.");
    }
    if (rest.length) give(rest, 0, rest.length);
  }

  // The games of a file by their number, one JSON value a line; boards alone are one game
  // together.
  /** @type {(file: Blob, isGame: (value: any) => boolean, tell?: (share: number) => void) => Promise<{ games: Listed[], boards: object[] }>} */
  async function index(file, isGame, tell = () => {}) {
    /** @type {Listed[]} */
    const games = [];
    /** @type {object[]} */
    const boards = [];
    let number = 0;
    let broken = 0;
    await eachLine(file, (line, start, end) => {
      number += 1;
      if (!line.trim() || games.length === MOST_GAMES) return;
      // A killed program may have left its last line unfinished.
      if (broken) throw notJson(broken);
      let value;
      try {
        value = JSON.parse(line);
      } catch {
        broken = number;
        return;
      }
      if (isGame(value)) games.push({ ...listed(value, games.length), start, end });
      else if (value?.spaces && boards.length < 2000) boards.push(value);
      if (number % 5000 === 0) tell(end / file.size);
    });
    if (broken && !games.length && !boards.length) throw notJson(broken);
    // A tournament writes its games as they end. A file of several tournaments keeps its order.
    if (new Set(games.map(({ number }) => number)).size === games.length) games.sort((a, b) => a.number - b.number);
    return { games, boards };
  }

  // The elements of a list of games, with its search fields.
  /** @type {(games: Listed[], open: (game: Listed) => void) => HTMLElement[]} */
  function parts(games, open) {
    const words = make("input", { type: "search", id: "gameWords", autocomplete: "off" });
    const winners = [...new Set(games.map(({ players, winner }) => winner === null ? "-" : players[winner]))].sort().slice(0, 200);
    const winner = make("select", { id: "gameWinner" }, make("option", { value: "" }, "Anyone"),
      ...winners.map(name => make("option", { value: name }, name === "-" ? "None" : name)));
    const [least, most] = ["gameLeast", "gameMost"].map(id => make("input", { type: "number", min: 0, id, inputmode: "numeric" }));
    const count = make("p", { class: "soft", role: "status" });
    const rows = make("div", { class: "games" });
    let room = PAGE;

    function fill() {
      const wanted = { words: words.value, winner: winner.value, least: least.valueAsNumber, most: most.valueAsNumber };
      const found = games.filter(game => isWanted(game, wanted));
      const total = games.length.toLocaleString("en");
      count.textContent = found.length === games.length ? `${total} games; choose one.` : `${found.length.toLocaleString("en")} of ${total} games.`;
      rows.replaceChildren(...found.slice(0, room).map(game => button(listedTitle(game), () => open(game))));
      if (found.length > room) rows.append(button("Show more", () => {
        const first = room;
        room += PAGE;
        fill();
        /** @type {HTMLElement} */ (rows.children[first]).focus();
      }, { class: "more" }));
    }
    const search = () => { room = PAGE; fill(); };
    [words, least, most].forEach(field => field.addEventListener("input", search));
    winner.onchange = search;
    fill();
    return [
      make("div", { class: "search" }, labelled("Search by name or card", words), labelled("Winner", winner),
        labelled("Turns, at least", least), labelled("At most", most)),
      count, rows,
    ];
  }

  return { index, parts };
})();
