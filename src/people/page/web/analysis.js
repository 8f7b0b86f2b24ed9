// Analysis: the chance of winning, the best turns and their lines, live and
// only as long as they are looked at.

const analysis = (() => {
  const SECONDS = 120;
  let isOn = false;
  /** @type {{ position: string, lines: number, stop(): void } | null} */
  let running = null;
  // The answer for a board.
  /** @type {Found & { position: string } | null} */
  let found = null;
  /** @type {{ position: string, turn: string } | null} */
  let hint = null;
  // The timer of the next change to be shown.
  /** @type {number | null} */
  let pending = null;
  // The searches that the analysis rests for.
  let others = 0;

  const isShown = () => isOn && state.mode === "play" && state.node !== null;

  function toggle(on = !isOn) {
    isOn = on;
    kept.set("analysis", isOn);
    hint = null;
    changed();
  }

  function halt() {
    running?.stop();
    running = null;
  }

  // As `desk.study`. The analysis rests until the answer, which would wait for
  // a free processor otherwise.
  /** @type {typeof desk.study} */
  function ahead(question, part) {
    others += 1;
    halt();
    const asked = desk.study(question, part);
    const over = () => { others -= 1; changed(); };
    asked.answer.then(over, over);
    return asked;
  }

  // Begins or ends what is to run for the board that is shown.
  function follow() {
    const wanted = isShown() && toMove() !== null ? view().position : null;
    const lines = Number($("lineCount").value);
    if (hint && hint.position !== view()?.position) hint = null;
    if (running && running.position === wanted && running.lines === lines) return;
    halt();
    if (found && found.position !== wanted) found = null;
    if (!wanted || document.hidden || others) return;
    /** @type {(answer: Found | Waiting) => void} */
    const take = answer => {
      if (running !== mine) return;
      if ("waiting" in answer) {
        $("depth").textContent = "waiting for a free processor";
        return;
      }
      found = { position: wanted, ...answer };
      // The first depths follow each other faster than anybody reads.
      pending ??= setTimeout(() => { pending = null; changed(); }, 150);
    };
    const asked = desk.study({ do: "analyze", position: wanted, lines, seconds: SECONDS }, take);
    const mine = running = { position: wanted, lines, stop: asked.stop };
    asked.answer.then(take, error => { if (running === mine) $("depth").textContent = error.message; });
  }

  /** @type {(number: number) => string} */
  const million = number => `${(number / 1e6).toFixed(1)} million`;

  // The chance of the first player.
  /** @type {(chance: number, mover: Seat) => number} */
  const chanceOfFirst = (chance, mover) => mover === 0 ? chance : 1 - chance;

  function showBar() {
    const bar = $("evalBar");
    bar.hidden = !isShown();
    if (bar.hidden) return;
    const { winner, scene } = view();
    let chance = null;
    if (winner !== null) chance = winner === 0 ? 1 : 0;
    else if (found?.lines.length) chance = chanceOfFirst(found.lines[0].chance, scene.mover);
    const share = chance ?? 0.5;
    bar.style.setProperty("--share", `${share * 100}%`);
    bar.querySelector(".number").textContent = chance === null ? "" : percent(chance);
    bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    bar.setAttribute("aria-valuetext", chance === null ? "not known yet" : `${nameOfSeat(0)} ${percent(chance)}`);
  }

  function showLines() {
    $("analysisCard").hidden = !isShown();
    if (!isShown()) return;
    const list = $("lines");
    if (!found || toMove() === null) {
      list.replaceChildren(make("li", { class: "soft" }, toMove() === null ? standing() : "searching…"));
      if (toMove() === null) $("depth").textContent = "";
      return;
    }
    $("depth").textContent = `depth ${found.depth}, ${million(found.nodes)} boards, ${million(found.speed)} a second`;
    // The buttons stay, so that they can be aimed at.
    const rows = [...list.querySelectorAll("button")];
    if (rows.length !== found.lines.length) {
      /** @type {(line: unknown, index: number) => HTMLElement} */
      const row = (_, index) => make("li", {}, button("", () => {
        if (mayAct() && found) playTurn(found.lines[index].turns[0]);
      }, { title: "Play this turn" }));
      list.replaceChildren(...found.lines.map(row));
    }
    list.querySelectorAll("button").forEach((row, index) => {
      const { score, chance, turns } = found.lines[index];
      row.replaceChildren(make("b", {}, percent(chance)), " ", make("span", {}, score), " ",
        make("span", { class: "turns" }, turns.join(" ")));
    });
  }

  /** @returns {Way[]} */
  function arrows() {
    if (hint && hint.position === view()?.position) return [santorini.steps(hint.turn)];
    if (!isShown() || !found || found.position !== view().position || state.thinking) return [];
    return found.lines.map(({ turns }) => santorini.steps(turns[0]));
  }

  // What the program would play, in a second.
  async function giveHint() {
    const { position } = view();
    const seat = toMove();
    if (seat === null) return;
    say("Thinking about a hint…");
    try {
      const answer = await ahead({ do: "analyze", position, lines: 1, seconds: 1 }).answer;
      if (view()?.position !== position) return;
      const [{ turns, chance, score }] = answer.lines;
      hint = { position, turn: turns[0] };
      say(`Hint: ${inWords(turns[0], view().scene)}. Chance to win: ${percent(chance)} (${score}).`);
      changed();
    } catch (error) {
      say(error.message, "bad");
    }
  }

  function show() {
    follow();
    // It would tell the solution of a puzzle, and does not know a board that is set up.
    const isIdle = state.mode === "puzzle" || state.mode === "setup";
    $("analysisButton").disabled = isIdle;
    $("analysisButton").setAttribute("aria-pressed", String(isOn && !isIdle));
    showBar();
    showLines();
  }

  function prepare() {
    isOn = kept.get("analysis", false, value => value === true);
    $("analysisButton").onclick = () => toggle();
    $("hintButton").onclick = giveHint;
    $("lineCount").onchange = changed;
    document.addEventListener("visibilitychange", () => { halt(); changed(); });
    desk.onLink(() => { running = null; changed(); });
  }

  return { prepare, show, arrows, toggle, giveHint, ahead, chanceOfFirst };
})();
