// The session's queue, as its events leave it.

/**
 * @typedef {object} Media
 * @property {string} url
 * @property {string} [item] equal items share a timeline; the `url` if absent
 * @property {string} [title]
 * @property {number} [duration] µs
 * @property {number | string} [size]
 * @property {{start: number, end: number}[]} [interstitials]
 * @typedef {Media & {entry: string, addedBy?: string}} Entry
 */

/** @param {Media} media @returns {string} the identifier of its timeline */
export function itemOf(media) { return media.item ?? media.url; }

/**
 * Whether it is the same file: of two sizes that are both known, a file has only one.
 * @param {Media} media @param {Media} other
 */
export function isSameFile(media, other) {
  const isSized = media.size !== undefined && other.size !== undefined;
  return itemOf(media) === itemOf(other) && media.url === other.url && !(isSized && media.size !== other.size);
}

/** The entries in their order, and which of them is current. */
export class Queue {
  /** @type {Entry[]} */ entries;
  /** @type {string | undefined} */ current;
  /** @type {"off" | "one" | "all"} */ repeat;
  autoAdvance;
  #nextNumber;
  /** @type {string[] | null} the order before a shuffle */ #unshuffled;

  /** @param {any} fields as in a snapshot */
  constructor(fields) {
    this.entries = fields?.entries ?? [];
    this.current = fields?.current;
    this.repeat = fields?.repeat ?? "off";
    this.autoAdvance = fields?.autoAdvance ?? true;
    this.#nextNumber = fields?.nextNumber ?? this.entries.length + 1;
    this.#unshuffled = fields?.unshuffled ?? null;
  }

  get isShuffled() { return this.#unshuffled !== null; }

  /** @returns {Entry | undefined} */
  get currentEntry() { return this.entries.find((entry) => entry.entry === this.current); }

  /** Whether the protocol's `next` leads to another entry. */
  get hasNext() {
    const index = this.entries.findIndex((entry) => entry.entry === this.current);
    return index >= 0 && (this.repeat === "all" || index + 1 < this.entries.length);
  }

  /** @param {any} event @returns {boolean} whether it was about the queue */
  evolve(event) {
    switch (event.event) {
      case "inserted": this.#insert(event.entries, event.after); return true;
      case "moved": {
        const index = this.#index(event.entry);
        if (index >= 0) this.#put(this.entries.splice(index, 1), event.after);
        return true;
      }
      case "entryRemoved":
        this.entries = this.entries.filter((entry) => entry.entry !== event.entry);
        this.#unshuffled = this.#unshuffled?.filter((entry) => entry !== event.entry) ?? null;
        if (this.current === event.entry) this.current = undefined;
        return true;
      case "queueCleared":
        this.entries = this.entries.filter((entry) => entry.entry === this.current);
        this.#unshuffled = null;
        return true;
      case "selected": this.current = event.entry; return true;
      case "repeatSet": this.repeat = event.repeat; return true;
      case "shuffled":
        this.#unshuffled ??= this.entries.map((entry) => entry.entry);
        this.#reorder(event.order);
        return true;
      case "unshuffled":
        this.#reorder(this.#unshuffled ?? []);
        this.#unshuffled = null;
        return true;
      case "autoAdvanceSet": this.autoAdvance = event.autoAdvance; return true;
      default: return false;
    }
  }

  /**
   * Makes an activity's media current: its entry if there is one, else a new one after the current.
   * @param {Media | undefined} media @param {string | undefined} addedBy
   */
  play(media, addedBy) {
    if (media === undefined) {
      this.current = undefined;
      return;
    }
    const item = itemOf(media);
    const current = this.currentEntry;
    const known = current !== undefined && itemOf(current) === item
      ? current : this.entries.find((entry) => itemOf(entry) === item);
    const entry = { ...media, entry: known?.entry ?? `e${this.#nextNumber}`, addedBy: known === undefined ? addedBy : known.addedBy };
    if (known !== undefined) this.entries[this.entries.indexOf(known)] = entry;
    else this.#insert([entry], this.current);
    this.current = entry.entry;
  }

  /** @param {Entry[]} entries @param {string | undefined} after */
  #insert(entries, after) {
    this.#nextNumber += entries.length;
    this.#put(entries, after);
    this.#unshuffled?.push(...entries.map((entry) => entry.entry));
  }

  /** @param {Entry[]} entries @param {string | undefined} after absent: at the front */
  #put(entries, after) {
    const index = after === undefined ? -1 : this.#index(after);
    this.entries.splice(index + 1, 0, ...entries);
  }

  /** @param {string} id */
  #index(id) { return this.entries.findIndex((entry) => entry.entry === id); }

  /** @param {string[]} order */
  #reorder(order) {
    const known = order.flatMap((id) => this.entries.filter((entry) => entry.entry === id));
    this.entries = known.concat(this.entries.filter((entry) => !order.includes(entry.entry)));
  }
}
