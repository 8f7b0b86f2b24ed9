// The loss of each space that can be clicked: how much lower its chance of winning is than that
// of the best turn.

// A turn that loses less than this is marked best. One that loses exactly this is marked good:
// its chance is as high, but it wins later or loses sooner.
const LEAST_LOSS = 0.005;

// The loss of each turn against the best one, which comes first. If that one's end is proved,
// any turn with another end has at least the least loss.
/** @type {(turns: Compared["turns"]) => Map<string, number>} */
const lossesOf = turns => {
  const [best] = turns;
  const isProved = provedEnd(best.score) !== null;
  return new Map(turns.map(({ turn, chance, score }) =>
    [turn, isProved && score !== best.score ? Math.max(LEAST_LOSS, best.chance - chance) : best.chance - chance]));
};

// A loss on the board and in words.
/** @type {(loss: number) => string} */
const lossMark = loss => loss < LEAST_LOSS ? "best" : loss === LEAST_LOSS ? "good" : `−${lossPoints(loss)}`;
/** @type {(loss: number) => string} */
const lossWords = loss => loss <= LEAST_LOSS ? lossMark(loss) : `loses ${lossPoints(loss)}%`;
/** @type {(loss: number) => number} */
const lossPoints = loss => Math.max(1, Math.round(loss * 100));

// The least loss of each space: where a worker can be chosen or moved to, or for the next
// step of the turn in progress. `lossOf` is by turn.
/** @type {(ways: TurnSteps[], lossOf: Map<string, number>, entry: { from: string | null, steps: Step[] }, kind: Step["kind"] | null) => Map<string, number>} */
const lossBySpace = (ways, lossOf, { from, steps }, kind) => {
  /** @type {Map<string, number>} */
  const least = new Map();
  /** @type {(at: string, loss: number) => void} */
  const take = (at, loss) => { least.set(at, Math.min(loss, least.get(at) ?? Infinity)); };
  for (const way of ways) {
    const loss = lossOf.get(way.text);
    if (loss === undefined) continue;
    if (from === null) {
      take(way.from, loss);
      const move = way.steps.find(step => step.kind === "-");
      if (move) take(move.at, loss);
    } else if (way.from === from && steps.every((step, index) => way.steps[index] && sameStep(step, way.steps[index]))) {
      const next = way.steps[steps.length];
      if (next?.kind === kind) take(next.at, loss);
    }
  }
  return least;
};

const losses = (() => {
  const SECONDS = 2;
  let isOn = false;
  /** @type {{ position: string, stop(): void } | null} */
  let running = null;
  /** @type {{ position: string, lossOf: Map<string, number>, best: string, depth: number, isWhole: boolean } | null} */
  let found = null;

  /** @type {(position: string, answer: Compared, isWhole: boolean) => void} */
  function take(position, { depth, turns }, isWhole) {
    found = { position, depth, isWhole, lossOf: lossesOf(turns), best: turns[0].score };
    changed();
  }

  // Compares the turns of the board that is shown, before the analysis goes on.
  /** @param {boolean} isShown */
  function follow(isShown) {
    const wanted = studiedPosition(isOn && isShown);
    if (running && running.position !== wanted) {
      running.stop();
      running = null;
    }
    if (!wanted || running || found?.position === wanted && found.isWhole) return;
    const asked = analysis.ahead({ do: "compare", position: wanted, seconds: SECONDS }, part => {
      if (running === mine && !("waiting" in part)) take(wanted, part, false);
    });
    const mine = running = { position: wanted, stop: asked.stop };
    asked.answer.then(answer => {
      if (running !== mine) return;
      running = null;
      take(wanted, answer, true);
    }, error => {
      // Asked again on another board, or when the link is back.
      if (running === mine) sayError(error);
    });
  }

  // The result for the board shown.
  const known = () => isOn && found?.position === view()?.position && !state.entry.isWhole ? found : null;

  // The losses of the spaces that can be clicked, and the state they belong to.
  /** @type {{ key: string, losses: Map<string, number> }} */
  let last = { key: "", losses: new Map() };

  /** @type {() => Map<string, number>} */
  function bySpace() {
    const compared = known();
    if (!compared || !openView()?.turns || !analysis.isShown() || preview.isOn()) return new Map();
    const { position, depth, lossOf } = compared;
    const key = JSON.stringify([position, depth, state.entry]);
    if (last.key !== key) {
      last = { key, losses: lossBySpace(ways(), lossOf, state.entry, state.entry.from ? kindNow(options().next) : null) };
    }
    return last.losses;
  }

  /** @returns {SpaceMark[]} */
  const dots = () => [...bySpace()].map(([at, loss]) => ({ at, loss, text: lossMark(loss) }));

  // The loss of a space in words, for screen readers.
  /** @param {string} name */
  const words = name => {
    const loss = bySpace().get(name);
    return loss === undefined ? "" : lossWords(loss);
  };

  function toggle() {
    isOn = !isOn;
    storage.set("losses", isOn);
    changed();
  }

  // What "good" means if the end is proved.
  /** @type {(score: string) => string} */
  const endWords = score => {
    const end = provedEnd(score);
    return !end ? "" : end.wins ? " Turns marked good win too, but later." : " Turns marked good lose too, but sooner.";
  };

  function show() {
    const compared = known();
    $("lossesButton").setAttribute("aria-pressed", String(isOn));
    $("lossesNote").hidden = !isOn;
    $("lossesNote").textContent = !isOn ? "" : !compared ? "Comparing all turns…"
      : `On the board: the number on a space is how many percentage points its best turn is worse than the best turn of all (depth ${compared.depth}).${endWords(compared.best)}`;
  }

  function prepare() {
    isOn = storage.get("losses", false, value => value === true);
    $("lossesButton").onclick = toggle;
    client.onLink(() => { running = null; });
  }

  return { prepare, follow, dots, words, show };
})();
