// The invitation to a live game, and its buttons.

const invite = (() => {
  // Whether to show the invitation as soon as there is one, and whether that is for a new game.
  let isWanted = false;
  let isNew = false;
  let hadInvitation = false;

  /** @type {(url: URL) => boolean} */
  const isLocal = ({ hostname }) => ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

  // Links for others lead to this machine by its address in the network, if it has one.
  /** @type {(path: string, address: string | null) => string} */
  const linkTo = (path, address) => {
    const here = new URL("./", location.href);
    return new URL(path, isLocal(here) && address ? address : here).href;
  };

  /** @type {(title: string, ...parts: (HTMLElement | string)[]) => void} */
  function showParts(title, ...parts) {
    const dialog = $("saveDialog");
    fillDialog(dialog, title, ...parts);
    if (!dialog.open) showDialog(dialog);
  }
  const close = () => $("saveDialog").close();

  function renew() {
    isWanted = live.ask({ do: "invite" });
    if (!isWanted) close();
  }

  function show() {
    const host = live.now()?.host;
    if (!host) return;
    const { invitation, watch, address } = host;
    const link = linkTo(invitation ? `join?invitation=${invitation}` : "", address);
    showParts("Invite to this game",
      ...(invitation
        ? [make("p", {}, "Send this link to your friend. The first browser to accept it gets the other seat."),
          copyField("Link for your friend", link)]
        : [make("p", {}, "Your friend has joined, and their browser keeps the seat. A new invitation gives it to another one."),
          button("New invitation", renew)]),
      make("p", {}, "Anyone with this link can watch."),
      copyField("Link to watch", linkTo(`?guest=${watch}`, address)),
      ...(isLocal(new URL(link))
        ? [make("p", { class: "soft" }, "These links work on this machine only."),
          copyField("For others in your network, start the program like this", "santorini play --web 0.0.0.0:8000")]
        : []),
      closingRow($("saveDialog")));
  }

  /** @type {(game: LiveGame | null) => void} */
  function follow(game) {
    const hasInvitation = Boolean(game?.host?.invitation);
    if (isWanted && hasInvitation && live.isOn()) {
      isWanted = false;
      show();
    } else if (isNew && game) {
      isWanted = false;
      say(`Your friend is still here and joins this game; Invite can make a new invitation. ${placingWords()}`);
    } else if (hadInvitation && !hasInvitation && game && $("saveDialog").open) {
      close();
    }
    if (game) isNew = false;
    hadInvitation = hasInvitation;
  }

  // Asks before something that cannot be undone.
  /** @type {(title: string, words: string, acts: [string, () => void][]) => void} */
  function confirm(title, words, acts) {
    const buttons = acts.map(([name, act], index) => button(name, () => {
      close();
      act();
    }, index === acts.length - 1 ? { class: "strong" } : {}));
    showParts(title, make("p", {}, words), make("div", { class: "ends" }, button("Cancel", close), ...buttons));
  }

  const giveUp = () => { live.ask({ do: "resign" }); };
  const resign = () => confirm("Resign?", "Your friend wins this game.", [["Resign", giveUp]]);
  const end = () => confirm("End the live game?", "It ends before its first turn.", [["End the game", giveUp]]);
  const takeOver = () => confirm("Take over the live game?",
    `Another page may be playing it. That page then loses the seat.${state.hello?.joined ? " If you end the game, your friend wins." : ""}`,
    [["End the game", live.end], ["Take over", live.goBack]]);

  /** @type {(yes: boolean) => () => void} */
  const answer = yes => () => { live.ask({ do: "answer-back", yes }); };

  /** @type {() => HTMLElement[]} */
  function choices() {
    const game = live.now();
    if (!["play", "place"].includes(state.mode)) return [];
    if (live.mayReturn()) return unshown();
    if (!game) return [];
    if (live.isEnded()) return [button("Play here", live.again, { class: "strong" })];
    const choices = [];
    const { seat, host, asksBack } = game;
    if (seat !== null && asksBack === opposite(seat)) {
      choices.push(button("Let them take it back", answer(true), { class: "strong" }), button("Refuse", answer(false)));
    }
    if (host) choices.push(button("Invite", show, host.invitation ? { class: "strong" } : {}));
    if (seat !== null && game.start !== null && !live.isOver()) choices.push(button("Resign", resign));
    if (host && game.start === null) choices.push(button("End the live game", end));
    return choices;
  }

  // The choices while a live game runs that this page does not show.
  const unshown = () => [
    live.hasBeen() ? button("Go back to the live game", live.goBack) : button("Take over the live game", takeOver),
    ...(live.isClosed() ? [make("p", { class: "soft" }, "Hint, Analysis and Review are off until the live game ends.")] : []),
  ];

  // The tag beside the name of a player.
  /** @type {(seat: Seat, tag: string) => string} */
  function tagged(seat, tag) {
    const game = live.now();
    if (!game || seat === game.seat || game.here[seat]) return tag;
    return [tag, game.host?.invitation ? "invited" : "away"].filter(Boolean).join(", ");
  }

  return { show, follow, choices, tagged, wanted: () => { isWanted = isNew = true; } };
})();
