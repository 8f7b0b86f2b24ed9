// The chances of placements, while workers are placed: from the placement book of the program.

// The best chance of each space for the next worker, given the workers that stand.
/** @type {(list: Placing[], standing: string[]) => Map<string, number>} */
const chanceBySpace = (list, standing) => {
  /** @type {Map<string, number>} */
  const best = new Map();
  for (const { squares, chance } of fitting(list, standing)) {
    for (const at of squares.filter(name => !standing.includes(name))) best.set(at, Math.max(chance, best.get(at) ?? 0));
  }
  return best;
};

// The placements with all of the workers that stand.
/** @type {(list: Placing[], standing: string[]) => Placing[]} */
const fitting = (list, standing) => list.filter(({ squares }) => standing.every(name => squares.includes(name)));

const opening = (() => {
  const MOST_LISTED = 8;
  // The answers of the program, by cards and by the first player's spaces, once taken.
  /** @type {Map<string, Placing[]>} */
  const known = new Map();
  /** @type {string | null} */
  let asked = null;

  // The chances differ only a little.
  /** @type {(chance: number) => string} */
  const tenths = chance => `${(chance * 100).toFixed(1)}%`;

  const isShown = () => analysis.isOn() && state.mode === "place" && state.hello !== null && !allStand();
  const isInBook = () => state.size === 5;
  const first = () => placingSeat() === 1 ? state.placed[0] : [];
  const own = () => state.placed[placingSeat()];

  const key = () => JSON.stringify([state.cards, first()]);
  /** @returns {Placing[] | null} */
  const list = () => known.get(key()) ?? null;

  async function ask() {
    const question = key();
    if (asked === question) return;
    asked = question;
    try {
      const { placements } = await client.ask({
        do: "placements", cards: state.cards ?? undefined, first: first().length ? first() : undefined,
      });
      known.set(question, placements);
      if (asked === question) asked = null;
      changed();
    } catch (error) {
      sayError(error);
    }
  }

  const bySpace = () => isShown() && isInBook() ? chanceBySpace(list() ?? [], own()) : new Map();

  /** @returns {SpaceMark[]} */
  function dots() {
    const chances = bySpace();
    const best = Math.max(...chances.values());
    return [...chances].map(([at, chance]) => ({ at, loss: best - chance, text: tenths(chance), isFree: true }));
  }

  // For screen readers.
  /** @param {string} name */
  const words = name => bySpace().has(name) ? `chance ${tenths(bySpace().get(name))}` : "";

  // Places the workers that are missing.
  /** @param {Placing} placing */
  function take({ squares }) {
    if (!mayAct()) return;
    squares.filter(name => !own().includes(name)).forEach(placeWorker);
  }

  /** @param {Placing} placing */
  function rowOf(placing) {
    const { squares, chance, reply, won, games } = placing;
    const row = button("", () => take(placing), { title: "Place the workers there" });
    row.append(make("b", {}, tenths(chance)), make("span", {}, squares.join(" ")));
    if (reply) row.append(make("span", { class: "soft" }, `reply ${reply.join(" ")}`));
    if (games) row.append(make("span", { class: "soft" }, `won ${won} of ${games}`));
    return row;
  }

  function parts() {
    const seat = placingSeat();
    const all = list();
    const head = make("h2", {}, "Opening");
    if (!isInBook()) return [head, make("p", { class: "soft" }, "Placements are known only on 5 by 5.")];
    if (!all) return [head, make("p", { class: "soft" }, "One moment…")];
    const fit = fitting(all, own());
    const rows = fit.slice(0, MOST_LISTED).map(placing => make("li", {}, rowOf(placing)));
    return [head,
      make("p", { class: "soft" }, `${whoseChances(seat, seatName(seat))} The chances come from ${state.cards ? "short" : "long"} searches. Beside them: how many self-play games were won from that placement. Each space shows the chance of the best placement that uses it${seat === 0 ? ", after the best reply" : ""}.`),
      rows.length ? make("ol", { class: "placements" }, ...rows) : make("p", {}, "The book has only the best replies. This one is not among them."),
    ];
  }

  function show() {
    const card = $("openingCard");
    card.hidden = !isShown();
    if (card.hidden) return;
    if (isInBook() && !list()) ask();
    redraw(card, [key(), own(), placingSeat(), isInBook(), list()?.length, seatName(placingSeat())], parts);
  }

  // Ask again what could not be asked without a link.
  const prepare = () => client.onLink(() => { asked = null; });

  return { prepare, show, dots, words };
})();
