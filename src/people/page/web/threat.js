// The best turn of the opponent, if it were their turn.

// The position with the other player to move.
/** @type {(position: string) => string} */
const passed = position => {
  const [levels, own, other, turn, ...cards] = position.split(" ");
  return [levels, other, own, Number(turn) + 1, ...cards.reverse()].join(" ");
};

const threat = (() => {
  const SECONDS = 1;
  let isOn = false;
  /** @type {{ position: string, words: string, way: TurnPath | null } | null} */
  let found = null;
  /** @type {{ position: string, stop(): void } | null} */
  let running = null;

  /** @type {(position: string, words: string, turn?: string) => void} */
  function take(position, words, turn) {
    running = null;
    found = { position, words, way: turn ? santorini.steps(turn) : null };
    changed();
  }

  /** @param {boolean} isShown */
  function follow(isShown) {
    const wanted = studiedPosition(isOn && isShown);
    if (running && running.position !== wanted) {
      running.stop();
      running = null;
    }
    const shown = openView();
    if (shown && shown.position === wanted && !running && found?.position !== wanted) ask(shown);
  }

  /** @param {OpenView} shown */
  async function ask({ position, scene, cards }) {
    const seat = opposite(scene.mover);
    const name = nameOfSeat(seat);
    const mine = running = { position, stop: () => {} };
    try {
      const { winner } = await client.ask({ do: "read", text: passed(position) });
      if (running !== mine) return;
      if (winner !== null) return take(position, `${name} would have no legal turn.`);
      const asked = analysis.ahead({ do: "analyze", position: passed(position), lines: 1, seconds: SECONDS });
      mine.stop = asked.stop;
      const { lines: [line] } = await asked.answer;
      if (running === mine) take(position, wordsOf(line, name, { ...scene, mover: seat }, cards), line.turns[0]);
    } catch (error) {
      if (running === mine) take(position, errorWords(error));
    }
  }

  /** @type {(line: Found["lines"][0], name: string, scene: OpenScene, cards: View["cards"]) => string} */
  function wordsOf({ score, turns: [turn] }, name, scene, cards) {
    const end = provedEnd(score);
    const inThird = inWords(turn, scene, cards);
    const [verb, words] = name === "You" ? ["threaten", forYou(inThird)] : ["threatens", inThird];
    if (end?.wins) return `${name} ${verb} to win${end.turns > 1 ? ` in ${counted(end.turns)}` : ""}: ${words}.`;
    return `No win is threatened. ${name === "You" ? "Your" : `${name}'s`} best turn would be ${turn}.`;
  }

  // The result for the board shown.
  const known = () => isOn && found?.position === view()?.position ? found : null;

  /** @returns {TurnPath[]} */
  function ways() {
    const way = known()?.way;
    return way && analysis.isShown() && !state.entry.from && !preview.isOn() ? [way] : [];
  }

  function toggle() {
    isOn = !isOn;
    storage.set("threat", isOn);
    changed();
  }

  function show() {
    $("threatButton").setAttribute("aria-pressed", String(isOn));
    $("threatWords").hidden = !isOn;
    $("threatWords").textContent = !isOn || toMove() === null ? "" : known()?.words ?? "Looking for a threat…";
  }

  function prepare() {
    isOn = storage.get("threat", false, value => value === true);
    $("threatButton").onclick = toggle;
    client.onLink(() => { running = found = null; });
  }

  return { prepare, follow, ways, show };
})();
