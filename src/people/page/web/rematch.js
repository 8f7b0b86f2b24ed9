// After a game against a level: another game, and a suitable level.

const rematch = (() => {
  /** @type {(value: any) => boolean} */
  const isStreak = value => Number.isInteger(value?.level) && typeof value.isWon === "boolean" && Array.isArray(value.games);
  // The last results in a row against one level: the last two games at most. A game that is
  // continued after a take-back or a reload counts once.
  /** @type {() => { level: number, isWon: boolean, games: number[] } | null} */
  const streak = () => storage.get("streak", null, isStreak);

  // The level that a person plays against, and its seat; null in other games.
  /** @type {() => { level: number, seat: Seat } | null} */
  const opponent = () => {
    const [first, second] = state.seats;
    if (first.kind === "person" && second.kind === "level") return { level: second.level, seat: 1 };
    if (first.kind === "level" && second.kind === "person") return { level: first.level, seat: 0 };
    return null;
  };

  /** @type {(level: number) => boolean} */
  const isLevel = level => offered().levels.some(other => other.level === level);

  // The level to go to after two equal results in a row against this one, or null.
  /** @type {(level: number) => { next: number, isWon: boolean } | null} */
  const suggested = level => {
    const last = streak();
    if (!last || last.level !== level || last.games.length < 2) return null;
    const next = level + (last.isWon ? 1 : -1);
    return isLevel(next) ? { next, isWon: last.isWon } : null;
  };

  // Counts the result of a game that has just ended. Returns words on what is offered.
  /** @type {(node: GameNode) => string} */
  function ended({ view: { winner } }) {
    const against = opponent();
    if (winner === null || !against || state.mode !== "play") return "";
    const { level, seat } = against;
    const id = games.idOf(state.root);
    const last = streak();
    if (!last?.games.includes(id)) {
      const isWon = winner !== seat;
      const before = last?.level === level && last.isWon === isWon ? last.games : [];
      storage.set("streak", { level, isWon, games: [...before, id].slice(-2) });
    }
    const other = suggested(level);
    if (!other) return "";
    return other.isWon ? ` Two wins in a row: try level ${other.next}.` : ` Two losses in a row: level ${other.next} is easier.`;
  }

  // Begins another game. Each player keeps its card when the sides change.
  /** @type {(level: number, isOtherSide?: boolean) => void} */
  function begin(level, isOtherSide = false) {
    const seats = state.seats.map(player => player.kind === "level" ? { ...player, level } : player);
    const cards = (view()?.cards ?? state.cards)?.slice() ?? null;
    if (isOtherSide) [seats, cards].forEach(pair => pair?.reverse());
    beginChosen({ seats, size: state.size, cards });
  }

  // The buttons after a game.
  /** @type {() => HTMLElement[]} */
  function choices() {
    const against = opponent();
    if (!against) return [];
    const { level, seat } = against;
    const other = level + (view()?.winner === seat ? -1 : 1);
    const isSuggested = suggested(level)?.next === other;
    const strong = { class: "strong" };
    return [
      button("Again", () => begin(level), isSuggested ? {} : strong),
      button("Other side", () => begin(level, true)),
      ...(isLevel(other) ? [button(`${other < level ? "Easier" : "Harder"}: level ${other}`, () => begin(other), isSuggested ? strong : {})] : []),
    ];
  }

  return { ended, choices };
})();
