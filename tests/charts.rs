//! Charts in pages, as shown by a browser.

use std::path::Path;

use serde_json::json;

use crate::browser::Browser;

/// A script that lists what makes the charts of a page unreadable.
const FAULTS: &str = r#"(() => {
  const faults = [];
  const parts = colour => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
  const light = colour => parts(colour).map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  for (const figure of document.querySelectorAll("figure")) {
    const title = figure.querySelector(".chart-title").textContent;
    const shown = [...figure.querySelectorAll("svg")].filter(svg => svg.checkVisibility());
    if (shown.length !== 1) { faults.push(`${title}: ${shown.length} pictures`); continue; }
    const [svg] = shown;
    const box = svg.getBoundingClientRect();
    if (box.width > figure.clientWidth) faults.push(`${title}: too wide`);
    const paper = light(getComputedStyle(figure).backgroundColor);
    for (const text of svg.querySelectorAll("text")) {
      const style = getComputedStyle(text), inside = text.getBoundingClientRect();
      const size = parseFloat(style.fontSize) * box.width / svg.viewBox.baseVal.width;
      if (size < 10) faults.push(`${title}: ${text.textContent} has ${size} pixels`);
      if (inside.left < box.left - 1 || inside.right > box.right + 1) faults.push(`${title}: ${text.textContent} is cut off`);
      const [high, low] = [paper, light(style.fill)].sort((a, b) => b - a);
      if ((high + 0.05) / (low + 0.05) < 4.5) faults.push(`${title}: ${text.textContent} in ${style.fill}`);
    }
  }
  return faults;
})()"#;

/// Fails if the charts of a page are unreadable on a wide screen or a phone, light or
/// dark.
pub fn assert_readable(page: &Path, charts: usize) {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for scheme in ["light", "dark"] {
        for width in [1280, 390] {
            browser.resize(width, 844);
            browser.prefer(scheme);
            browser.open(&format!("file://{}", page.display()));
            let count = "document.querySelectorAll('figure').length";
            browser.see(count, json!(charts));
            browser.see("document.readyState", "complete");
            let faults = browser.evaluate(FAULTS);
            assert_eq!(faults, json!([]), "{width} pixels, {scheme}");
        }
    }
    assert!(
        browser.complaints().is_empty(),
        "{:?}",
        browser.complaints()
    );
}
