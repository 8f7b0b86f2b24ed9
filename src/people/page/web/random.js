// Random choices.

// Two different items in random order. `random` returns numbers from 0 up to but not including 1.
/** @type {<Item>(items: Item[], random?: () => number) => Item[]} */
const drawTwo = (items, random = Math.random) => {
  const rest = [...items];
  return [0, 1].flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
};
