// Lists the accessibility problems of the page as text, empty if there are none. Criteria
// of WCAG 2.2: names (4.1.2), target sizes (2.5.5), contrast (1.4.3), language (3.1.1),
// labels, headings.
(() => {
  const faults = [];
  const fault = (element, what) => faults.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  const dialog = document.querySelector("dialog[open]");
  const isSeen = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    (!dialog || dialog.contains(element)) && !element.closest("[aria-hidden=true]");
  const seen = selector => [...document.querySelectorAll(selector)].filter(isSeen);

  const name = element => {
    const byId = (element.getAttribute("aria-labelledby") || "").split(" ").filter(Boolean)
      .map(id => document.getElementById(id)?.textContent ?? "").join(" ");
    const labels = [...element.labels ?? []].map(label => label.textContent).join(" ");
    const isField = element.matches("input, select, textarea");
    return (element.getAttribute("aria-label") || byId || labels || (isField ? "" : element.textContent)).trim();
  };

  if (!document.documentElement.lang) faults.push("no language");
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one first heading");
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  ids.filter((id, index) => ids.indexOf(id) !== index).forEach(id => faults.push(`twice: ${id}`));

  for (const element of seen("button, select, input, textarea, a, summary, [role=grid], [role=meter], [role=img], dialog[open], section")) {
    if (!name(element)) fault(element, "no name");
  }
  for (const element of seen("[role=gridcell]")) {
    if (!element.parentElement.matches("[role=row]")) fault(element, "a cell in no row");
  }
  if (!document.querySelector("[aria-live=polite]")) faults.push("nothing is said");

  for (const element of seen("button, select, input, textarea, summary")) {
    const label = element.matches("[type=radio]") ? element.labels[0] : element;
    const { width, height } = label.getBoundingClientRect();
    if (width < 43.5 || height < 43.5) fault(element, `${width.toFixed(0)} by ${height.toFixed(0)} is small`);
  }

  const channels = colour => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(part => part / 255).map(part =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  // The colours behind an element: its own background, or that of the nearest ancestor
  // with one; for a picture, all its colours.
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const found = style.backgroundImage.match(/rgba?\([^)]*\)/g) || [];
      const own = channels(style.backgroundColor);
      if (own.length < 4 || own[3] > 0.99) found.push(style.backgroundColor);
      if (found.length) return found.map(channels);
    }
    return [[255, 255, 255]];
  };
  const hasText = element => [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  for (const element of [...seen("body *")].filter(hasText)) {
    // Disabled elements may be faint; svg is checked below.
    if (element.disabled || element.closest("svg, option, style, script")) continue;
    if (element.closest(".evalBar")) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
    const least = Math.min(...behind(element).map(back => contrast(channels(style.color), back)));
    if (least < (isLarge ? 3 : 4.5)) fault(element, `contrast ${least.toFixed(2)}`);
  }
  // Coordinates stand on the sand. tests/draw_svg.rs checks the digits of levels.
  for (const element of document.querySelectorAll("#board .sn-text")) {
    const ink = channels(getComputedStyle(element).fill);
    const sand = channels(document.querySelector("#board .sn-sand").getAttribute("fill")
      .replace(/#(..)(..)(..)/, (_, ...parts) => parts.map(part => parseInt(part, 16)).join()));
    if (contrast(ink, sand) < 4.5) fault(element, `contrast ${contrast(ink, sand).toFixed(2)}`);
  }
  return faults;
})();
