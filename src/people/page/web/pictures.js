// Pictures of boards as the page shows them, with the players and the turn below: SVG and PNG
// of one board, an animated GIF of a line of turns.

const pictures = (() => {
  // The height of the text below a board, in units of the drawing.
  const BELOW = 46;
  // Pixels for each unit.
  const SCALE = { png: 2, gif: 1 };
  const MOST_FRAMES = 300;
  const LONGEST_NAME = 14;
  // How long a board and the last board are shown, in hundredths of a second.
  const DELAY = 100;
  const LAST_DELAY = 350;

  /** @typedef {{ node: GameNode, names: string[] }} Shown */

  /** @type {(text: string) => string} */
  const escaped = text => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

  // Shortens a player's name and removes characters that XML does not allow: a name from an
  // opened file can contain any.
  /** @type {(name: string, most: number) => string} */
  function short(name, most) {
    const letters = [...name.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, "")];
    return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
  }

  // The last turn between the names of the players. The name of the player to move, or of the
  // winner, is bold.
  /** @type {(shown: Shown, width: number) => string} */
  function below({ node: { view: { scene, winner }, turn }, names }, width) {
    /** @type {(x: number, words: string, style: string) => string} */
    const text = (x, words, style) => `<text x="${x}" y="30" font-size="19" ${style}>${escaped(words)}</text>`;
    const sides = [0, 1].map(seat => {
      const wins = winner === seat ? " wins" : "";
      const name = short(names[seat], LONGEST_NAME - wins.length) + wins;
      const x = seat === 0 ? 6 : width - 40;
      const icon = `<svg x="${x}" y="3" width="34" height="40" viewBox="24 14 52 67"><use href="#sn-worker${seat}"/></svg>`;
      const weight = scene.mover === seat || winner === seat ? "bold" : "normal";
      return icon + text(seat === 0 ? 46 : width - 46, name, `text-anchor="${seat === 0 ? "start" : "end"}" font-weight="${weight}"`);
    });
    return sides.join("") + text(width / 2, turn ?? "", `text-anchor="middle" class="sn-notation"`);
  }

  // The picture as a document, and its size in pixels.
  /** @type {(shown: Shown, scale?: number) => { text: string, width: number, height: number }} */
  function draw(shown, scale = 1) {
    const { scene } = shown.node.view;
    const look = looks.now();
    const [, , wide, high] = santorini.layout(scene, look).box;
    const [width, height] = [wide, high + BELOW].map(length => length * scale);
    const board = santorini.svg(scene, look).replace("<svg ", `<svg width="${wide}" height="${high}" `);
    const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${wide} ${high + BELOW}">` +
      `${santoriniLook}<style>text{font-family:"DejaVu Sans",Verdana,"Segoe UI",sans-serif;fill:#24343a}${looks.hasDigits() ? "" : ".sn-level{display:none}"}</style>` +
      `<rect width="100%" height="100%" fill="#fbf8f1"/>${board}` +
      `<g transform="translate(0 ${high})">${below(shown, wide)}</g></svg>`;
    return { text, width, height };
  }

  const refused = () =>
    new Error("This browser does not let pages read what they draw, which PNG and GIF need. Allow canvas for this page, or save the board as SVG.");

  /** @type {(width: number, height: number) => CanvasRenderingContext2D} */
  function canvasOf(width, height) {
    const context = make("canvas", { width, height }).getContext("2d", { willReadFrequently: true });
    if (!context) throw refused();
    // Browsers that resist fingerprinting return other colours; some alter them only a little.
    const wanted = [200, 100, 50];
    context.fillStyle = `rgb(${wanted})`;
    context.fillRect(0, 0, 1, 1);
    const read = context.getImageData(0, 0, 1, 1).data;
    if (wanted.some((part, index) => Math.abs(part - read[index]) > 4)) throw refused();
    return context;
  }

  /** @type {(context: CanvasRenderingContext2D, drawing: ReturnType<typeof draw>) => Promise<void>} */
  const paint = (context, { text, width, height }) => new Promise((done, fail) => {
    const image = new Image();
    image.onload = () => {
      context.drawImage(image, 0, 0, width, height);
      done();
    };
    image.onerror = () => fail(new Error("This browser cannot draw the picture. Save the board as SVG."));
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  });

  /** @type {(shown: Shown) => Promise<Blob>} */
  async function png(shown) {
    const drawing = draw(shown, SCALE.png);
    const context = canvasOf(drawing.width, drawing.height);
    await paint(context, drawing);
    return new Promise((done, fail) => context.canvas.toBlob(blob => blob ? done(blob) : fail(refused()), "image/png"));
  }

  // The boards of a line as an animation. `tell` gets the share that is done, and returns
  // false to stop; the animation is then null.
  /** @type {(nodes: GameNode[], names: string[], tell: (share: number) => boolean) => Promise<Blob | null>} */
  async function animation(nodes, names, tell) {
    if (nodes.length > MOST_FRAMES) throw new Error(`The line has ${counted(nodes.length - 1)}; an animation has at most ${MOST_FRAMES - 1}.`);
    /** @type {(node: GameNode) => ReturnType<typeof draw>} */
    const drawing = node => draw({ node, names }, SCALE.gif);
    const { width, height } = drawing(nodes[0]);
    const context = canvasOf(width, height);
    /** @type {(node: GameNode) => Promise<Uint8ClampedArray>} */
    const pixelsOf = async node => {
      await paint(context, drawing(node));
      return context.getImageData(0, 0, width, height).data;
    };
    // A few boards have the colours of all.
    const samples = [];
    for (const share of [0, 0.5, 1]) samples.push(await pixelsOf(nodes[Math.round(share * (nodes.length - 1))]));
    const writer = gif.writer(width, height, gif.palette(samples));
    for (const [index, node] of nodes.entries()) {
      if (!tell(index / nodes.length)) return null;
      writer.add(await pixelsOf(node), node === nodes.at(-1) ? LAST_DELAY : DELAY);
      // Let the page handle clicks between two boards.
      await new Promise(done => setTimeout(done));
    }
    return new Blob(writer.end(), { type: "image/gif" });
  }

  return { svg: (/** @type {Shown} */ shown) => draw(shown).text, png, animation };
})();
