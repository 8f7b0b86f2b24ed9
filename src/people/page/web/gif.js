// Writes animated GIFs: one palette for all frames, and of each frame only what differs from
// the one before. The format is GIF89a (w3.org/Graphics/GIF/spec-gif89a.txt).
//
//   const palette = gif.palette(frames)        frames, each in RGBA bytes as of a canvas
//   const writer = gif.writer(width, height, palette)
//   writer.add(frame, delay)                   delay in hundredths of a second
//   writer.end()                               the file, in pieces

const gif = (() => {
  // The last entry of the palette stands for "as before".
  const COLOURS = 255;
  const AS_BEFORE = 255;
  // Colours are told apart by this many bits of red, green and blue.
  const BITS = 5;
  const BINS = 1 << 3 * BITS;

  /** @type {(pixels: Uint8ClampedArray, at: number) => number} */
  const binOf = (pixels, at) =>
    pixels[at] >> 8 - BITS << 2 * BITS | pixels[at + 1] >> 8 - BITS << BITS | pixels[at + 2] >> 8 - BITS;

  // ---- the palette: median cut, after Heckbert (1982) ----

  /** @typedef {{ count: number, colour: number[] }} Shade */

  // The mean colour and the number of pixels of each bin that is used.
  /** @type {(frames: Uint8ClampedArray[]) => Shade[]} */
  function shadesOf(frames) {
    const counts = new Uint32Array(BINS);
    const sums = new Float64Array(BINS * 3);
    for (const pixels of frames) {
      for (let at = 0; at < pixels.length; at += 4) {
        const bin = binOf(pixels, at);
        counts[bin] += 1;
        for (let part = 0; part < 3; part++) sums[bin * 3 + part] += pixels[at + part];
      }
    }
    /** @type {Shade[]} */
    const shades = [];
    counts.forEach((count, bin) => {
      if (count) shades.push({ count, colour: [0, 1, 2].map(part => sums[bin * 3 + part] / count) });
    });
    return shades;
  }

  /** @type {(shades: Shade[]) => number} */
  const countOf = shades => shades.reduce((sum, { count }) => sum + count, 0);

  // The part along which a box of shades is longest, and how much a cut there gains.
  /** @param {Shade[]} shades */
  function boxOf(shades) {
    const spans = [0, 1, 2].map(part => {
      const values = shades.map(({ colour }) => colour[part]);
      return Math.max(...values) - Math.min(...values);
    });
    const span = Math.max(...spans);
    return { shades, part: spans.indexOf(span), gain: span * Math.sqrt(countOf(shades)) };
  }

  /** @type {(box: ReturnType<typeof boxOf>) => Shade[][]} */
  function cut({ shades, part }) {
    const sorted = shades.toSorted((a, b) => a.colour[part] - b.colour[part]);
    const half = countOf(sorted) / 2;
    let [place, sum] = [0, 0];
    do sum += sorted[place++].count; while (sum < half && place < sorted.length - 1);
    return [sorted.slice(0, place), sorted.slice(place)];
  }

  /** @type {(shades: Shade[]) => number[]} */
  const meanOf = shades => [0, 1, 2].map(part =>
    Math.round(shades.reduce((sum, { count, colour }) => sum + count * colour[part], 0) / countOf(shades)));

  // At most 255 colours for these frames.
  /** @type {(frames: Uint8ClampedArray[]) => number[][]} */
  function palette(frames) {
    const boxes = [boxOf(shadesOf(frames))];
    while (boxes.length < COLOURS) {
      const best = boxes.reduce((best, box) => box.gain > best.gain ? box : best);
      if (best.shades.length < 2 || !best.gain) break;
      boxes.splice(boxes.indexOf(best), 1, ...cut(best).map(boxOf));
    }
    return boxes.map(({ shades }) => meanOf(shades));
  }

  // Maps a colour to the nearest one of the palette.
  /** @param {number[][]} colours */
  function matcher(colours) {
    const known = new Int16Array(BINS).fill(-1);
    /** @type {(pixels: Uint8ClampedArray, at: number) => number} */
    const nearest = (pixels, at) => {
      let [best, least] = [0, Infinity];
      colours.forEach(([red, green, blue], index) => {
        const distance = (pixels[at] - red) ** 2 + (pixels[at + 1] - green) ** 2 + (pixels[at + 2] - blue) ** 2;
        if (distance < least) [best, least] = [index, distance];
      });
      return best;
    };
    /** @type {(pixels: Uint8ClampedArray, at: number) => number} */
    return (pixels, at) => {
      const bin = binOf(pixels, at);
      if (known[bin] < 0) known[bin] = nearest(pixels, at);
      return known[bin];
    };
  }

  // ---- the file ----

  /** @type {(number: number) => number[]} */
  const word = number => [number & 255, number >> 8];

  // LZW with codes of growing width, for indexes of 8 bits.
  /** @type {(indexes: Uint8Array) => number[]} */
  function compress(indexes) {
    const [CLEAR, END, MOST] = [256, 257, 4096];
    /** @type {number[]} */
    const bytes = [];
    // At `code << 8 | index`: the code of that string followed by the index; 0 if there is none yet.
    const longer = new Uint16Array(MOST << 8);
    let [bits, held, width, next] = [0, 0, 9, END + 1];
    /** @param {number} code */
    const put = code => {
      bits |= code << held;
      held += width;
      for (; held >= 8; held -= 8, bits >>>= 8) bytes.push(bits & 255);
    };
    put(CLEAR);
    let code = indexes[0];
    for (let at = 1; at < indexes.length; at++) {
      const key = code << 8 | indexes[at];
      if (longer[key]) {
        code = longer[key];
        continue;
      }
      put(code);
      if (next < MOST) {
        if (next === 1 << width) width++;
        longer[key] = next++;
      } else {
        put(CLEAR);
        longer.fill(0);
        [width, next] = [9, END + 1];
      }
      code = indexes[at];
    }
    put(code);
    // The decoder has added one more code.
    if (next === 1 << width && width < 12) width++;
    put(END);
    if (held) bytes.push(bits & 255);
    return bytes;
  }

  // The rectangle in which two frames differ, as [x, y, width, height]; one pixel if they do
  // not.
  /** @type {(before: Uint8Array, after: Uint8Array, width: number) => number[]} */
  function difference(before, after, width) {
    let [left, right, above, below] = [width, 0, Infinity, 0];
    for (let at = 0; at < after.length; at++) {
      if (before[at] === after[at]) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      left = Math.min(left, x);
      right = Math.max(right, x);
      above = Math.min(above, y);
      below = y;
    }
    return above === Infinity ? [0, 0, 1, 1] : [left, above, right - left + 1, below - above + 1];
  }

  /** @type {(width: number, height: number, palette: number[][]) => { add(pixels: Uint8ClampedArray, delay: number): void, end(): Uint8Array<ArrayBuffer>[] }} */
  function writer(width, height, palette) {
    const match = matcher(palette);
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const pieces = [];
    /** @type {Uint8Array | null} */
    let before = null;
    /** @type {(...parts: (number | number[])[]) => void} */
    const put = (...parts) => { pieces.push(Uint8Array.from(parts.flat())); };
    /** @type {(text: string) => number[]} */
    const letters = text => [...text].map(letter => letter.charCodeAt(0));

    // A palette of 256 colours for all frames; the animation loops for ever.
    put(letters("GIF89a"), word(width), word(height), 0xf7, 0, 0);
    put(Array.from({ length: 256 }, (_, index) => palette[index] ?? [0, 0, 0]).flat());
    put(0x21, 0xff, 11, letters("NETSCAPE2.0"), 3, 1, word(0), 0);

    return {
      add(pixels, delay) {
        const indexes = new Uint8Array(width * height);
        for (let at = 0; at < indexes.length; at++) indexes[at] = match(pixels, at * 4);
        const [left, above, wide, high] = before ? difference(before, indexes, width) : [0, 0, width, height];
        const part = new Uint8Array(wide * high);
        for (let at = 0; at < part.length; at++) {
          const from = (above + Math.floor(at / wide)) * width + left + at % wide;
          part[at] = before?.[from] === indexes[from] ? AS_BEFORE : indexes[from];
        }
        before = indexes;
        // The next frame is drawn over this one; one colour is transparent.
        put(0x21, 0xf9, 4, 1 << 2 | 1, word(delay), AS_BEFORE, 0);
        put(0x2c, word(left), word(above), word(wide), word(high), 0, 8);
        const bytes = compress(part);
        for (let at = 0; at < bytes.length; at += 255) {
          const block = bytes.slice(at, at + 255);
          put(block.length, block);
        }
        put(0);
      },
      end() {
        put(0x3b);
        return pieces;
      },
    };
  }

  return { palette, writer };
})();
