// QR codes (ISO/IEC 18004): bytes at level M, which is read with up to 15 % of it covered.

import { errorCorrection } from "./reed-solomon.js";

/** The bytes of correction in each block of a level-M code, by version (table 9). */
const correctionBytes = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
  26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28];
/** The number of those blocks, by version (table 9). */
const blockCounts = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
  17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49];
/** How the level M is written in the format (table 12). */
const levelM = 0;

/** The eight masks: where the modules of data are inverted (table 10). */
const masks = [
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 2 === 0,
  (/** @type {number} */ _x, /** @type {number} */ y) => y % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ _y) => x % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (x * y) % 2 + (x * y) % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => ((x * y) % 2 + (x * y) % 3) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => ((x + y) % 2 + (x * y) % 3) % 2 === 0,
];

/** @param {number} version @returns {number} modules for data and correction */
function modulesOf(version) {
  const marks = version < 2 ? 0 : Math.floor(version / 7) + 2;
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) modules -= (25 * marks - 10) * marks - 55;
  return version >= 7 ? modules - 36 : modules;
}

/** @param {number} version @returns {number} bytes that hold data */
function capacityOf(version) {
  return Math.floor(modulesOf(version) / 8) - correctionBytes[version - 1] * blockCounts[version - 1];
}

/** @param {number} version @returns {number[]} where the middles of the small marks are (annex E) */
function marksOf(version) {
  if (version === 1) return [];
  const [count, last] = [Math.floor(version / 7) + 2, version * 4 + 10];
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - step * (count - 2 - index))];
}

/** @param {Uint8Array} bytes @param {number} version @returns {Uint8Array} with their length, and filled up */
function dataOf(bytes, version) {
  /** @type {number[]} */ const bits = [];
  const put = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  const capacity = capacityOf(version);
  put(0, Math.min(4, capacity * 8 - bits.length));
  put(0, (8 - bits.length % 8) % 8);
  for (let fill = 0xec; bits.length < capacity * 8; fill ^= 0xec ^ 0x11) put(fill, 8);
  return Uint8Array.from({ length: capacity }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte << 1 | bit, 0));
}

/** @param {Uint8Array} data @param {number} version @returns {number[]} in blocks, one byte of each in turn */
function interleaved(data, version) {
  const [count, extra] = [blockCounts[version - 1], correctionBytes[version - 1]];
  const all = Math.floor(modulesOf(version) / 8);
  const short = Math.floor(all / count) - extra;
  const shortCount = count - all % count;
  let next = 0;
  const blocks = Array.from({ length: count }, (_, index) => {
    const size = short + (index < shortCount ? 0 : 1);
    next += size;
    return data.slice(next - size, next);
  });
  const corrections = blocks.map((block) => errorCorrection(block, extra));
  const inTurn = (/** @type {Uint8Array[]} */ parts, /** @type {number} */ length) =>
    Array.from({ length }, (_, place) => parts.flatMap((part) => (place < part.length ? [part[place]] : []))).flat();
  return [...inTurn(blocks, short + 1), ...inTurn(corrections, extra)];
}

/** The square of modules, while it is drawn. */
class Drawing {
  #version;
  /** @type {boolean[][]} rows of dark modules */ dark;
  /** @type {boolean[][]} those that are no data */ #isFixed;

