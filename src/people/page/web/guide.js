// The guide: exercises on the board, one small task each. Its list is in `exercises.js`.

const guide = (() => {
  // The exercise on the board, and the game to resume after the guide.
  /** @type {{ exercise: Exercise, isDone: boolean, isShown: boolean, root: GameNode, under: SuspendedGame } | null} */
  let now = null;

  const CHOOSE = "Choose one of your workers.";
  const steps = EXERCISES.filter(({ card }) => !card);
  /** @type {() => string[]} */
  const learned = () => storage.get("learned", [], Array.isArray);
  /** @type {(exercise: Exercise, turn: string) => boolean} */
  const isGoal = ({ goal }, turn) => goal.every(part => turn.includes(part));

  // Whether to offer the guide: only to people who have not used it.
  const isOffered = () => !storage.get("guided", false);

  // Opens an exercise; without an id, the first step that is not learned yet.
  /** @param {string} [id] */
  function open(id) {
    const done = learned();
    begin(EXERCISES.find(exercise => exercise.id === id) ?? steps.find(({ id }) => !done.includes(id)) ?? steps[0]);
  }

  /** @param {Exercise} exercise */
  async function begin(exercise) {
    const isHere = whileHere();
    let start;
    try {
      start = await client.ask({ do: "read", text: exercise.position });
    } catch (error) {
      return sayError(error);
    }
    if (!isHere()) return;
    const root = tree.root(start);
    now = { exercise, isDone: false, isShown: false, root, under: gameUnder() };
    undo.beforeLeavingSetup();
    takeGame(root, {
      mode: "guide", seats: [{ kind: "person" }, { kind: "level", level: 1 }], names: ["You", "Violet"],
    });
    goTo(root);
    say(CHOOSE);
    bringBoard();
  }

  // Judges a turn. A wrong one is answered or taken back.
  /** @param {PlayedNode} node */
  async function played(node) {
    const here = now;
    if (!here || node.parent !== here.root) return;
    const { exercise } = here;
    if (isGoal(exercise, node.turn)) {
      here.isDone = true;
      storage.set("learned", [...new Set([...learned(), exercise.id])]);
      say(exercise.done, "good");
      return changed();
    }
    await pause(700);
    if (state.node !== node || now !== here) return;
    if (exercise.threat) {
      await playTurn(exercise.threat);
      if (state.node.parent === node) say(exercise.missed, "bad");
    } else {
      const words = playedWords(node);
      goTo(here.root);
      say(`${words} That is legal, but not what this exercise asks for. Try again.`, "bad");
    }
  }

  // A turn that solves an exercise.
  /** @type {(here: NonNullable<typeof now>) => string | undefined} */
  const answerOf = ({ exercise, root }) => root.view.turns?.find(turn => isGoal(exercise, turn));

  /** @param {NonNullable<typeof now>} here */
  function showAnswer(here) {
    const turn = answerOf(here);
    if (!turn) return;
    here.isShown = true;
    const { scene, cards } = here.root.view;
    say(`For example: ${forYou(inWords(turn, scene, cards))}.`);
    changed();
  }

  /** @param {SuspendedGame} under */
  function leave(under) {
    storage.set("guided", true);
    now = null;
    resume(under);
  }

  function playLevel1() {
    storage.set("guided", true);
    newGame({ seats: [{ kind: "person" }, { kind: "level", level: 1 }], size: 5, cards: null });
  }

  // The buttons below the board.
  /** @returns {HTMLElement[]} */
  function choices() {
    if (!now) return [];
    const here = now;
    const { exercise, isDone, root, under } = here;
    const leaving = button("Leave", () => leave(under));
    const after = EXERCISES[EXERCISES.indexOf(exercise) + 1];
    const isNext = after && !after.card === !exercise.card;
    const strong = { class: "strong" };
    if (isDone && isNext) return [button(`Next: ${after.title}`, () => begin(after), strong), leaving];
    if (isDone) {
      return [button("Play against level 1", playLevel1, strong),
        ...exercise.card ? [] : [button("Try the god cards", () => begin(after))], leaving];
    }
    if (state.node !== root) return [button("Try again", () => { goTo(root); say(CHOOSE); }, strong), leaving];
    return [button("Show me", () => showAnswer(here)), leaving];
  }

  /** @returns {TurnPath[]} */
  function arrows() {
    const turn = now?.isShown && state.node === now.root ? answerOf(now) : null;
    return turn ? [santorini.steps(turn)] : [];
  }

  // The spaces named by the task that are not yet reached or built on.
  /** @returns {string[]} */
  function targets() {
    if (!now || now.isDone || now.isShown || state.node !== now.root) return [];
    const [own] = now.root.view.scene.workers;
    const names = now.exercise.goal.flatMap(part => part.match(/[a-f][1-6]/g) ?? []);
    const used = [...own.map(nameOf), ...state.entry.steps.map(({ at }) => at)];
    return [...new Set(names)].filter(name => !used.includes(name));
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
    if (!isOn && state.mode !== "setup") now = null;
    if (!isOn || !now) return;
    const { exercise } = now;
    const place = exercise.card ? "God card" : `Step ${steps.indexOf(exercise) + 1} of ${steps.length}`;
    const words = make("p", {}, make("b", {}, `${place}: ${exercise.title}. `), exercise.task);
    if (card.textContent !== words.textContent) card.replaceChildren(words);
  }

  return { prepare, open, played, choices, arrows, targets, show, isOffered, under: () => now?.under ?? null };
})();
