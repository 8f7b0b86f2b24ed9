// Live analysis: the chance of winning, the best turns and their lines. It runs only while
// it is shown.

// The position for searches beside the analysis (losses, threats); null if none is wanted.
/** @type {(isOn: boolean) => string | null} */
const studiedPosition = isOn => isOn && !document.hidden ? openView()?.position ?? null : null;

const analysis = (() => {
  const SECONDS = 120;
  const TITLES = [["hintButton", "Show the best turn (H)"], ["analysisButton", "Analysis on or off (A)"]];
  let isOn = false;
  /** @type {{ position: string, lines: number, stop(): void } | null} */
  let running = null;
  // The last result, and its board.
  /** @type {Found & { position: string } | null} */
  let found = null;
  /** @type {{ position: string, turn: string } | null} */
  let hint = null;
  // The running search for a hint.
  /** @type {{ position: string, stop(): void } | null} */
  let hinting = null;
  // The timer that shows the next result.
  /** @type {number | null} */
  let pending = null;
  // The number of searches that the analysis is paused for.
  let others = 0;

  // No analysis during a live game, an exercise or an unsolved puzzle, or while a board is set up.
  const isIdle = () => live.isClosed() || state.mode === "setup" || state.mode === "guide" || state.mode === "puzzle" && !puzzles.isKnown();
  const isShown = () => isOn && (state.mode === "play" || state.mode === "puzzle") && !isIdle();

  function toggle(on = !isOn) {
    isOn = on;
    storage.set("analysis", isOn);
    hint = null;
    changed();
  }

  function halt() {
    running?.stop();
    running = null;
  }

  // Like `client.study`, but pauses the analysis until the answer arrives. Otherwise the
  // question might wait for a free processor.
  /** @type {typeof client.study} */
  function ahead(question, part) {
    others += 1;
    halt();
    const asked = client.study(question, part);
    const over = () => { others -= 1; changed(); };
    asked.answer.then(over, over);
    return asked;
  }

  // The best line of a board.
  /** @type {(node: GameNode, seconds: number) => Promise<Found["lines"][0]>} */
  async function best({ view: { position } }, seconds) {
    const { lines: [line] } = await ahead({ do: "analyze", position, lines: 1, seconds }).answer;
    return line;
  }

  // Starts or stops the search, to fit the board shown.
  function follow() {
    const wanted = isShown() ? openView()?.position ?? null : null;
    const lines = Number($("lineCount").value);
    if (hint && hint.position !== view()?.position) hint = null;
    if (hinting && hinting.position !== view()?.position) stopHint();
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
      // The first depths come too fast to read.
      pending ??= setTimeout(() => { pending = null; changed(); }, 150);
    };
    const asked = client.study({ do: "analyze", position: wanted, lines, seconds: SECONDS }, take);
    const mine = running = { position: wanted, lines, stop: asked.stop };
    asked.answer.then(take, error => { if (running === mine) $("depth").textContent = error.message; });
  }

  // 41 thousand, 3.2 million.
  const rounded = new Intl.NumberFormat("en", { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 2 });

  // The seat whose chances the bar and the lines show.
  const spoken = () => puzzles.seat() ?? spokenSeat(lesson.players().seats);

  function showBar() {
    const bar = $("evalBar");
    const shown = view();
    bar.hidden = !isShown();
    if (bar.hidden || !shown) return;
    const seat = spoken();
    const best = found?.lines[0];
    // The first player has the lower part of the bar.
    const [share, words] = shown.winner !== null ? [1 - shown.winner, shown.winner === seat ? "wins" : "loses"]
      : best ? [chanceOfSeat(best.chance, shown.scene.mover, 0), chanceWords(best, shown.scene.mover, seat).split(" ")[0]]
      : [0.5, ""];
    bar.classList.toggle("second", seat === 1);
    bar.style.setProperty("--share", `${share * 100}%`);
    inside(bar, ".number").textContent = words;
    bar.setAttribute("aria-valuenow", String(Math.round((seat === 0 ? share : 1 - share) * 100)));
    bar.setAttribute("aria-valuetext", words ? `${nameOfSeat(seat)} ${words}` : "not known yet");
    bar.title = whoseChances(seat, nameOfSeat(seat));
  }

  function showLines() {
    $("analysisCard").hidden = !isShown();
    const { node } = state;
    if (!isShown() || !node) return;
    const list = $("lines");
    const { mover } = node.view.scene;
    $("whose").textContent = whoseChances(spoken(), nameOfSeat(spoken()));
    if (!found || mover === null) {
      list.replaceChildren(make("li", { class: "soft" }, mover === null ? standing() : "searching…"));
      if (mover === null) $("depth").textContent = "";
      return;
    }
    const { lines } = found;
    // A win in 1 needs no search.
    $("depth").textContent = !found.depth ? "" : `depth ${found.depth}, ${rounded.format(found.nodes)} boards, ${rounded.format(found.speed)} a second`;
    // A line under the pointer does not change.
    if (preview.isOn()) return;
    if (list.querySelectorAll(".turnLine").length !== lines.length) {
      list.replaceChildren(...lines.map(({ turns }) =>
        make("li", {}, make("b"), make("span"), preview.line(node, turns))));
    }
    [...list.children].forEach((row, index) => {
      const [chance, score, turns] = /** @type {HTMLElement[]} */ ([...row.children]);
      const line = lines[index];
      chance.textContent = chanceWords(line, mover, spoken());
      score.textContent = scoreFor(line.score, mover, spoken());
      preview.fill(turns, node, line.turns);
    });
  }

  /** @returns {TurnPath[]} */
  function arrows() {
    if (hint && hint.position === view()?.position) return [santorini.steps(hint.turn)];
    if (!isShown() || !found || found.position !== view()?.position || state.thinking) return [];
    return found.lines.map(({ turns }) => santorini.steps(turns[0]));
  }

  function stopHint() {
    hinting?.stop();
    hinting = null;
  }

  // Shows the best turn of a search of one second.
  async function giveHint() {
    const shown = openView();
    if (!shown) return;
    const { position, scene, cards } = shown;
    say("Thinking about a hint…");
    if (hinting?.position === position) return;
    stopHint();
    const asked = ahead({ do: "analyze", position, lines: 1, seconds: 1 });
    const mine = hinting = { position, stop: asked.stop };
    try {
      const answer = await asked.answer;
      if (hinting !== mine) return;
      const [{ turns, chance, score }] = answer.lines;
      hint = { position, turn: turns[0] };
      const end = provedEnd(score);
      const words = !end ? `Chance of winning: ${likely(chance)}` : end.wins ? `It wins in ${counted(end.turns)}` : `It loses in ${counted(end.turns)}`;
      const best = inWords(turns[0], scene, cards);
      say(`Hint: ${isPerson(scene.mover) ? forYou(best) : `${nameOfSeat(scene.mover)}'s best turn ${best}`}. ${words}.`);
      changed();
    } catch (error) {
      if (hinting === mine) sayError(error);
    } finally {
      if (hinting === mine) hinting = null;
    }
  }

  function show() {
    losses.follow(isShown());
    threat.follow(isShown());
    follow();
    setDisabled($("analysisButton"), isIdle());
    for (const [id, title] of TITLES) $(id).title = live.isClosed() ? "Off while a live game runs" : title;
    $("analysisButton").setAttribute("aria-pressed", String(isOn && !isIdle()));
    showBar();
    showLines();
    losses.show();
    threat.show();
  }

  function prepare() {
    isOn = storage.get("analysis", false, value => value === true);
    $("analysisButton").onclick = () => toggle();
    $("hintButton").onclick = giveHint;
    $("lineCount").onchange = changed;
    document.addEventListener("visibilitychange", () => { halt(); changed(); });
    client.onLink(() => { running = null; changed(); });
  }

  return { prepare, show, arrows, toggle, ahead, best, isShown, isOn: () => isOn && !live.isClosed() };
})();
