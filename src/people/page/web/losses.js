// The chance of winning that each space that can be clicked loses against the best turn.

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
  /** @type {{ position: string, lossOf: Map<string, number>, depth: number, isWhole: boolean } | null} */
  let found = null;

  /** @type {(position: string, answer: Compared, isWhole: boolean) => void} */
  function take(position, { depth, turns }, isWhole) {
    const best = Math.max(...turns.map(({ chance }) => chance));
    found = { position, depth, isWhole, lossOf: new Map(turns.map(({ turn, chance }) => [turn, best - chance])) };
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

  /** @type {(loss: number) => number} */
  const points = loss => Math.max(1, Math.round(loss * 100));

  /** @returns {SpaceMark[]} */
  const dots = () => [...bySpace()].map(([at, loss]) => ({ at, loss, text: loss < 0.005 ? "best" : `−${points(loss)}` }));

  // The loss of a space in words, for screen readers.
  /** @param {string} name */
  const words = name => {
    const loss = bySpace().get(name);
    return loss === undefined ? "" : loss < 0.005 ? "best" : `loses ${points(loss)}%`;
  };

  function toggle() {
    isOn = !isOn;
    storage.set("losses", isOn);
    changed();
  }

  function show() {
    const compared = known();
    $("lossesButton").setAttribute("aria-pressed", String(isOn));
    $("lossesNote").hidden = !isOn;
    $("lossesNote").textContent = !isOn ? "" : !compared ? "Comparing all turns…"
      : `On the board: how many percentage points the best turn through each space loses compared with the best turn of all (depth ${compared.depth}).`;
  }

  function prepare() {
    isOn = storage.get("losses", false, value => value === true);
    $("lossesButton").onclick = toggle;
    client.onLink(() => { running = null; });
  }

  return { prepare, follow, dots, words, show };
})();