  /** @param {number} version */
  constructor(version) {
    this.#version = version;
    this.size = version * 4 + 17;
    const empty = () => Array.from({ length: this.size }, () => Array(this.size).fill(false));
    [this.dark, this.#isFixed] = [empty(), empty()];
    this.#drawPatterns();
  }

  /** @param {number} x @param {number} y @param {boolean} isDark */
  #fix(x, y, isDark) {
    [this.dark[y][x], this.#isFixed[y][x]] = [isDark, true];
  }

  #drawPatterns() {
    for (let place = 0; place < this.size; place += 1) {
      this.#fix(6, place, place % 2 === 0);
      this.#fix(place, 6, place % 2 === 0);
    }
    for (const [x, y] of [[3, 3], [this.size - 4, 3], [3, this.size - 4]]) this.#drawRings(x, y, 4, [2, 4]);
    const marks = marksOf(this.#version);
    const last = marks.length - 1;
    marks.forEach((x, column) => marks.forEach((y, row) => {
      const isCorner = (column === 0 && (row === 0 || row === last)) || (column === last && row === 0);
      if (!isCorner) this.#drawRings(x, y, 2, [1]);
    }));
    this.drawFormat(0);
    if (this.#version >= 7) this.#drawVersion();
  }

  /** @param {number} x @param {number} y @param {number} reach @param {number[]} light rings, by their distance */
  #drawRings(x, y, reach, light) {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        const isInside = x + dx >= 0 && x + dx < this.size && y + dy >= 0 && y + dy < this.size;
        if (isInside) this.#fix(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  }

  /** @param {number} mask written with the level, twice (7.9) */
  drawFormat(mask) {
    const bits = withRemainder(levelM << 3 | mask, 10, 0x537) ^ 0x5412;
    const bit = (/** @type {number} */ place) => (bits >> place & 1) === 1;
    const { size } = this;
    for (let place = 0; place < 15; place += 1) {
      if (place < 6) this.#fix(8, place, bit(place));
      else if (place < 8) this.#fix(8, place + 1, bit(place));
      else this.#fix(place === 8 ? 7 : 14 - place, 8, bit(place));
      if (place < 8) this.#fix(size - 1 - place, 8, bit(place));
      else this.#fix(8, size - 15 + place, bit(place));
    }
    this.#fix(8, size - 8, true);
  }

  #drawVersion() {
    const bits = withRemainder(this.#version, 12, 0x1f25);
    for (let place = 0; place < 18; place += 1) {
      const [far, near] = [this.size - 11 + place % 3, Math.floor(place / 3)];
      this.#fix(far, near, (bits >> place & 1) === 1);
      this.#fix(near, far, (bits >> place & 1) === 1);
    }
  }

  /** @param {number[]} bytes upwards and downwards in columns of two, from the right (7.7.3) */
  drawData(bytes) {
    let next = 0;
    let isUpwards = true;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step += 1) {
        const y = isUpwards ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.#isFixed[y][x] || next >= bytes.length * 8) continue;
          this.dark[y][x] = (bytes[next >> 3] >> (7 - next % 8) & 1) === 1;
          next += 1;
        }
      }
      isUpwards = !isUpwards;
    }
  }

  /** @param {number} mask inverts the same modules back if it is applied twice */
  apply(mask) {
    this.dark.forEach((row, y) => row.forEach((isDark, x) => {
      if (!this.#isFixed[y][x] && masks[mask](x, y)) row[x] = !isDark;
    }));
  }

  /** @returns {number} how hard it is to read (7.8.3) */
  get penalty() {
    const columns = this.dark.map((_, x) => this.dark.map((row) => row[x]));
    const lines = [...this.dark, ...columns];
    const count = this.dark.flat().filter(Boolean).length;
    const share = Math.abs(count * 20 - this.size * this.size * 10) / (this.size * this.size);
    return lines.reduce((sum, line) => sum + penaltyOf(line), 0) + this.#squares() * 3
      + Math.floor(share) * 10;
  }

  /** @returns {number} squares of four equal modules */
  #squares() {
    let count = 0;
    for (let y = 1; y < this.size; y += 1) {
      for (let x = 1; x < this.size; x += 1) {
        const one = this.dark[y][x];
        if (one === this.dark[y - 1][x] && one === this.dark[y][x - 1] && one === this.dark[y - 1][x - 1]) count += 1;
      }
    }
    return count;
  }
}

/** @param {boolean[]} line @returns {number} for runs of a colour, and for what looks like a large mark */
function penaltyOf(line) {
  const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
  const runs = (text.match(/1{5,}|0{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
  return runs + 40 * (text.match(/(?=10111010000|00001011101)/g) ?? []).length;
}

/** @param {number} value @param {number} count of bits of the remainder @param {number} divisor */
function withRemainder(value, count, divisor) {
  let rest = value;
  for (let step = 0; step < count; step += 1) rest = rest << 1 ^ (rest >> (count - 1)) * divisor;
  return value << count | rest;
}

/**
 * Makes the smallest code that holds the text.
 * @param {string} text @returns {boolean[][]} rows of modules, without the light border of four
 * @throws {RangeError} if the text has more than 2331 bytes
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const needs = (/** @type {number} */ version) => bytes.length + (version < 10 ? 2 : 3);
  const version = blockCounts.findIndex((_, index) => capacityOf(index + 1) >= needs(index + 1)) + 1;
  if (version === 0) throw new RangeError(`a QR code holds 2331 bytes, not ${bytes.length}`);
  const drawing = new Drawing(version);
  drawing.drawData(interleaved(dataOf(bytes, version), version));
  let [best, least] = [0, Infinity];
  masks.forEach((_, mask) => {
    drawing.apply(mask);
    drawing.drawFormat(mask);
    if (drawing.penalty < least) [best, least] = [mask, drawing.penalty];
    drawing.apply(mask);
  });
  drawing.apply(best);
  drawing.drawFormat(best);
  return drawing.dark;
}

/**
 * Draws a code dark on light, whatever the page's colours, since many readers take only that.
 * @param {string} text @param {string} label for those who do not see it @returns {SVGElement}
 */
export function qrPicture(text, label) {
  const rows = qrCode(text);
  const space = "http://www.w3.org/2000/svg";
  const size = rows.length + 8;
  const picture = document.createElementNS(space, "svg");
  for (const [name, value] of Object.entries({
    class: "code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges",
  })) picture.setAttribute(name, value);
  const part = (/** @type {string} */ colour, /** @type {string} */ path) => {
    const shape = document.createElementNS(space, "path");
    shape.setAttribute("fill", colour);
    shape.setAttribute("d", path);
    picture.append(shape);
  };
  part("#fff", `M0 0h${size}v${size}h-${size}z`);
  part("#000", rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join(""));
  return picture;
}
