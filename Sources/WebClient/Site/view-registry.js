// Which view shows a message: the app's choice, the campaign's, the kind's, or the usual one.

/** @typedef {import("./message-faults.js").Schema} Schema */

/** The views that come along, by the names that campaigns give in `view_type`. */
const shipped = {
  video: { fields: [{ key: "video_url", type: "video" }, { key: "video_title", type: "text", optional: true }] },
  picker: { fields: [{ key: "attribute_key", type: "text", optional: true }], items: "exact" },
  table_list: { fields: [{ key: "attribute_key", type: "text", optional: true }], items: "exact" },
  permission: { asksForPush: true },
  // A session's player, as the app's own page has it.
  session: {},
};

/**
 * The views there are. One for a kind of message changes nothing for the others.
 */
export class ViewRegistry {
  /** @type {Map<string, Schema>} */
  #schemas = new Map(/** @type {[string, Schema][]} */ (Object.entries(shipped)));
  /** @type {Map<string, string>} */ #kinds = new Map();
  /** Whether a message for which no view is registered is refused, not shown in the usual one. */
  isStrict = false;

  /** @param {string} name @param {Schema} [schema] what the view needs of a message */
  register(name, schema = {}) { this.#schemas.set(name, schema); }

  /**
   * Makes a view the one for a kind of messages; null restores the usual one.
   * @param {string | null} name @param {string} kind
   */
  use(name, kind) {
    if (name === null) return void this.#kinds.delete(kind);
    if (!this.#schemas.has(name)) throw new RangeError(`no view is registered as ${name}; register it before it is used`);
    this.#kinds.set(kind, name);
  }

  /** @param {string} view @returns {Schema} */
  schemaOf(view) { return this.#schemas.get(view) ?? {}; }

  /**
   * @param {{message: import("./message-model.js").InAppMessage, viewType?: string}} context
   * @returns {{view: string | null, unknown?: string}} none, if a strict registry has none
   */
  choose({ message, viewType }) {
    const named = message.extras.view_type;
    const asked = viewType ?? (typeof named === "string" ? named : undefined);
    const byKind = this.#kinds.get(message.kind);
    // The first one named decides: an unknown name is a mistake, and the next one is not tried.
    if (asked !== undefined) {
      if (this.#schemas.has(asked) || asked === "default") return { view: asked };
      return { view: this.isStrict ? null : byKind ?? "default", unknown: asked };
    }
    if (byKind !== undefined) return { view: byKind };
    return this.isStrict ? { view: null, unknown: message.kind } : { view: "default" };
  }
}
