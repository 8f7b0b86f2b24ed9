const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load } = require("./load");

const { gif } = load(["gif"], "gif");

// ---- a reader of the written files ----

const unpack = bytes => {
  let [at, bit] = [0, 0];
  const read = width => {
    let code = 0;
    for (let index = 0; index < width; index++) {
      code |= (bytes[at] >> bit & 1) << index;
      bit = (bit + 1) % 8;
      if (bit === 0) at++;
    }
    return code;
  };
  const out = [];
  let [table, width, last] = [[], 9, null];
  for (;;) {
    const code = read(width);
    if (code === 257) break;
    if (code === 256) {
      table = Array.from({ length: 258 }, (_, index) => [index]);
      [width, last] = [9, null];
      continue;
    }
    const entry = table[code] ?? [...last, last[0]];
    assert.ok(code <= table.length, "a code that is not known yet");
    out.push(...entry);
    if (last && table.length < 4096) table.push([...last, entry[0]]);
    if (table.length === 1 << width && width < 12) width++;
    last = entry;
  }
  assert.ok(bytes.length - at <= 1, "bytes behind the end");
  return out;
};

// The size of a picture, and its frames as complete arrays of colours.
const decode = pieces => {
  const bytes = Buffer.concat(pieces);
  let at = 0;
  const take = count => bytes.subarray(at, at += count);
  const word = () => take(2).readUInt16LE();
  assert.equal(take(6).toString(), "GIF89a");
  const [width, height] = [word(), word()];
  assert.deepEqual([...take(3)], [0xf7, 0, 0]);
  const palette = Array.from({ length: 256 }, () => [...take(3)].join());
  const frames = [];
  let [screen, delay, area, clear] = [Array(width * height).fill(""), 0, 0, -1];
  for (;;) {
    const kind = take(1)[0];
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      const label = take(1)[0];
      const data = take(take(1)[0]);
      if (label === 0xff) assert.deepEqual([data.toString(), ...take(4)], ["NETSCAPE2.0", 3, 1, 0, 0]);
      else [delay, clear] = [data.readUInt16LE(1), data[3]];
      assert.equal(take(1)[0], 0);
      continue;
    }
    assert.equal(kind, 0x2c);
    const [left, above, wide, high] = [word(), word(), word(), word()];
    assert.deepEqual([...take(2)], [0, 8]);
    const blocks = [];
    for (let length = take(1)[0]; length; length = take(1)[0]) blocks.push(take(length));
    const indexes = unpack(Buffer.concat(blocks));
    assert.equal(indexes.length, wide * high);
    area = wide * high;
    screen = screen.slice();
    indexes.forEach((index, place) => {
      if (index !== clear) screen[(above + Math.floor(place / wide)) * width + left + place % wide] = palette[index];
    });
    frames.push({ screen, delay, area });
  }
  assert.equal(at, bytes.length);
  return { width, height, frames };
};

// A picture with the colours that a function returns.
const picture = (width, height, colour) => {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at++) pixels.set([...colour(at % width, Math.floor(at / width)), 255], at * 4);
  return pixels;
};
const coloursOf = pixels => Array.from({ length: pixels.length / 4 }, (_, at) => pixels.slice(at * 4, at * 4 + 3).join());
const write = (width, height, frames) => {
  const writer = gif.writer(width, height, gif.palette(frames));
  frames.forEach((frame, index) => writer.add(frame, 100 + index));
  return decode(writer.end());
};

test("frames of few colours come back as they were", () => {
  const colours = [[200, 10, 10], [10, 200, 10], [10, 10, 200], [250, 250, 250], [0, 0, 0]];
  // Noise fills the table of codes more than once.
  let seed = 1;
  const noise = () => (seed = seed * 1103515245 + 12345 & 0x7fffffff) >> 16;
  const frames = Array.from({ length: 3 }, () => picture(170, 90, () => colours[noise() % 5]));
  const { width, height, frames: read } = write(170, 90, frames);
  assert.deepEqual([width, height], [170, 90]);
  assert.deepEqual(read.map(({ delay }) => delay), [100, 101, 102]);
  frames.forEach((frame, index) => assert.deepEqual(read[index].screen, coloursOf(frame)));
});

test("a frame holds only what differs from the one before", () => {
  const plain = picture(40, 30, () => [9, 9, 9]);
  const spot = picture(40, 30, (x, y) => x >= 5 && x < 8 && y >= 20 && y < 24 ? [255, 0, 0] : [9, 9, 9]);
  const { frames } = write(40, 30, [plain, spot, spot, plain]);
  assert.deepEqual(frames.map(({ area }) => area), [1200, 12, 1, 12]);
  assert.deepEqual(frames.map(({ screen }) => screen), [plain, spot, spot, plain].map(coloursOf));
});

test("many colours are replaced by near ones", () => {
  const shades = picture(256, 64, (x, y) => [x, y * 4, 128]);
  const colours = gif.palette([shades]);
  assert.equal(colours.length, 255);
  const { frames: [{ screen }] } = write(256, 64, [shades]);
  coloursOf(shades).forEach((wanted, at) => {
    const [a, b] = [wanted, screen[at]].map(colour => colour.split(",").map(Number));
    assert.ok(a.every((part, index) => Math.abs(part - b[index]) < 20), `${wanted} became ${screen[at]}`);
  });
});

test("every length of a plain picture ends in whole codes", () => {
  for (const width of [1, 2, 255, 256, 257, 511, 512, 40_000]) {
    const plain = picture(width, 1, x => [x % 7 * 30, 0, 0]);
    assert.deepEqual(write(width, 1, [plain]).frames[0].screen, coloursOf(plain));
  }
});
