// Values stored in the browser. The page also works if nothing can be stored. Stored values may
// be damaged or from another version, so each is checked before use.

// What `act` returns, or `otherwise` if it throws.
/** @type {<T>(act: () => T, otherwise: T) => T} */
const tried = (act, otherwise) => {
  try {
    return act();
  } catch {
    return otherwise;
  }
};

const storage = (() => {
  /** @type {(key: string) => string} */
  const nameOf = key => `santorini.${key}`;
  /** @type {(kind: Storages, key: string) => any} */
  const read = (kind, key) => tried(() => JSON.parse(window[kind].getItem(nameOf(key)) ?? "null"), null);
  // Returns false if the storage is full, or there is none.
  /** @type {(kind: Storages, key: string, value: unknown) => boolean} */
  const write = (kind, key, value) => tried(() => {
    window[kind].setItem(nameOf(key), JSON.stringify(value));
    return true;
  }, false);

  // Shared by all tabs. A value that `isRight` refuses counts as missing.
  /** @type {<T>(key: string, otherwise: T, isRight?: (value: any) => boolean) => T} */
  const get = (key, otherwise, isRight = value => value !== null) => {
    const value = read("localStorage", key);
    return isRight(value) ? value : otherwise;
  };
  // Returns whether the value could be stored.
  /** @type {(key: string, value: unknown) => boolean} */
  const set = (key, value) => write("localStorage", key, value);
  // Whether anything can be stored at all.
  const isThere = () => set("there", true);
  /** @param {string} key */
  const remove = key => tried(() => window.localStorage.removeItem(nameOf(key)), undefined);
  // The keys with this beginning.
  /** @type {(prefix: string) => string[]} */
  const keys = prefix => tried(() => Object.keys(window.localStorage), [])
    .filter(name => name.startsWith(nameOf(prefix))).map(name => name.slice(nameOf("").length));

  // Each tab has a game of its own, which it resumes when it is reloaded. A new tab starts with
  // the last game of any tab.
  const isOwn = read("sessionStorage", "tab") === true;
  /** @type {(key: string) => any} */
  const getOwn = key => read(isOwn ? "sessionStorage" : "localStorage", key);
  /** @type {(key: string, value: unknown) => void} */
  const setOwn = (key, value) => {
    write("sessionStorage", "tab", true);
    write("sessionStorage", key, value);
    set(key, value);
  };

  // For this tab alone.
  /** @type {(key: string) => any} */
  const getTab = key => read("sessionStorage", key);
  /** @type {(key: string, value: unknown) => boolean} */
  const setTab = (key, value) => write("sessionStorage", key, value);

  return { get, set, isThere, remove, keys, getOwn, setOwn, getTab, setTab };
})();

// Checks of stored values.

/** @type {(value: any, isRight: (part: any) => boolean) => boolean} */
const isPair = (value, isRight) => Array.isArray(value) && value.length === 2 && value.every(isRight);
/** @type {(value: unknown) => value is string} */
const isText = value => typeof value === "string";
/** @type {(name: unknown, size: number) => boolean} */
const isSpace = (name, size) => isText(name) && name.length === 2 && placeOf(name).every(part => part >= 0 && part < size);
/** @type {(size: any) => boolean} */
const isSize = size => offered().sizes.includes(size);
/** @type {(cards: any) => boolean} */
const isCards = cards => cards === null || isPair(cards, name => offered().cards.some(card => card.name === name)) &&
  cards[0] !== cards[1];
/** @type {(placed: any, size: number) => boolean} */
const isPlaced = (placed, size) => isPair(placed, names => Array.isArray(names) && names.length <= 2) &&
  placed.flat().every((/** @type {unknown} */ name) => isSpace(name, size)) && new Set(placed.flat()).size === placed.flat().length;

// Returns the stored player of a seat; a person in place of a live friend, or of a level or a
// program that no longer exists.
/** @type {(seat: any) => Player} */
const seatThere = seat => {
  const isThere = seat?.kind === "friend" || seat?.kind === "level" && offered().levels.some(({ level }) => level === seat.level) ||
    seat?.kind === "program" && Number.isInteger(seat.program) && seat.program in offered().programs;
  return isThere ? seat : { kind: "person" };
};
/** @type {(seats: any) => Player[]} */
const seatsThere = seats => [0, 1].map(seat => seatThere(seats?.[seat]));
