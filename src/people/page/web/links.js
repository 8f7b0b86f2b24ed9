// Links contain what they open after the # of the address: `#p=` a position, `#z=` a puzzle,
// `#g=` the record of a game, packed (zlib, then base64url). Links are not trusted: their size
// is limited, and the rules check them before anything on the page changes.

const links = (() => {
  const LONGEST_POSITION = 200;
  // The parts of a position: a link that was cut lacks some. The rules check the rest.
  const POSITION = /^[\d/]+ \w{4} \w{4} \d+( \w+ \w+)?$/;
  const LONGEST_PACKED = 100_000;
  // Less than the maximum length of a question.
  const LONGEST_GAME = 200_000;
  const LONGEST_NAME = 60;
  const DAMAGED = "This link is damaged or incomplete. Copy the whole link again.";

  // ---- packing ----

  /** @type {(stream: ReadableStream<Uint8Array<ArrayBuffer>>, most: number) => Promise<Uint8Array<ArrayBuffer>>} */
  async function bytesOf(stream, most) {
    const reader = stream.getReader();
    const parts = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > most) {
        reader.cancel().catch(() => {});
        throw new RangeError("too long");
      }
      parts.push(value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  /** @type {(bytes: Uint8Array<ArrayBuffer>, through: ReadableWritablePair<any, any>, most: number) => Promise<Uint8Array<ArrayBuffer>>} */
  const pass = (bytes, through, most) => bytesOf(new Blob([bytes]).stream().pipeThrough(through), most);

  function needStreams() {
    if (typeof CompressionStream === "undefined") throw new Error("This browser is too old for links to games.");
  }

  /** @type {(text: string) => Promise<string>} */
  async function pack(text) {
    needStreams();
    const bytes = await pass(new TextEncoder().encode(text), new CompressionStream("deflate"), LONGEST_PACKED);
    const letters = Array.from(bytes, byte => String.fromCharCode(byte)).join("");
    return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  /** @type {(packed: string) => Promise<string>} */
  async function unpack(packed) {
    needStreams();
    if (packed.length > LONGEST_PACKED) throw new Error("This link is too long for a game.");
    try {
      const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
      const bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0));
      const unpacked = await pass(bytes, new DecompressionStream("deflate"), LONGEST_GAME);
      return new TextDecoder("utf-8", { fatal: true }).decode(unpacked);
    } catch (error) {
      throw new Error(error instanceof RangeError ? "The game in this link is too long." : DAMAGED);
    }
  }

  // ---- what is in a link ----

  // The link in a text, which may be an address or a whole message.
  /** @type {(text: string) => { kind: string, value: string } | null} */
  function find(text) {
    const [, kind, value] = text.match(/#([pgz])=([\w%/-]*)/) ?? [];
    return kind ? { kind, value } : null;
  }

  /** @type {(value: string) => string} */
  function positionIn(value) {
    const text = tried(() => decodeURIComponent(value).replaceAll("_", " "), "");
    if (POSITION.test(text) && text.length <= LONGEST_POSITION) return text;
    throw new Error(DAMAGED);
  }

  /** @type {(position: string) => string} */
  const writePosition = position => position.replaceAll(" ", "_");

  /** @type {(value: string) => Promise<any>} */
  async function gameIn(value) {
    const text = await unpack(value);
    const game = tried(() => JSON.parse(text), null);
    if (typeof game === "object" && game !== null) return game;
    throw new Error(DAMAGED);
  }

  // Cut at a whole character. Half of one, as a damaged name may hold, is no text to the program.
  /** @type {(name: string) => string} */
  const shortName = name => [...name].slice(0, LONGEST_NAME).join("").replace(/\p{Surrogate}/gu, "\ufffd");

  // Asks the program for the game of a link. Its words about a bad one are for authors of files.
  /** @type {(value: object) => Promise<Answers["game"]>} */
  async function read(value) {
    try {
      return await client.ask({ do: "game", value });
    } catch (error) {
      throw client.isOpen() ? new Error(DAMAGED) : error;
    }
  }

  const of = {
    /** @type {(position: string) => string} */
    position: position => `#p=${writePosition(position)}`,
    /** @type {(position: string) => string} */
    puzzle: position => `#z=${writePosition(position)}`,
    /** @type {(game: object) => Promise<string>} */
    game: async game => `#g=${await pack(JSON.stringify(game))}`,
  };

  // ---- opening ----

  // Opens the link in a text.
  /** @type {(text: string) => Promise<void>} */
  async function open(text) {
    const link = find(text);
    if (!link) return;
    const { kind, value } = link;
    if (kind === "p") return files.openPosition(positionIn(value));
    if (kind === "z") return puzzles.openAt(positionIn(value));
    const game = await gameIn(value);
    if (isPair(game.players, isText)) game.players = game.players.map(shortName);
    return game.friend === undefined ? files.showGame(await read(game)) : friend.open(game);
  }

  // Opens the link in the address of this page, if there is one, and removes it from the
  // address: a reload then resumes the game instead of opening the link again.
  async function openOwn() {
    const { hash } = location;
    if (!find(hash)) return;
    history.replaceState(history.state, "", location.href.split("#")[0]);
    if (live.isGuest()) return say("This page is for the live game alone, so the link was not opened.", "bad");
    try {
      await open(hash);
    } catch (error) {
      say(`${asSentence(errorWords(error))} Nothing here has changed.`, "bad");
    }
  }

  // ---- giving a link to others ----

  // Without the token of the address, which gives access to this machine.
  /** @type {(hash: string) => string} */
  function addressOf(hash) {
    const address = new URL(location.href);
    ["token", "guest"].forEach(name => address.searchParams.delete(name));
    address.hash = hash;
    return address.href;
  }

  // Whether the address of this page leads to it from other machines.
  const isPublic = () => location.protocol.startsWith("http") && !/[?&](token|guest)=/.test(location.search);

  /** @param {string} link */
  async function share(link) {
    try {
      await navigator.share(isPublic() ? { title: "Santorini", url: link } : { title: "Santorini", text: link });
    } catch {
      // It was cancelled.
    }
  }

  // A field with a link, to copy or to share.
  /** @type {(label: string, hash: string) => HTMLElement} */
  function field(label, hash) {
    const link = addressOf(hash);
    const host = copyField(label, link);
    if ("share" in navigator) {
      host.lastElementChild?.append(button("Share", () => share(link), { "aria-label": `Share: ${label}` }));
    }
    return host;
  }

  // Creates a note that says how others can open a link.
  const note = () => make("p", { class: "soft" }, isPublic()
    ? "Anyone with the link can open it."
    : "Others cannot reach this page. To open the link, they paste it under Games on their own page.");

  return { pack, unpack, find, gameIn, positionIn, read, of, open, openOwn, addressOf, field, note };
})();
