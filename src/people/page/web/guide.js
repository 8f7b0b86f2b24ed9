// The guide: exercises on the board, one small task each. Its list is in `exercises.js`.

const guide = (() => {
  /** @type {{ exercise: Exercise, isDone: boolean, isShown: boolean } | null} */
  let now = null;
  // The game that goes on after the guide.
  /** @type {Aside | null} */
  let aside = null;

  const CHOOSE = "Choose one of your workers.";
  const steps = EXERCISES.filter(({ card }) => !card);
  /** @type {() => string[]} */
  const learned = () => kept.get("learned", [], Array.isArray);
  /** @type {(exercise: Exercise, turn: string) => boolean} */
  const isGoal = ({ goal }, turn) => goal.every(part => turn.includes(part));

  // Whether somebody new here may want the guide.
  const isOffered = () => !kept.get("guided", false);

  // Opens an exercise; without an id, the first step that is not learned yet.
  /** @param {string} [id] */
  function open(id) {
    const done = learned();
    begin(EXERCISES.find(exercise => exercise.id === id) ?? steps.find(({ id }) => !done.includes(id)) ?? steps[0]);
  }

  /** @param {Exercise} exercise */
  async function begin(exercise) {
    let start;
    try {
      start = await desk.ask({ do: "read", text: exercise.position });
    } catch (error) {
      return say(error.message, "bad");
    }
    aside = gameUnder();
    now = { exercise, isDone: false, isShown: false };
    takeGame(tree.root(start), {
      mode: "guide", seats: [{ kind: "person" }, { kind: "level", level: 1 }], names: ["You", "Violet"],
    });
    goTo(state.root);
    say(CHOOSE);
    bringBoard();
  }

  // Judges a turn. A wrong one is answered or taken back.
  /** @param {GameNode} node */
  async function played(node) {
    const { exercise } = now;
    if (node.parent !== state.root) return;
    if (isGoal(exercise, node.turn)) {
      now.isDone = true;
      kept.set("learned", [...new Set([...learned(), exercise.id])]);
      say(exercise.done, "good");
      return changed();
    }
    await pause(700);
    if (state.node !== node || now?.exercise !== exercise) return;
    if (exercise.threat) {
      await playTurn(exercise.threat);
      if (state.node.parent === node) say(exercise.missed, "bad");
    } else {
      goTo(state.root);
      say(`${node.turn} is a legal turn, but not the one to find here. Try again.`, "bad");
    }
  }

  function again() {
    goTo(state.root);
    say(CHOOSE);
  }

  function showAnswer() {
    now.isShown = true;
    const [turn] = view().turns.filter(turn => isGoal(now.exercise, turn));
    say(`For example: ${inWords(turn, view().scene)}.`);
    changed();
  }

  function leave() {
    kept.set("guided", true);
    now = null;
    takeUp(aside);
  }

  function playLevel1() {
    kept.set("guided", true);
    newGame({ seats: [{ kind: "person" }, { kind: "level", level: 1 }], size: 5, cards: null });
  }

  // What can be done beside the turn itself.
  /** @returns {HTMLElement[]} */
  function choices() {
    const { exercise, isDone } = now;
    const after = EXERCISES[EXERCISES.indexOf(exercise) + 1];
    const isNext = after && !after.card === !exercise.card;
    const strong = { class: "strong" };
    if (isDone && isNext) return [button(`Next: ${after.title}`, () => begin(after), strong), button("Leave", leave)];
    if (isDone) {
      return [button("Now against level 1", playLevel1, strong),
        exercise.card ? null : button("Try the god cards", () => begin(after)), button("Leave", leave)].filter(part => part !== null);
    }
    if (state.node !== state.root) return [button("Try again", again, strong), button("Leave", leave)];
    return [button("Show me", showAnswer), button("Leave", leave)];
  }

  /** @returns {Way[]} */
  function arrows() {
    if (!now?.isShown || state.node !== state.root || !view().turns) return [];
    return view().turns.filter(turn => isGoal(now.exercise, turn)).slice(0, 1).map(santorini.steps);
  }

  // The task, in place of the players.
  const card = make("section", { class: "guide", "aria-label": "Guide", "aria-live": "polite", hidden: true });

  function prepare() {
    $("status").before(card);
  }

  function show() {
    const isOn = state.mode === "guide";
    card.hidden = !isOn;
    $("player0").hidden = $("player1").hidden = isOn;
    if (!isOn) {
      if (state.mode !== "setup") now = null;
      return;
    }
    const { exercise } = now;
    const place = exercise.card ? "God card" : `Step ${steps.indexOf(exercise) + 1} of ${steps.length}`;
    const words = make("p", {}, make("b", {}, `${place}: ${exercise.title}. `), exercise.task);
    if (card.textContent !== words.textContent) card.replaceChildren(words);
  }

  return { prepare, open, played, choices, arrows, show, isOffered, under: () => aside };
})();
