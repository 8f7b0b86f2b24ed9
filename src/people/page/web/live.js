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
  let isHidden = false;
  const wasLive = storage.getTab("live") === true;
  // Whether the program has an unfinished game of this host.
  const isUnfinished = () => state.hello?.live === true;

  // ---- the connection ----

  function connect() {
    const address = socketAddress("live");
    if (!address) return;
    const own = socket = new WebSocket(address);
    own.onmessage = ({ data }) => heard(JSON.parse(data));
    own.onopen = () => { wait = 500; };
    own.onclose = ({ code, reason }) => {
      if (socket !== own) return;
      socket = null;
      if (code === REPLACED || code === REVOKED) {
        ended = reason;
        say(code === REPLACED ? "Another page has this seat now." : "This invitation is no longer valid.", "bad");
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

  /** @type {(request: object) => void} */
  const send = request => { if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request)); };

  /** @type {(message: { live?: LiveGame | null, error?: string }) => void} */
  function heard({ live: game, error }) {
    if (error) {
      pending = null;
      shown = null;
      say(asSentence(error), "bad");
      return changed();
    }
    if (opening) {
      replaced = game?.id ?? -1;
      send(opening);
      opening = null;
      return;
    }
    if (!game) return lose();
    if (game.id === replaced) return;
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

  // The program was restarted. A game that is not over goes on here, by hand.
  function lose() {
    const isLost = (isJoining || isOn()) && toMove() !== null;
    isJoining = false;
    if (!isLost) return;
    now = null;
    state.seats = state.seats.map(player => player.kind === "live" ? { kind: "person" } : player);
    say("The program was restarted, so the live game has ended. You can play on by hand.", "bad");
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
    if (!isHere && socket) leave();
    if (isHere && !socket && !ended) connect();
    if (root && tip && !tree.holds(root, tip)) shown = null;
    const isFree = state.mode === "play" && !lesson.isOn() || state.mode === "place";
    if (isFree && (isOn() || isJoining) && now !== shown) enqueue();
    invite.follow(now);
  }

  let queue = Promise.resolve();
  const enqueue = () => {
    queue = queue.then(show).catch(error => sayError(error));
  };

  async function show() {
    const game = now;
    const before = shown;
    if (!game || game === before) return;
    shown = game;
    if (game.start === null) return showPlacing(game, before);
    if (before?.id !== game.id || !root || root.view.position !== game.start) {
      root = tree.root(await client.ask({ do: "look", position: game.start }));
    }
    let node = root;
    for (const turn of game.turns) {
      const known = node.children.find(child => child.turn === turn);
      node = known ?? tree.add(node, turn, await client.ask({ do: "look", position: node.view.position, turn }));
    }
    showTip(game, before, root, node);
  }

  /** @type {(game: LiveGame, before: LiveGame | null) => void} */
  function showPlacing(game, before) {
    root = tip = null;
    // The server does not know the first worker of this page until the second is placed.
    const own = before?.id === game.id && game.seat !== null ? state.placed[game.seat] : [];
    const placed = game.placed.map((squares, seat) => squares ?? (seat === game.seat ? own : []));
    const isSame = state.mode === "place" && hasLive(state.seats) && JSON.stringify([state.placed, state.size, state.cards]) ===
      JSON.stringify([placed, game.size, game.cards]) && JSON.stringify(state.seats) === JSON.stringify(seatsOf(game));
    isJoining = false;
    if (isSame) return changed();
    resume({
      mode: "place", seats: seatsOf(game), size: game.size, cards: game.cards, placed, names: null, root: null,
      node: null, seed: 1, wasThinking: false,
    });
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
    changed();
  }

  // Reports what has happened besides turns.
  /** @type {(game: LiveGame, before: LiveGame | null) => void} */
  function tell(game, before) {
    if (before?.id !== game.id || game.seat === null) {
      if (game.resigned) say(standing());
      return;
    }
    const other = opposite(game.seat);
    if (game.resigned && !before.resigned) return say(standing(), game.winner === game.seat ? "good" : "");
    if (game.asksBack === other && before.asksBack !== other) return say("Your friend asks to take back a turn.");
    if (before.asksBack === game.seat && game.asksBack === null) return say(`Your friend refused the take-back. ${standing()}`);
    if (game.here[other] !== before.here[other]) say(`Your friend is ${game.here[other] ? "here" : "away"}. ${standing()}`);
  }

  // ---- what the rest of the page asks ----

  const isAtTip = () => state.mode !== "play" || state.node === tip;
  const isOver = () => winner() !== null || isOn() && now !== null && now.winner !== null && isAtTip();
  // Whether neither player may ask the engine: on no board while a live game runs.
  const isClosed = () => isUnfinished() || isOn() && (now === null || now.winner === null);
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
    ended = "";
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
  const mayReturn = () => isUnfinished() && !isGuest() && !isOn() && !isJoining && !lesson.isOn();
  function goBack() {
    undo.beforeGame();
    ended = "";
    isJoining = true;
    say("Going back to the live game.");
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
    if (seat === null || seat === undefined) return true;
    if (state.mode === "place") return now?.placed[seat] !== null || pending !== null;
    send({ do: "ask-back" });
    say("Your friend has been asked to let you take back your turn.");
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
    isOn, isGuest, isUnfinished, isOver, isClosed, winner, holds, mayAct, refusal, open, begin, rejoin, placed, played, takeBack, send,
    now: () => isOn() ? now : null,
    isEnded: () => isOn() && ended !== "",
    again, mayReturn, goBack,
    prepare,
  };
})();
