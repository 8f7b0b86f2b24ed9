// A game with its variations. A node is a board: {parent, turn, view, children,
// comment, judged}; `view` is the answer to `look`, perhaps without the legal turns at
// first. The first child continues the main line.

const tree = (() => {
  /** @type {(view: View) => RootNode} */
  const root = view => ({ parent: null, turn: null, view, children: [], comment: "", judged: null });

  // The maximum turns of a game with its variations: the program opens no larger one.
  const MOST_TURNS = 2000;

  /** @type {(parent: GameNode, turn: string) => PlayedNode | undefined} */
  const childOf = (parent, turn) => parent.children.find(child => child.turn === turn);

  /** @type {(parent: GameNode, turn: string, view: View) => PlayedNode} */
  const append = (parent, turn, view) => {
    /** @type {PlayedNode} */
    const child = { parent, turn, view, children: [], comment: "", judged: null };
    parent.children.push(child);
    return child;
  };

  // The child with this turn, created if there is none.
  /** @type {(parent: GameNode, turn: string, view: View) => PlayedNode} */
  const add = (parent, turn, view) => {
    const known = childOf(parent, turn);
    if (known) return known;
    if (write(path(parent)[0]).length > MOST_TURNS) {
      throw new Error(`This game has ${MOST_TURNS} turns with its variations, which is the maximum. Delete a variation to continue.`);
    }
    return append(parent, turn, view);
  };

  // The turns that lead to a node.
  /** @type {(node: GameNode) => string[]} */
  const turns = node => node.parent ? [...turns(node.parent), node.turn] : [];

  // The boards that lead to a node, and the node.
  /** @type {(node: GameNode) => GameNode[]} */
  const path = node => node.parent ? [...path(node.parent), node] : [node];

  // The boards of the whole line through a node.
  /** @type {(node: GameNode) => GameNode[]} */
  const line = node => [...path(node), ...after(node)];

  /** @type {(root: GameNode, node: GameNode) => boolean} */
  const holds = (root, node) => node === root ||
    node.parent !== null && node.parent.children.includes(node) && holds(root, node.parent);

  // The nodes after a node on its main line.
  /** @type {(node: GameNode) => PlayedNode[]} */
  const after = ({ children: [next] }) => next ? [next, ...after(next)] : [];

  // The last node of that line.
  /** @type {(node: GameNode) => GameNode} */
  const end = node => after(node).at(-1) ?? node;

  /** @type {(node: GameNode) => boolean} */
  const isMain = node => !node.parent || node.parent.children[0] === node && isMain(node.parent);

  // Makes the line that leads to a node the main line.
  /** @type {(node: GameNode) => void} */
  const promote = node => {
    if (!node.parent) return;
    node.parent.children = [node, ...node.parent.children.filter(child => child !== node)];
    promote(node.parent);
  };

  /** @type {(node: PlayedNode) => void} */
  const remove = node => {
    node.parent.children = node.parent.children.filter(child => child !== node);
  };

  // The tree in the form of questions and records: each turn after the one that it follows.
  /** @type {(root: GameNode) => Branch[]} */
  const write = root => {
    /** @type {Branch[]} */
    const branches = [];
    /** @type {Map<GameNode, number>} */
    const places = new Map();
    /** @type {(node: GameNode) => void} */
    const visit = node => {
      places.set(node, branches.length);
      /** @type {Branch} */
      const branch = {};
      if (node.parent) Object.assign(branch, { after: places.get(node.parent), turn: node.turn });
      if (node.comment) branch.comment = node.comment;
      branches.push(branch);
      node.children.forEach(visit);
    };
    visit(root);
    return branches;
  };

  // The tree of the nodes of an answer to `game`.
  /** @type {(nodes: (View & Branch)[]) => GameNode} */
  const read = nodes => {
    /** @type {GameNode[]} */
    const made = [];
    for (const { after, turn, comment, ...view } of nodes) {
      const isPlayed = typeof after === "number" && typeof turn === "string";
      const node = isPlayed ? childOf(made[after], turn) ?? append(made[after], turn, view) : root(view);
      node.comment = comment || "";
      made.push(node);
    }
    return made[0];
  };

  return { root, add, turns, line, holds, after, end, isMain, promote, remove, write, read };
})();
