// A reviewed game in a web page: the graph of the chance of winning, the remark on
// the turn shown, the board, and a table of both players' judgements.
//
//   santoriniReview(host, names, scenes, review)  fills the element host. Returns
//                                                 {go}, which shows a scene
//
// `scenes` are as in board.js; page.rs makes `review`.
function santoriniReview(host, names, scenes, { chances, remarks, summary, judgements }) {
  const add = (parent, name, className) => {
    const element = document.createElement(name);
    element.className = className;
    return parent.appendChild(element);
  };
  host.replaceChildren();
  host.classList.add("sn-review");
  const graph = host.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  const remark = add(host, "p", "sn-remark");
  remark.setAttribute("aria-live", "polite");
  const board = add(host, "div", "");
  const table = add(add(host, "div", "sn-scroll"), "table", "");

  const last = Math.max(1, chances.length - 1);
  // Around the graph there is room for the marks at its edges.
  const [left, wide] = [-.015 * last, 1.03 * last];
  const at = (index, chance) => `${index} ${100 - 100 * chance}`;
  const draw = attributes => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    for (const [key, value] of Object.entries(attributes)) path.setAttribute(key, value);
    return graph.appendChild(path);
  };
  const graphs = { class: "sn-graph", role: "img", preserveAspectRatio: "none", viewBox: `${left} -6 ${wide} 112`,
    "aria-label": `The chance of winning of ${names[0]} after each turn` };
  for (const [key, value] of Object.entries(graphs)) graph.setAttribute(key, value);
  const line = chances.map((chance, index) => at(index, chance)).join("L");
  draw({ d: `M${left} 106V${100 - 100 * chances[0]}L${line}H${left + wide}V106Z`, fill: "var(--first)", "fill-opacity": .45 });
  draw({ d: `M${left} 50h${wide}`, stroke: "var(--line)", "vector-effect": "non-scaling-stroke" });
  remarks.forEach(({ judgement, sign }, index) => {
    if (!sign) return;
    draw({ d: `M${at(index + 1, chances[index + 1])}v.01`, stroke: `var(--${judgement})`, "stroke-width": 9,
      "stroke-linecap": "round", "vector-effect": "non-scaling-stroke" });
  });
  const now = draw({ stroke: "var(--now)", "stroke-width": 2, "vector-effect": "non-scaling-stroke" });

  const marked = scenes.map((scene, index) => {
    const sign = remarks[index - 1]?.sign;
    return sign && scene.played ? { ...scene, played: scene.played + sign } : scene;
  });
  const shown = index => {
    now.setAttribute("d", `M${index} -6V106`);
    const found = remarks[index - 1];
    const chance = `${names[0]} wins with a chance of ${Math.round(100 * chances[index])}%.`;
    remark.className = `sn-remark ${found ? found.judgement : ""}`;
    remark.textContent = found ? `${found.text}. ${chance}` : chance;
  };
  const player = santorini.show(board, names, marked, shown);
  const point = event => {
    const box = graph.getBoundingClientRect();
    const index = left + (event.clientX - box.left) / box.width * wide;
    player.go(Math.min(last, Math.max(0, Math.round(index))));
  };
  graph.onpointerdown = event => { graph.setPointerCapture(event.pointerId); point(event); };
  graph.onpointermove = event => { if (event.buttons) point(event); };

  const row = (tag, cells) => {
    const line = table.insertRow();
    for (const text of cells) add(line, tag, "").textContent = text;
  };
  row("th", ["", ...names]);
  const both = (name, value) => row("td", [name, ...summary.map(value)]);
  both("turns", it => it.turns);
  judgements.forEach(name => both(name, it => it[name]));
  both("chance lost per turn", it => it.lost_per_turn === null ? "-" : `${(100 * it.lost_per_turn).toFixed(1)}%`);
  return player;
}
