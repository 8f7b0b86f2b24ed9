// After a game of a person against a level: another game, and the level that suits.

const rematch = (() => {
  // Games whose result counts already; one that is played on after a take-back counts once.
  /** @type {WeakSet<GameNode>} */
  const isCounted = new WeakSet();

  /** @type {(value: any) => boolean} */
  const isStreak = value => [value?.level, value?.count].every(Number.isInteger) && typeof value.isWon === "boolean";
  // The results in a row against one level.
  /** @type {() => { level: number, isWon: boolean, count: number } | null} */
  const streak = () => kept.get("streak", null, isStreak);

  // The seat of the level, or -1 in other games.
  /** @type {() => Seat | -1} */
  const levelSeat = () => {
    const kinds = state.seats.map(({ kind }) => kind).join();
    return kinds === "person,level" ? 1 : kinds === "level,person" ? 0 : -1;
  };

  /** @type {(level: number) => boolean} */
  const isLevel = level => state.desk.levels.some(other => other.level === level);

  // The level to go to after two equal results in a row against the one of this game, or null.
  const offered = () => {
    const { level } = state.seats[levelSeat()];
    const last = streak();
    if (last?.level !== level || last.count < 2) return null;
    const next = level + (last.isWon ? 1 : -1);
    return isLevel(next) ? next : null;
  };

  // Counts the result of a game that has just ended. Returns words on what is offered.
  /** @type {(node: GameNode) => string} */
  function ended({ view: { winner } }) {
    const seat = levelSeat();
    if (winner === null || seat < 0 || state.mode !== "play") return "";
    if (!isCounted.has(state.root)) {
      isCounted.add(state.root);
      const { level } = state.seats[seat];
      const isWon = winner !== seat;
      const last = streak();
      const count = last?.level === level && last.isWon === isWon ? last.count + 1 : 1;
      kept.set("streak", { level, isWon, count });
    }
    const next = offered();
    if (next === null) return "";
    return streak().isWon ? ` Two wins in a row: try level ${next}.` : ` Two losses in a row: level ${next} is easier.`;
  }

  // Begins another game. Each player keeps its card when the sides change.
  /** @type {(level: number, isOtherSide?: boolean) => void} */
  function begin(level, isOtherSide = false) {
    const seats = state.seats.map(player => player.kind === "level" ? { ...player, level } : player);
    const cards = state.root.view.cards?.slice() ?? null;
    if (isOtherSide) [seats, cards].forEach(pair => pair?.reverse());
    const { size } = state;
    kept.set("wishes", { seats: seats.map(writeSeat), size, cards });
    newGame({ seats, size, cards });
  }

  // The buttons after a game.
  /** @type {() => HTMLElement[]} */
  function choices() {
    const seat = levelSeat();
    if (seat < 0) return [];
    const { level } = state.seats[seat];
    const next = offered();
    const other = next ?? level + 1;
    const strong = { class: "strong" };
    return [
      button("Again", () => begin(level), next === null ? strong : {}),
      button("Other side", () => begin(level, true)),
      ...(isLevel(other) ? [button(`${other < level ? "Easier" : "Harder"}: level ${other}`, () => begin(other), next === null ? {} : strong)] : []),
    ];
  }

  return { ended, choices };
})();
