// Saving: the position, the game with its variations, pictures.

// A field with a text to copy. If the browser refuses to copy it, it is selected.
/** @type {(label: string, text: string) => HTMLElement} */
function copyField(label, text) {
  const field = make("input", { readonly: true, "aria-label": label });
  field.value = text;
  const done = make("span", { role: "status" });
  const take = button("Copy", async () => {
    const isCopied = await copy(text);
    done.textContent = isCopied ? "copied" : "copying failed; the text is selected";
    if (isCopied) return;
    field.focus();
    field.select();
  }, { "aria-label": `Copy: ${label}` });
  return make("div", { class: "field" },
    make("span", { class: "row" }, label, done), make("span", { class: "row" }, field, take));
}

// "You" would mean the reader of the file.
/** @type {(names: string[]) => string[]} */
const namesForOthers = names => names.map((name, seat) => name === "You" ? colours[seat] : name);

const saving = (() => {
  const players = () => namesForOthers([0, 1].map(nameOfSeat));

  // Buttons that save a board and the line through it as files, with a progress bar and a
  // status message.
  /** @type {(node: GameNode, record: string) => HTMLElement[]} */
  function fileParts(node, record) {
    const line = tree.line(node);
    const names = players();
    const said = make("p", { role: "status", class: "soft" });
    const progress = make("progress", { hidden: true, max: 1, value: 0, "aria-label": "Drawing the animation" });
    /** @type {(share: number) => boolean} */
    const tell = share => {
      progress.value = share;
      return progress.isConnected && $("saveDialog").open;
    };
    /** @type {(words: string, name: string, content: () => Blob | Promise<Blob | null>, attributes?: object) => HTMLElement} */
    const file = (words, name, content, attributes) => button(words, async () => {
      if (!progress.hidden) return;
      said.textContent = "";
      progress.hidden = false;
      progress.value = 0;
      try {
        const blob = await content();
        if (!blob) return;
        download(name, blob);
        said.textContent = `Saved as ${name}, ${Math.ceil(blob.size / 1024)} kB.`;
      } catch (error) {
        said.textContent = errorWords(error);
      } finally {
        progress.hidden = true;
      }
    }, attributes);
    return [
      make("div", { class: "row" },
        file("Save the game", "game.jsonl", () => textFile(record, "application/json"), { class: "strong" }),
        file("Board as SVG", "board.svg", () => textFile(pictures.svg({ node, names }), "image/svg+xml")),
        file("Board as PNG", "board.png", () => pictures.png({ node, names })),
        file(tree.isMain(node) ? "Game as GIF" : "This line as GIF", "game.gif", () => pictures.animation(line, names, tell),
          { title: "An animated picture of all boards, for chats and forums" })),
      progress, said,
    ];
  }

  // What can be saved of the game and the current board.
  /** @type {(root: GameNode, node: GameNode) => Promise<HTMLElement[]>} */
  async function fields(root, node) {
    const { record } = await client.ask({
      do: "record", position: root.view.position, tree: tree.write(root), players: players(),
    });
    const board = node.view.board ?? (await client.ask({ do: "look", ...wayTo(node) })).board;
    return [
      links.field("Link to this position", links.of.position(node.view.position)),
      state.mode === "puzzle" ? links.field("Link to this puzzle", links.of.puzzle(root.view.position))
        : links.field("Link to the game, with variations and comments", await links.of.game(JSON.parse(record))),
      links.note(),
      ...fileParts(node, record),
      copyField("This position, in one line", node.view.position),
      copyField("This position, as a board in JSON", JSON.stringify(board)),
      copyField("The game, as a record", record.trim()),
    ];
  }

  async function shownParts() {
    // A board that is set up is shared as the first one of a game.
    if (state.mode === "setup") {
      const root = tree.root(await setup.read());
      return fields(root, root);
    }
    const { root, node } = state;
    return root && node ? fields(root, node) : [make("p", {}, "You can save the game once all workers are placed.")];
  }

  async function show() {
    const dialog = $("saveDialog");
    const waiting = make("p", { class: "soft" }, "One moment…");
    fillDialog(dialog, "Share or save", waiting, closingRow(dialog));
    showDialog(dialog);
    waiting.replaceWith(...await shownParts().catch(error => [make("p", { role: "alert" }, errorWords(error))]));
  }

  return { show };
})();
