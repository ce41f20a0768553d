// Where an entry of the queue may be moved, in the protocol's words.

/** @typedef {import("./queue.js").Entry} Entry */

/**
 * The requests that bring an entry to another place. The protocol moves behind an entry only, so the
 * first place takes two: behind the first entry, which then goes behind this one.
 * @param {Entry[]} entries @param {number} from @param {number} to its place among all, afterwards
 * @returns {{entry: string, position: {after: string}}[]}
 */
export function movesTo(entries, from, to) {
  const entry = entries[from]?.entry;
  const goal = Math.min(Math.max(to, 0), entries.length - 1);
  if (entry === undefined || goal === from) return [];
  const others = entries.filter((_, index) => index !== from).map((one) => one.entry);
  if (goal > 0) return [{ entry, position: { after: others[goal - 1] } }];
  const first = { entry: others[0], position: { after: entry } };
  return from === 1 ? [first] : [{ entry, position: { after: others[0] } }, first];
}

/**
 * What plays when the current entry is over.
 * @param {import("./queue.js").Queue} queue @returns {string | undefined}
 */
export function nextIn({ entries, current, repeat, autoAdvance }) {
  if (!autoAdvance) return undefined;
  if (repeat === "one") return current;
  const index = entries.findIndex((one) => one.entry === current);
  if (index < 0) return undefined;
  return entries[index + 1]?.entry ?? (repeat === "all" ? entries[0].entry : undefined);
}
