// The scripts of the page, without a page.

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const WEB = join(__dirname, "../../../src/people/page/web");

// What `names` are after these scripts ran, in order and in one scope of their own, as on the
// page. `given` stands for what they find there.
exports.load = (scripts, names, given = {}) => {
  const text = scripts.map(script => readFileSync(join(WEB, `${script}.js`), "utf8")).join("\n");
  const run = new Function(...Object.keys(given), `"use strict";\n${text}\nreturn { ${names} };`);
  return run(...Object.values(given));
};
