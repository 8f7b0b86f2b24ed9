// What the browser keeps. Where it keeps nothing the page works all the same. What it kept may
// be broken, or of another version, so each value is checked where it is used.

const kept = (() => {
  const nameOf = key => `santorini.${key}`;
  const storage = kind => {
    try {
      return window[kind];
    } catch {
      return null;
    }
  };
  const read = (kind, key) => {
    try {
      return JSON.parse(storage(kind).getItem(nameOf(key)));
    } catch {
      return null;
    }
  };
  const write = (kind, key, value) => {
    try {
      storage(kind).setItem(nameOf(key), JSON.stringify(value));
    } catch {
      // It is full, or there is none.
    }
  };

  // For all pages; what `isRight` refuses is as if it was not there.
  const get = (key, otherwise, isRight = value => value !== null) => {
    const value = read("localStorage", key);
    return isRight(value) ? value : otherwise;
  };
  const set = (key, value) => write("localStorage", key, value);

  // Each tab has a game of its own, which it finds again when it is loaded again. A new tab
  // begins with what was written last.
  const isOwn = read("sessionStorage", "tab") === true;
  const getOwn = key => read(isOwn ? "sessionStorage" : "localStorage", key);
  const setOwn = (key, value) => {
    write("sessionStorage", "tab", true);
    write("sessionStorage", key, value);
    set(key, value);
  };

  return { get, set, getOwn, setOwn };
})();

// What kept values must be.

const isPair = (value, isRight) => Array.isArray(value) && value.length === 2 && value.every(isRight);
const isText = value => typeof value === "string";
const isSpace = (name, size) => isText(name) && name.length === 2 && placeOf(name).every(part => part >= 0 && part < size);
const isSize = size => state.desk.sizes.includes(size);
const isCards = cards => cards === null || isPair(cards, name => state.desk.cards.some(card => card.name === name)) &&
  cards[0] !== cards[1];
const isPlaced = (placed, size) => isPair(placed, names => Array.isArray(names) && names.length <= 2) &&
  placed.flat().every((name, index, all) => isSpace(name, size) && all.indexOf(name) === index);

// A seat; a person in place of a program or a level that is not there any more.
const seatThere = seat => {
  const isThere = seat?.kind === "level" && state.desk.levels.some(({ level }) => level === seat.level) ||
    seat?.kind === "program" && Number.isInteger(seat.program) && seat.program in state.desk.programs;
  return isThere ? seat : { kind: "person" };
};
const seatsThere = seats => [0, 1].map(seat => seatThere(seats?.[seat]));
