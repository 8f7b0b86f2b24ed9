// Saves what this tab shows in the browser (a game, placed workers, a puzzle, a board being set
// up), and resumes it after a reload.

const session = (() => {
  /** @type {Map<string, string>} */
  const before = new Map();

  // Saves a value, if it has changed.
  /** @type {(key: string, value: unknown) => void} */
  function keepAs(key, value) {
    const text = JSON.stringify(value);
    if (text === before.get(key) || text.length > 200_000) return;
    before.set(key, text);
    storage.setOwn(key, value);
  }

  // The game with its current board, as the browser keeps it.
  /** @type {(root: GameNode, node: GameNode) => SavedGame} */
  function written(root, node) {
    const { seats, names } = lesson.players();
    return {
      id: games.idOf(root), position: root.view.position, tree: tree.write(root), seats, names,
      at: tree.turns(node), isThinking: state.thinking !== null, placed: state.placed,
    };
  }

  // A game is kept until the next one begins, even while workers are placed for that one. A
  // puzzle or a position being set up on top of the game is kept beside it.
  function save() {
    if (!state.hello) return;
    storage.setTab("lesson", lesson.isOn());
    if (state.mode === "play") {
      const { root, node } = state;
      games.keep(root, () => written(root, node));
      keepAs("game", written(root, node));
      keepAs("placing", null);
    }
    if (state.mode === "place") {
      const { seats, size, cards, placed, seed } = state;
      keepAs("placing", placed.flat().length ? { seats, size, cards, placed, seed } : null);
    }
    if (state.mode !== "setup") keepAs("puzzle", puzzles.now());
    keepAs("setup", setup.now());
  }

  /** @type {(placing: any) => boolean} */
  const isPlacing = placing => isSize(placing?.size) && isCards(placing.cards) && isPlaced(placing.placed, placing.size) &&
    (placing.placed[0].length === 2 || !placing.placed[1].length);

  // Whether this tab had a lesson before it was reloaded.
  const hadLesson = storage.getTab("lesson") === true;

  // Continues a saved game.
  /** @param {SavedGame} game */
  async function continueGame(game) {
    const { position, tree: branches, seats, names, at, isThinking, placed } = game;
    const line = await client.ask({ do: "record", position, tree: branches, players: ["", ""] });
    const { nodes } = await client.ask({ do: "game", value: JSON.parse(line.record) });
    undo.beforeGame();
    const root = tree.read(nodes);
    takeGame(root, { seats: seatsThere(seats), names: isPair(names, isText) ? names : null });
    if (isPlaced(placed, state.size)) Object.assign(state, { placed, cards: root.view.cards ?? null });
    games.adopt(root, game);
    // It was only opened, or was deleted from the list.
    if (!games.find(game.id)) games.leaveOut(root);
    let node = root;
    for (const turn of at) node = node.children.find(child => child.turn === turn) ?? node;
    goTo(node);
    const isCopy = Array.isArray(seats) && seats.some(seat => seat?.kind === "live");
    const words = isCopy ? "This is a copy of a live game." : "Game resumed.";
    say(toMove() === null ? standing() : `${words} ${standing()}`);
    if (isThinking === true) letOthersPlay();
  }

  // Resumes what this tab showed. Returns whether there was anything; throws if it cannot be opened.
  async function restore() {
    const placing = storage.getOwn("placing");
    if (isPlacing(placing)) {
      const { seats, size, cards, placed, seed } = placing;
      resume({
        mode: "place", names: null, root: null, node: null, wasThinking: true, seats: seatsThere(seats), size, cards,
        placed, seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : 1,
      });
      return true;
    }
    const game = storage.getOwn("game");
    if (!games.isGame(game)) return false;
    await continueGame(game);
    if (hadLesson) say(`Reloading ended the lesson. ${standing()}`);
    return true;
  }

  return { save, written, continueGame, restore };
})();
