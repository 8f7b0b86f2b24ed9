// Saving: the position, the game with its variations, a picture.

// A text in a field, to copy.
/** @type {(label: string, text: string) => HTMLElement} */
function copyField(label, text) {
  const field = make("input", { readonly: true, "aria-label": label });
  field.value = text;
  const done = make("span", { role: "status" });
  const take = button("Copy", async () => {
    await copy(text);
    done.textContent = "copied";
  }, { "aria-label": `Copy: ${label}` });
  return make("div", { class: "field" },
    make("span", { class: "row" }, label, done), make("span", { class: "row" }, field, take));
}

const saving = (() => {
  const players = () => [0, 1].map(nameOfSeat);

  // "You" is somebody else to whoever reads it.
  /** @param {string} record */
  function forOthers(record) {
    const names = players().map((name, seat) => name === "You" ? colours[seat] : name);
    return { ...JSON.parse(record), players: names };
  }

  // What can be saved of the game and the board of it that is looked at.
  /** @type {(root: GameNode, node: GameNode) => Promise<HTMLElement[]>} */
  async function fields(root, node) {
    const { record } = await client.ask({
      do: "record", position: root.view.position, tree: tree.write(root), players: players(),
    });
    const picture = await client.ask({ do: "svg", ...wayTo(node), players: players() });
    const board = node.view.board ?? (await client.ask({ do: "look", ...wayTo(node) })).board;
    return [
      links.field("Link to this position", links.of.position(node.view.position)),
      state.mode === "puzzle" ? links.field("Link to this puzzle", links.of.puzzle(root.view.position))
        : links.field("Link to the game, with variations and comments", await links.of.game(forOthers(record))),
      links.note(),
      copyField("This position, in one line", node.view.position),
      copyField("This position, as a board in JSON", JSON.stringify(board)),
      copyField("The game, as a record", record.trim()),
      make("div", { class: "row" },
        button("Save the game", () => download("game.jsonl", "application/json", record), { class: "strong" }),
        button("Save a picture", () => download("board.svg", "image/svg+xml", picture.svg))),
    ];
  }

  async function show() {
    const dialog = $("saveDialog");
    const { root, node } = state;
    const parts = root && node
      ? await fields(root, node).catch(error => [make("p", { role: "alert" }, error.message)])
      : [make("p", {}, "You can save the game once all workers are placed.")];
    dialog.replaceChildren(
      make("h2", { id: "saveTitle", tabindex: "-1", autofocus: true }, "Share or save"),
      ...parts,
      make("div", { class: "ends" }, button("Close", () => dialog.close())));
    showDialog(dialog);
  }

  return { show };
})();
