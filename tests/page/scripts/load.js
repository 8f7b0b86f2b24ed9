// Loads scripts of the page outside of a page.

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const WEB = join(__dirname, "../../../src/people/page/web");

// The values of `names` after these scripts have run in this order in one scope, as on the page.
// `given` holds the other names that they find there.
exports.load = (scripts, names, given = {}) => {
  const text = scripts.map(script => readFileSync(join(WEB, `${script}.js`), "utf8")).join("\n");
  const run = new Function(...Object.keys(given), `"use strict";\n${text}\nreturn { ${names} };`);
  return run(...Object.values(given));
};
