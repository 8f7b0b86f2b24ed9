// The client of the program: sends questions and receives the answers. PROTOCOL.txt explains
// both.
//
// It reaches the program over a link. `openLink({heard, opened, lost})`, from another script,
// calls `heard(text)` for each text received, `opened()` when the link is ready, and `lost(why)`
// when it fails. It returns {send(text)}; `send` returns whether the text was sent.
//
//   client.ask(question)            a promise of the answer
//   client.study(question, part)    {answer: a promise, stop()}; `part` is called with each
//                                   partial answer

const client = (() => {
  /** @type {Map<number, { answer(value: object): void, refuse(error: Error): void, part(part: object): void }>} */
  const waiting = new Map();
  /** @type {((isOpen: boolean) => void)[]} */
  const listeners = [];
  /** @type {ReturnType<OpenLink> | null} */
  let link = null;
  let isOpen = false;
  let number = 0;

  // Shows that there is no connection, until there is one.
  /** @type {(trouble: string) => void} */
  const tell = trouble => {
    const line = $("connection");
    line.hidden = !trouble;
    if (line.textContent !== trouble) line.textContent = trouble;
  };

  /** @type {(text: string) => void} */
  const heard = text => {
    const message = JSON.parse(text);
    const question = waiting.get(message.id);
    if (!question) {
      if ("live" in message) follow(message);
      if (message.error) say(message.error, "bad");
      return;
    }
    if ("part" in message) {
      question.part(message.part);
      return;
    }
    waiting.delete(message.id);
    if ("error" in message) question.refuse(new Error(message.error));
    else question.answer(message.ok);
  };

  // Notes whether the program has a live game that is not over, and whether a guest has joined it.
  /** @type {(news: { live: boolean, joined: boolean }) => void} */
  const follow = ({ live, joined }) => {
    if (!state.hello) return;
    Object.assign(state.hello, { live, joined });
    changed();
  };

  const opened = () => {
    isOpen = true;
    tell("");
    listeners.forEach(listener => listener(true));
  };

  /** @type {(why: string) => void} */
  const lost = why => {
    isOpen = false;
    // A new connection tells if there still is one.
    follow({ live: false, joined: false });
    const asked = [...waiting.values()];
    waiting.clear();
    asked.forEach(question => question.refuse(new Error(why)));
    tell(`No connection: ${why}.`);
    listeners.forEach(listener => listener(false));
  };

  // Why a text is too long to send, or "". The program refuses longer questions or closes
  // the link.
  /** @type {(text: string) => string} */
  const tooLong = text => {
    const most = state.hello?.most.message ?? Infinity;
    const bytes = text.length > most ? text.length : new TextEncoder().encode(text).length;
    if (bytes <= most) return "";
    /** @type {(number: number) => string} */
    const kilobytes = number => `${Math.ceil(number / 1024)} kB`;
    return `This is too long: ${kilobytes(bytes)}. The maximum for a position or a game is ${kilobytes(most)}.`;
  };

  /**
   * @template {keyof Answers} Name
   * @param {Question<Name>} question
   * @param {(part: Parts[Name]) => void} part
   * @returns {Asked<Answers[Name]>}
   */
  function study(question, part = () => {}) {
    const id = ++number;
    const answer = new Promise((answer, refuse) => {
      const text = JSON.stringify({ id, ...question });
      const trouble = tooLong(text);
      if (trouble) return refuse(new Error(trouble));
      waiting.set(id, { answer, refuse, part });
      if (!link?.send(text)) {
        waiting.delete(id);
        refuse(new Error("There is no connection just now."));
      }
    });
    const stop = () => {
      if (waiting.has(id)) link?.send(JSON.stringify({ id: ++number, do: "stop", what: id }));
    };
    return { answer, stop };
  }

  return {
    study,
    /** @type {<Name extends keyof Answers>(question: Question<Name>) => Promise<Answers[Name]>} */
    ask: question => study(question).answer,
    /** @type {(listener: (isOpen: boolean) => void) => void} */
    onLink: listener => listeners.push(listener),
    isOpen: () => isOpen,
    open: () => { link = openLink({ heard, opened, lost }); },
  };
})();
