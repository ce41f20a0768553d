// Links to groups, and what this browser keeps: the name, the device and the credential.

/** Crockford's base 32: letters and digits that do not look alike. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The group and the key that a link leads to: `/GROUP#KEY`, or `/?group=NAME#KEY` for a name that
 * a file of the server has. What is behind `#` is never sent by a browser.
 * @param {URL | Location} link @returns {{group: string | undefined, key: string | undefined}}
 */
export function readLink(link) {
  const named = new URLSearchParams(link.search).get("group");
  // An empty name is none.
  const group = named || decoded(link.pathname.slice(1)) || undefined;
  // A link of the native protocol may carry the fingerprint of the server's key behind a dot.
  const key = link.hash.startsWith("#token=") ? "" : link.hash.slice(1).split(".")[0];
  return { group, key: key === "" ? undefined : key };
}

/**
 * The token with which an app leads its people here, `/GROUP#token=TOKEN`, and whom it names.
 * @param {{hash: string}} link @returns {{token: string, user: string, name: string} | null}
 */
export function readToken(link) {
  const token = link.hash.startsWith("#token=") ? link.hash.slice(7) : "";
  try {
    const bytes = Uint8Array.from(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const { sub, name = sub } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof sub === "string" && typeof name === "string" ? { token, user: sub, name } : null;
  } catch {
    // What is no token is refused by the server anyway.
    return null;
  }
}

/** @param {string} text of a link or a file's name @returns {string} as it is, if a percent sign in it stands for itself */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string} origin @param {string} group @param {string} [key] @returns {string} */
export function makeLink(origin, group, key) {
  // Names of files have a dot, and so has none of the short form; a path has no backslash.
  const isPlain = !/[./\\]/.test(group) && !["ws", "media", "healthz", "readyz"].includes(group);
  const place = isPlain ? `/${encodeURIComponent(group)}` : `/?group=${encodeURIComponent(group)}`;
  return `${origin}${place}${key === undefined ? "" : `#${key}`}`;
}

/** @param {number} count @returns {string} random letters and digits */
export function randomText(count) {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return [...bytes].map((byte) => alphabet[byte % 32]).join("");
}

/** @returns {string} 128 random bits as the server reads them: two numbers of 13 digits */
export function makeCredential() {
  // The thirteenth digit of 64 bits has only four.
  const half = () => randomText(12) + alphabet[crypto.getRandomValues(new Uint8Array(1))[0] % 16];
  return half() + half();
}

/** How long a page that is loaded again waits for the one before it to let go of its device, in milliseconds. */
const patience = 1_000;

/**
 * Takes a lock for as long as this page lives. A browser has locks only for a secure page; elsewhere all are free.
 * @param {string} name @returns {Promise<boolean>} whether it was free
 */
function hold(name) {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((tell) => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), patience);
    locks.request(name, { signal: waiting.signal }, () => {
      clearTimeout(timer);
      tell(true);
      return new Promise(() => {});
    }).catch((error) => tell(error.name !== "AbortError"));
  });
}

/** What is kept of a page that is loaded again, so that it is the same device to the server. */
export class Identity {
  #server;
  /** @type {Set<string>} the devices that are this page's until it is gone */ #held = new Set();
  /** @param {string} server the server's identity: the page's own host */
  constructor(server = location.host) { this.#server = server; }

  /** @returns {string | null} the name that the person gave last */
  get name() { return localStorage.getItem("matinee.name"); }

  /** @param {string | null} name */
  set name(name) {
    if (name === null) localStorage.removeItem("matinee.name");
    else localStorage.setItem("matinee.name", name);
  }

  /**
   * What proves that this browser is `user`; made once, and shown to this server only.
   * @param {string} user @returns {string}
   */
  credential(user) {
    const place = `matinee.credential.${this.#server}.${user}`;
    const kept = localStorage.getItem(place);
    if (kept !== null) return kept;
    const made = makeCredential();
    localStorage.setItem(place, made);
    return made;
  }

  /**
   * This tab as a device: each tab is one of its own, and the same after it is loaded again. A tab that was
   * duplicated has a copy of what the first one keeps, and is a new device as long as the first one is open.
   * @param {string} user @param {string} group
   * @returns {Promise<{device: string, token: string | undefined}>}
   */
  async device(user, group) {
    const kept = JSON.parse(sessionStorage.getItem("matinee.device") ?? "null");
    const isKept = kept?.user === user && kept.group === group && kept.server === this.#server;
    if (isKept && await this.#hold(kept.device)) return kept;
    const made = `web-${randomText(8)}`;
    await this.#hold(made);
    return { device: made, token: undefined };
  }

  /** @param {string} device @returns {Promise<boolean>} whether no other tab has it */
  async #hold(device) {
    const isHeld = this.#held.has(device) || await hold(`matinee.device.${device}`);
    if (isHeld) this.#held.add(device);
    return isHeld;
  }

  /** @param {{user: string, group: string, device: string, token: string | undefined}} kept */
  keepDevice(kept) {
    try {
      sessionStorage.setItem("matinee.device", JSON.stringify({ ...kept, server: this.#server }));
    } catch {
      // The tab has no more room: a page that is loaded again is another device.
    }
  }

  forgetDevice() { sessionStorage.removeItem("matinee.device"); }
}
