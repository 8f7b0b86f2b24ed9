// A game with a friend by links: each turn makes a link, and the person who opens it has the
// other seat. The link holds the game, so nothing is stored on a server.

const friend = (() => {
  const FOR_FRIEND = "This link is for your friend, who gets the other seat. Your game stays as it is.";

  /** @type {() => Seat} */
  const friendSeat = () => state.seats.findIndex(({ kind }) => kind === "friend");

  // Whether there is something to send to the friend.
  function mustSend() {
    const seat = friendSeat();
    if (seat < 0) return false;
    if (state.mode === "place") return toMove() === seat && !allStand();
    if (state.mode !== "play" || state.node.children.length) return false;
    return toMove() === seat || toMove() === null && state.node.parent !== null && playerOf(state.node) === opposite(seat);
  }

  const isInvitation = () => state.mode === "place" && !state.placed.flat().length;
  const words = () => isInvitation() ? "Invite your friend" : "Send the turn";

  // The content of a link: the turns up to this board, or the workers placed so far.
  async function written() {
    const seat = friendSeat();
    const { root, node } = state;
    if (!root || !node) {
      const { size, cards, placed } = state;
      return { friend: { seat }, size, cards, placed };
    }
    const line = [{}, ...tree.turns(node).map((turn, after) => ({ after, turn }))];
    const { record } = await client.ask({
      do: "record", position: root.view.position, tree: line, players: colours,
    });
    return { ...JSON.parse(record), friend: { seat, id: games.idOf(root) } };
  }

  async function show() {
    const dialog = $("saveDialog");
    // The line that was sent last is the game.
    if (state.node) tree.promote(state.node);
    changed();
    try {
      const link = links.field("Link to your game", await links.of.game(await written()));
      // Another dialog was opened meanwhile.
      if (openedDialog()) return;
      fillDialog(dialog, words(),
        make("p", {}, "Send this link to your friend, who gets the other seat and then sends you a link back."),
        link, links.note(), closingRow(dialog));
      showDialog(dialog);
    } catch (error) {
      sayError(error);
    }
  }

  // ---- opening ----

  // Opens the game of a link, which is not trusted.
  /** @type {(game: any) => Promise<void>} */
  async function open({ friend: link, ...game }) {
    const seat = link?.seat;
    if (seat !== 0 && seat !== 1) throw new Error("This link does not say which seat is yours.");
    const seats = [0, 1].map(other => /** @type {Player} */ ({ kind: other === seat ? "person" : "friend" }));
    if (game.turns === undefined) return openPlacing(seats, seat, game);
    const { nodes } = await links.read(game);
    const root = tree.read(nodes);
    const id = games.isId(link.id) ? link.id : null;
    if (isHere(root, seats, id)) return join(root);
    if (isHere(root, seats.toReversed(), id)) return say(FOR_FRIEND);
    if (await goOnWithKept(root, seats, id)) {
      join(root);
    } else {
      undo.beforeGame();
      takeGame(root, { seats });
      if (id !== null && !games.find(id)) games.adopt(root, { ...session.written(root, root), id });
      showTurn(tree.end(root));
    }
    undo.shownNow();
  }

  /** @type {(seats: Player[], seat: Seat, game: any) => void} */
  function openPlacing(seats, seat, { size, cards, placed }) {
    const isRight = isSize(size) && isCards(cards) && isPlaced(placed, size) &&
      placed[seat].length === 0 && placed[opposite(seat)].length === (seat === 0 ? 0 : 2);
    if (!isRight) throw new Error("The workers in this link are not placed legally.");
    const isOwn = state.mode === "place" && hasSeats(state.seats, seats.toReversed()) && JSON.stringify(state.placed) === JSON.stringify(placed);
    if (isOwn) return say(FOR_FRIEND);
    undo.beforeGame();
    resume({ mode: "place", seats, size, cards, placed, names: null, root: null, node: null, seed: 1, wasThinking: false });
  }

  /** @type {(root: GameNode, seats: Player[], id: number | null) => boolean} */
  const isHere = (root, seats, id) => state.mode === "play" && games.idOf(state.root) === id &&
    state.root.view.position === root.view.position && hasSeats(state.seats, seats);

  /** @type {(a: Player[], b: Player[]) => boolean} */
  const hasSeats = (a, b) => [0, 1].every(seat => a[seat]?.kind === b[seat].kind);

  // Continues the game as it was saved here, if it is the same one. Returns whether it is.
  /** @type {(root: GameNode, seats: Player[], id: number | null) => Promise<boolean>} */
  async function goOnWithKept(root, seats, id) {
    const known = id === null ? null : games.find(id);
    if (!known || known.position !== root.view.position || !hasSeats(seatsThere(known.seats), seats)) return false;
    await session.continueGame({ ...known, isThinking: false });
    return true;
  }

  // Adds the turns of a link to the game here, whose variations and comments stay. The friend
  // may take back only the last turn.
  /** @param {GameNode} root */
  function join(root) {
    if (!state.root) return;
    const own = tree.after(state.root);
    const sent = tree.after(root);
    const differs = sent.findIndex(({ turn }, index) => index < own.length && turn !== own[index].turn);
    let node = state.root;
    for (const { turn, view } of sent) node = tree.add(node, turn, view);
    const other = own[differs];
    const isTakenBack = other && other === own.at(-1) && !isPerson(playerOf(other));
    if (other && !isTakenBack) return keepOwn(other, sent[differs]);
    if (other || sent.length > own.length) {
      tree.promote(node);
      return showTurn(node, other ? `Friend took back ${other.turn}. ` : "");
    }
    goTo(tree.end(state.root));
    say(`This link has no turn that is new here. ${standing()}`);
  }

  // Keeps the line here as the game, and says where that of the link differs.
  /** @type {(own: PlayedNode, sent: PlayedNode) => void} */
  function keepOwn(own, sent) {
    goTo(tree.end(own));
    const player = isPerson(playerOf(own)) ? "you" : "your friend";
    say(`Turn ${own.view.scene.turn} of this link is ${sent.turn}, but ${player} played ${own.turn}. Your game stays; the line of the link is a variation.`, "bad");
  }

  /** @type {(node: GameNode, before?: string) => void} */
  function showTurn(node, before) {
    goTo(node);
    motion.path = node.view.scene.last?.path ?? null;
    if (node.parent) announce(node, before);
    else say(`All workers are placed. ${standing()}`);
  }

  return { mustSend, words, show, open };
})();
