// A live game with another page. The program that serves this page holds the game and judges
// its turns; this page shows each change. Every message holds the whole game, so a page that
// was away needs nothing else.

/**
 * @typedef {{
 *   id: number, role: "host" | "guest" | "spectator", seat: Seat | null, size: number,
 *   cards: string[] | null, placed: (string[] | null)[], start: string | null, turns: string[],
 *   winner: Seat | null, resigned: boolean, asksBack: Seat | null, here: boolean[], spectators: number,
 *   host?: { invitation: string | null, watch: string, address: string | null },
 * }} LiveGame
 */

const live = (() => {
  // The server closes the connection with these codes if the page must not reconnect by itself.
  const REPLACED = 4001;
  const REVOKED = 4003;
  const LONGEST_WAIT = 10_000;

  const isGuest = () => socketAddress("live") !== null && new URLSearchParams(location.search).has("guest");
  /** @type {(seats: Player[]) => boolean} */
  const hasLive = seats => seats.some(({ kind }) => kind === "live");
  const isOn = () => hasLive(state.seats);

  /** @type {WebSocket | null} */
  let socket = null;
  let wait = 500;
  // Why this page has left for good, or "".
  let ended = "";
  // The request that opens a game, until it is sent; and the id of the game that it replaces.
  /** @type {object | null} */
  let opening = null;
  let replaced = -1;
  // The game as the server last sent it, and as it is shown.
  /** @type {LiveGame | null} */
  let now = null;
  /** @type {LiveGame | null} */
  let shown = null;
  // The first board of the game, and the board to play on.
  /** @type {GameNode | null} */
  let root = null;
  /** @type {GameNode | null} */
  let tip = null;
  // The request of this page that the server has not confirmed yet.
  /** @type {{ do: string, number?: number, [argument: string]: unknown } | null} */
  let pending = null;
  // True if the server's game will replace what this page shows.
  let isJoining = false;
  // True if the host ends the game from a page that does not show it.
  let isEnding = false;
  const wasLive = storage.getTab("live") === true;
  // Whether this page has shown the live game.
  let hasBeen = wasLive;
  let isHidden = false;
  // Why the server refused a request, until the page has shown the game as it is and says it.
  let refused = "";
  // Whether the program has an unfinished game of this host.
  const isUnfinished = () => state.hello?.live === true;
  const ASKS = "Your friend asks to take back a turn.";
  // What to say when the server has closed the connection.
  /** @type {Record<number, string>} */
  const CLOSED = {
    [REPLACED]: "Another of your pages has taken this seat, perhaps for a new live game.",
    [REVOKED]: "This invitation is no longer valid: the host made a new one.",
  };

  // ---- the connection ----

  function connect() {
    const address = socketAddress("live");
    if (!address) return;
    const own = socket = new WebSocket(address);
    own.onmessage = ({ data }) => { if (socket === own) heard(JSON.parse(data)); };
    own.onopen = () => { wait = 500; };
    own.onclose = ({ code, reason }) => {
      if (socket !== own) return;
      socket = null;
      if (code === REPLACED || code === REVOKED) {
        ended = reason;
        say(CLOSED[code], "bad");
        return changed();
      }
      setTimeout(follow, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
  }

  function leave() {
    const own = socket;
    socket = null;
    own?.close();
  }

  // Returns whether the request was sent.
  /** @type {(request: object) => boolean} */
  const send = request => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(request));
    return true;
  };

  // Sends a request that is not sent again by itself. Returns whether it was sent.
  /** @type {(request: object) => boolean} */
  const ask = request => {
    const isSent = send(request);
    if (!isSent) say("There is no connection just now.", "bad");
    return isSent;
  };

  /** @type {(message: { live?: LiveGame | null, error?: string }) => void} */
  function heard({ live: game, error }) {
    if (error) {
      pending = null;
      if (isOn() && now) refused = asSentence(error);
      else say(asSentence(error), "bad");
      return changed();
    }
    if (opening) {
      replaced = game?.id ?? -1;
      send(opening);
      opening = null;
      return;
    }
    if (isEnding) return endWith(game);
    if (!game) return lose("The program was restarted, so the live game has ended.");
    if (game.id === replaced) return;
    if (game.start === null && game.winner !== null) return callOff(game);
    now = game;
    if (pending) confirm(game, pending);
    changed();
  }

  // Sends a request again if the game shows that it was lost; otherwise it is no longer pending.
  /** @type {(game: LiveGame, done: { number?: number }) => void} */
  function confirm(game, done) {
    const isMissing = done.number !== undefined ? game.turns.length === done.number
      : game.seat !== null && !game.placed[game.seat];
    if (isMissing && game.winner === null) send(done);
    else pending = null;
  }

  // The server no longer has the game. One that is not over goes on here, by hand.
  /** @param {string} why */
  function lose(why) {
    const isLost = (isJoining || isOn()) && toMove() !== null;
    isJoining = false;
    if (!isLost) return;
    now = null;
    state.seats = state.seats.map(player => player.kind === "live" ? { kind: "person" } : player);
    say(`${why} You can play on by hand.`, "bad");
    changed();
  }

  // The game has ended while workers were placed. A guest waits for the next one.
  /** @param {LiveGame} game */
  function callOff(game) {
    const why = "The live game has ended before its first turn.";
    if (!isGuest()) return lose(why);
    now = null;
    shown = game;
    isJoining = false;
    say(why, "bad");
    changed();
  }

  // Resigns a game that this page does not show, then leaves it.
  /** @param {LiveGame | null | undefined} game */
  function endWith(game) {
    if (game?.winner === null) return void send({ do: "resign" });
    isEnding = false;
    say("The live game has ended.");
    changed();
  }

  // ---- showing the game ----

  /** @type {(game: LiveGame) => Player[]} */
  const seatsOf = game => [0, 1].map(seat => ({ kind: seat === game.seat ? "person" : "live" }));

  // Connects while this page shows the live game, perhaps under a puzzle, and shows what is new.
  function follow() {
    if (!state.hello || isHidden) return;
    const isHere = isGuest() || isJoining || hasLive(gameUnder().seats);
    storage.setTab("live", isHere);
    keepWorker();
    const isWanted = isHere || isEnding;
    if (!isWanted && socket) leave();
    if (isWanted && !socket && !ended) connect();
    if (root && tip && !tree.holds(root, tip)) shown = null;
    const isFree = state.mode === "play" && !lesson.isOn() || state.mode === "place";
    if (isFree && (isOn() || isJoining) && (now !== shown || refused)) enqueue();
    invite.follow(now);
  }

  // Keeps the first worker of this page for a reload.
  function keepWorker() {
    if (state.mode !== "place" || isJoining || !isOn() || now === null || now.seat === null) return;
    const [at, second] = state.placed[now.seat];
    storage.setTab("liveWorker", at && !second ? { id: now.id, at } : null);
  }

  let queue = Promise.resolve();
  const enqueue = () => {
    queue = queue.then(show).catch(error => sayError(error));
  };

  async function show() {
    const game = now;
    const before = shown;
    const trouble = refused;
    if (!game || game === before && !trouble) return;
    shown = game;
    refused = "";
    if (game.start === null) showPlacing(game, before, trouble !== "");
    else await showTurns(game, before, game.start);
    if (trouble) say(trouble, "bad");
  }

  /** @type {(game: LiveGame, before: LiveGame | null, start: string) => Promise<void>} */
  async function showTurns(game, before, start) {
    if (before?.id !== game.id || !root || root.view.position !== start) {
      root = tree.root(await client.ask({ do: "look", position: start }));
    }
    let node = root;
    for (const turn of game.turns) node = tree.add(node, turn, await viewAfter(node, turn));
    showTip(game, before, root, node);
  }

  // The workers of this page that the server does not know yet: it gets both together.
  /** @type {(game: LiveGame, before: LiveGame | null) => string[]} */
  function unsent({ id, size, seat, placed }, before) {
    if (seat === null) return [];
    if (before?.id === id && !isJoining) return state.placed[seat];
    const kept = storage.getTab("liveWorker");
    return kept?.id === id && isSpace(kept.at, size) && !placed.flat().includes(kept.at) ? [kept.at] : [];
  }

  /** @type {(game: LiveGame, before: LiveGame | null, isRefused: boolean) => void} */
  function showPlacing(game, before, isRefused) {
    root = tip = null;
    const own = isRefused ? [] : unsent(game, before);
    const placed = game.placed.map((squares, seat) => squares ?? (seat === game.seat ? own : []));
    const isNext = before !== null && before.id !== game.id;
    const isSame = !isJoining && !isNext && state.mode === "place" && hasLive(state.seats) && JSON.stringify([state.placed, state.size, state.cards]) ===
      JSON.stringify([placed, game.size, game.cards]) && JSON.stringify(state.seats) === JSON.stringify(seatsOf(game));
    isJoining = false;
    if (isSame) return changed();
    resume({
      mode: "place", seats: seatsOf(game), size: game.size, cards: game.cards, placed, names: null, root: null,
      node: null, seed: 1, wasThinking: false,
    });
    if (isNext && before.winner === null) say(`Your friend has ended that game and begun a new one. ${placingWords()}`);
  }

  /** @type {(game: LiveGame, before: LiveGame | null, first: GameNode, node: GameNode) => void} */
  function showTip(game, before, first, node) {
    const isOther = state.root !== first || !isOn();
    const was = tip;
    tip = node;
    isJoining = false;
    tree.promote(node);
    if (isOther) {
      takeGame(first, { seats: seatsOf(game) });
      games.adopt(first, { ...session.written(first, node), id: game.id });
    }
    if (game.resigned && game.winner !== null) games.resign(first, node, game.winner);
    const isBack = before?.id === game.id && game.turns.length < before.turns.length;
    const isNew = node !== was || isOther;
    if (isOther || isNew && state.node !== node) {
      goTo(node);
      if (!isBack) motion.path = node.view.scene.last?.path ?? null;
      if (isBack || !node.parent) say(`${isBack ? "Taken back." : "All workers are placed."} ${standing()}`);
      else announce(node);
    } else {
      tell(game, before);
    }
    if (isAsking(game) && !(before?.id === game.id && isAsking(before))) say(ASKS);
    changed();
  }

  // Whether the friend asks to take back a turn.
  /** @type {(game: LiveGame) => boolean} */
  const isAsking = ({ seat, asksBack }) => seat !== null && asksBack === opposite(seat);

  // Reports what has happened besides turns.
  /** @type {(game: LiveGame, before: LiveGame | null) => void} */
  function tell(game, before) {
    if (before?.id !== game.id || game.seat === null) {
      if (game.resigned) say(standing());
      return;
    }
    const other = opposite(game.seat);
    if (game.resigned && !before.resigned) return say(standing(), game.winner === game.seat ? "good" : "");
    const isRefusal = game.asksBack === null && game.turns.length === before.turns.length;
    if (isRefusal && before.asksBack === game.seat) return say(`Your friend refused the take-back. ${standing()}`);
    if (isRefusal && before.asksBack === other) return say(`You refused the take-back. ${standing()}`);
    if (game.here[other] !== before.here[other]) say(`Your friend is ${game.here[other] ? "here" : "away"}. ${standing()}`);
  }

  // ---- what the rest of the page asks ----

  const isAtTip = () => state.mode !== "play" || state.node === tip;
  const isOver = () => winner() !== null || isOn() && now !== null && now.winner !== null && isAtTip();
  // Whether neither player may ask the engine: on no board while a live game runs that a guest
  // has joined.
  const isClosed = () => isUnfinished() && state.hello?.joined === true || isOn() && (now === null || now.winner === null);
  // Whether this page has a seat in a game that is not over.
  const isPlaying = () => isOn() && now !== null && now.seat !== null && now.winner === null;
  // The seat that has won on this board by the other's resignation, or null.
  /** @type {() => Seat | null} */
  const winner = () => state.mode === "play" ? games.winnerByResignation(state.node) : null;
  const mayAct = () => !isOn() || now !== null && !pending && !ended && isAtTip() && !isOver();

  // Whether a board is one of the game that the server holds: its turns cannot be deleted here.
  /** @type {(node: GameNode) => boolean} */
  const holds = node => isOn() && tip !== null && tree.holds(node, tip);

  // Why the person here cannot act on this board, or "".
  const refusal = () => {
    if (!isOn() || mayAct() || isOver()) return "";
    if (ended) return "This page no longer follows the game.";
    if (pending || !now) return "Wait for an answer from the program that holds the game.";
    return "This is an earlier board. Go to the end to play.";
  };

  // Opens the game of this page to another page.
  function open() {
    const { size, cards, seats } = state;
    opening = { do: "open", seat: seats.findIndex(({ kind }) => kind === "person"), size, cards };
    now = shown = root = tip = pending = null;
    ended = refused = "";
    hasBeen = true;
    invite.wanted();
    // Connect anew: `heard` sends the request when a new connection reports the earlier game.
    if (socket?.readyState === WebSocket.OPEN) leave();
    follow();
  }

  // Begins as a guest, if this page is one.
  function begin() {
    if (!isGuest()) return false;
    document.body.classList.add("guest");
    isJoining = true;
    state.seats = [{ kind: "live" }, { kind: "live" }];
    say("Joining the game.");
    changed();
    return true;
  }

  // Rejoins the live game that this tab showed before it was reloaded.
  function rejoin() {
    isJoining = wasLive && socketAddress("live") !== null;
    changed();
  }

  // Whether the host can go back to a game that this page does not show, and does so.
  const mayReturn = () => isUnfinished() && !isGuest() && !isOn() && !isJoining && !isEnding && !lesson.isOn();
  function goBack() {
    undo.beforeGame();
    ended = "";
    isJoining = hasBeen = true;
    say("Going back to the live game.");
    changed();
  }

  // Ends a game that this page does not show.
  function end() {
    ended = "";
    isEnding = true;
    changed();
  }

  /** @type {(request: { do: string, number?: number, [argument: string]: unknown }) => void} */
  function act(request) {
    pending = request;
    send(request);
    changed();
  }

  // Sends the workers of this page, once both are placed.
  function placed() {
    const seat = now?.seat;
    if (seat === null || seat === undefined || state.placed[seat].length < 2) return say(placingWords());
    say("Your workers are placed.");
    act({ do: "place", squares: state.placed[seat] });
  }

  /** @type {(node: GameNode) => void} */
  function played(node) {
    tip = node;
    act({ do: "turn", number: now?.turns.length, turn: node.turn });
  }

  // Asks the friend for a take-back. Returns false if this page can take back by itself: the
  // steps of an unfinished turn, or a worker that the server does not know yet.
  function takeBack() {
    if (!isOn() || state.entry.from) return false;
    const seat = now?.seat;
    if (seat === null || seat === undefined || now?.winner !== null) return true;
    if (state.mode === "place") return now?.placed[seat] !== null || pending !== null;
    if (ask({ do: "ask-back" })) say("Your friend has been asked to let you take back your turn.");
    return true;
  }

  // Takes the seat back from another page.
  function again() {
    ended = "";
    say(state.mode === "place" ? placingWords() : standing());
    changed();
  }

  function prepare() {
    onChange(follow);
    // A page in the browser's cache for Back counts as away.
    addEventListener("pagehide", () => {
      isHidden = true;
      leave();
    });
    addEventListener("pageshow", () => {
      isHidden = false;
      follow();
    });
  }

  return {
    isOn, isGuest, isUnfinished, isOver, isClosed, isPlaying, winner, holds, mayAct, refusal, open, begin, rejoin, placed, played, takeBack, ask,
    hasBeen: () => hasBeen,
    now: () => isOn() ? now : null,
    isEnded: () => isOn() && ended !== "",
    again, mayReturn, goBack, end,
    prepare,
  };
})();
