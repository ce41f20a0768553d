// How fast the server's clock gains on this one.

/** @typedef {import("./clock.js").ClockSample} ClockSample */

/** The largest skew believed, in ppm: kernels slew clocks by at most 500, crystals err by less. */
const largest = 500;
/** The uncertainty until a skew is learned, in ppm. */
const initialUncertainty = 200;
/** The usual error of a clock, in ppm: the prior that a noisy slope is weighed against. */
const usual = 100;
/** Temperature changes a crystal by this much within the window (RFC 5905 uses 15 ppm). */
const smallestUncertainty = 15;
const blockSize = 12;
/** Six minutes at a ping every two seconds. */
const blockCount = 16;

/**
 * The skew of two clocks, learned from the fastest samples of minutes.
 *
 * Samples are grouped in blocks of twelve. A block's offset is half of the difference of its
 * smallest one-way times. The skew is the median of the slopes between all pairs of blocks,
 * weighted by the time between them (Theil–Sen), which tolerates up to 29 % of outliers.
 */
export class SkewEstimate {
  /** @type {{offset: number, at: number}[]} */ #blocks = [];
  #gathered = 0;
  /** @type {{value: number, at: number} | null} */ #forward = null;
  /** @type {{value: number, at: number} | null} */ #backward = null;

  /** The server's gain on this clock, in ppm; zero until there are three blocks. */
  partsPerMillion = 0;
  /** The uncertainty of `partsPerMillion`, in ppm. */
  uncertainty = initialUncertainty;

  /** @param {ClockSample} sample */
  add(sample) {
    if (this.#forward === null || sample.forward < this.#forward.value) {
      this.#forward = { value: sample.forward, at: sample.at };
    }
    if (this.#backward === null || sample.backward < this.#backward.value) {
      this.#backward = { value: sample.backward, at: sample.at };
    }
    this.#gathered += 1;
    if (this.#gathered >= blockSize) this.#closeBlock();
  }

  /** Drops the offsets after a clock stepped, and keeps the skew: the crystals are the same. */
  forgetOffsets() {
    this.#blocks = [];
    this.#forward = null;
    this.#backward = null;
    this.#gathered = 0;
  }

  #closeBlock() {
    const [forward, backward] = [this.#forward, this.#backward];
    if (forward === null || backward === null) return;
    // The two extremes were seen at different moments; their mean is the offset at the middle.
    this.#blocks.push({
      offset: (forward.value - backward.value) / 2,
      at: forward.at + (backward.at - forward.at) / 2,
    });
    if (this.#blocks.length > blockCount) this.#blocks.shift();
    this.#gathered = 0;
    this.#forward = null;
    this.#backward = null;
    this.#learn();
  }

  #learn() {
    const blocks = this.#blocks;
    if (blocks.length < 3) return;
    const [first, last] = [blocks[0], blocks[blocks.length - 1]];
    const baseline = last.at - first.at;
    const slope = this.#medianSlope();
    if (baseline <= 0 || slope === null) return;
    const residuals = blocks.map(
      (block) => block.offset - first.offset - slope * (block.at - first.at));
    const spread = (Math.max(...residuals) - Math.min(...residuals)) * 1_000_000;
    // A few blocks lie close to some line by chance, so the error is scaled up for them.
    const error = ((1.5 + 3 / (blocks.length - 2)) * spread) / baseline;
    this.uncertainty = Math.min(Math.max(error, smallestUncertainty), initialUncertainty);
    // Shrink the slope towards zero, the prior, so that the first noisy slopes do no harm.
    const deviation = error / 3;
    const trust = 1 / (1 + (deviation * deviation) / (usual * usual));
    this.partsPerMillion = Math.min(Math.max(slope * 1_000_000 * trust, -largest), largest);
  }

  /** @returns {number | null} the weighted median of all pairs' slopes */
  #medianSlope() {
    /** @type {{slope: number, weight: number}[]} */
    const slopes = [];
    this.#blocks.forEach((earlier, index) => {
      for (const later of this.#blocks.slice(index + 1)) {
        const time = later.at - earlier.at;
        if (time > 0) slopes.push({ slope: (later.offset - earlier.offset) / time, weight: time });
      }
    });
    slopes.sort((a, b) => a.slope - b.slope);
    const half = slopes.reduce((sum, pair) => sum + pair.weight, 0) / 2;
    let weight = 0;
    for (const pair of slopes) {
      weight += pair.weight;
      if (weight >= half) return pair.slope;
    }
    return null;
  }
}
