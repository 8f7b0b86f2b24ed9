// A game with its variations. A node is a board: {parent, turn, view, children,
// comment, judged}; `view` is the answer to `look`, at first perhaps without
// the legal turns. The first child goes on with the main line.

const tree = (() => {
  /** @type {(parent: GameNode | null, turn: string | null, view: View) => GameNode} */
  const node = (parent, turn, view) => ({ parent, turn, view, children: [], comment: "", judged: null });

  /** @type {(view: View) => GameNode} */
  const root = view => node(null, null, view);

  // The child with this turn, made if there is none.
  /** @type {(parent: GameNode, turn: string, view: View) => GameNode} */
  const add = (parent, turn, view) => {
    const known = parent.children.find(child => child.turn === turn);
    if (known) return known;
    const child = node(parent, turn, view);
    parent.children.push(child);
    return child;
  };

  /** @type {(node: GameNode) => GameNode[]} */
  const path = node => {
    const nodes = [];
    for (let at = node; at; at = at.parent) nodes.unshift(at);
    return nodes;
  };

  /** @type {(root: GameNode, node: GameNode) => boolean} */
  const holds = (root, node) => node === root ||
    node.parent !== null && node.parent.children.includes(node) && holds(root, node.parent);

  // The node and what follows on its main line.
  /** @type {(node: GameNode) => GameNode[]} */
  const ahead = node => {
    const nodes = [node];
    while (nodes.at(-1).children.length) nodes.push(nodes.at(-1).children[0]);
    return nodes;
  };

  /** @type {(node: GameNode) => boolean} */
  const isMain = node => !node.parent || node.parent.children[0] === node && isMain(node.parent);

  // Makes the line that leads to a node the main line.
  /** @type {(node: GameNode) => void} */
  const promote = node => {
    for (let at = node; at.parent; at = at.parent) {
      const others = at.parent.children.filter(child => child !== at);
      at.parent.children = [at, ...others];
    }
  };

  /** @type {(node: GameNode) => void} */
  const remove = node => {
    node.parent.children = node.parent.children.filter(child => child !== node);
  };

  // The tree as questions and records have it: each turn behind the one that
  // it follows.
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
      const parent = made[after];
      const child = parent ? add(parent, turn, view) : root(view);
      child.comment = comment || "";
      made.push(child);
    }
    return made[0];
  };

  return { root, add, path, holds, ahead, isMain, promote, remove, write, read };
})();
