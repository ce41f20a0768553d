// Requests, each with exactly one outcome, whatever becomes of the connection.

/** Why a request, a join or a connection failed. */
export class MatineeError extends Error {
  /**
   * @param {string} code the server's, or why the client gives it up: `timedOut`, `forgotten`, `closed`,
   *   `tooManyRequests`, `superseded` or `sessionOver`; `outOfGroup` if the group was closed while it was away
   * @param {string} message for people
   * @param {{field?: string, limit?: number, reason?: string, session?: string, revision?: number,
   *   seq?: number, retryAfter?: number}} [details]
   */
  constructor(code, message, details = {}) {
    super(message);
    this.name = "MatineeError";
    this.code = code;
    this.details = details;
  }

  /** @param {any} line an `error` or a `closing` of the server */
  static of({ type: _type, id: _id, code, message, ...details }) {
    return new MatineeError(code, message, details);
  }
}

/** How many arrays and objects may be in one another within a line's object (Protocol.md, "Lines"). */
const levels = 62;

/**
 * Whether the server can read a value: JavaScript writes numbers without an exponent up to 10²¹, of which the server
 * reads 64 bits, and halves of surrogate pairs, which are no Unicode. What is no number it writes as `null`, which would
 * take a field out of an object of the group.
 * @param {unknown} value of a line's field @param {number} [depth] how many arrays and objects it may have in one another
 * @returns {boolean}
 */
export function isReadable(value, depth = levels) {
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value);
  if (typeof value === "number") {
    // -2⁶³ itself is written with its last digits rounded away from zero.
    if (!Number.isInteger(value)) return Number.isFinite(value);
    return Math.abs(value) >= 1e21 || (value > -(2 ** 63) && value < 2 ** 64);
  }
  if (typeof value === "bigint") return false;
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.entries(value).every(([key, one]) => isReadable(key) && isReadable(one, depth - 1));
}

/**
 * A request whose outcome is pending.
 * @typedef {object} Pending
 * @property {number} id
 * @property {string} type
 * @property {Record<string, unknown>} fields
 * @property {number} deadline a host time, µs
 * @property {boolean} isReturn whether it brings the device back to where it was, so that it is made again until the
 *   server can store it
 * @property {boolean} isNotice whether it tells the server of a person, of the app or of messages, until it can store it
 * @property {boolean} isSent on the current connection
 * @property {boolean} wasSent on any connection, so that the server may know it
 * @property {number | null} sendAt when it is sent again, as the server asked
 * @property {(answer: any) => void} succeed
 * @property {(error: MatineeError) => void} fail
 */

/** The time limit of a request, µs: the server's grace period of 30 s, plus a reconnection. */
export const requestTimeout = 40_000_000;

/** The limit of the app's requests, which leaves room for what has to reach the server. */
const limit = 192;
/** The limit of all requests, as in Swift: the number of answers that a server remembers. */
const ownLimit = 256;

/** The requests only a participant may make; they wait for the join. */
const forParticipants = new Set([
  "end", "setActivity", "send", "setRole", "setReadyToStart", "setControl", "setWaitingPolicy",
  "setDismissalPolicy", "remove", "invite", "revokeInvitations", "transition", "play", "pause",
  "seek", "setRate", "suspend", "endSuspension", "ready", "reportEnd", "insert", "move",
  "removeEntry", "clearQueue", "select", "next", "previous", "setRepeat", "shuffle", "unshuffle",
  "setAutoAdvance", "addAttachment", "addAttachmentPart", "removeAttachment", "loadAttachment",
]);

/**
 * Whether only participants of a session may make this request.
 * @param {string} type
 */
export const isForParticipants = (/** @type {string} */ type) => forParticipants.has(type);

/** The requests that end what is over on this device already. */
const farewells = new Set(["leave", "dismiss", "decline", "leaveGroup"]);

/** The requests that lead into another group, or out of one. */
const moves = new Set(["joinGroup", "leaveGroup"]);

/** @param {string} type @returns {boolean} whether it leaves a session or an offer, and not the whole group */
export const isParting = (type) => farewells.has(type) && !moves.has(type);

/** The requests that lead into a session or a group; whoever comes back has left first. */
const entries = new Set(["activate", "join", "joinGroup", "answerInvitation"]);

/**
 * Whether it brings this device into a session or a group; accepting an invitation does, from a notification too.
 * @param {Pending} one
 */
const isEntry = ({ type, fields }) => entries.has(type)
  || (type === "reportNotification" && fields.action === "ACCEPT_IDENTIFIER");

/** The requests that are made again until the server can store them: farewells, and what others wait for. */
const untilStored = new Set([...farewells, "transition", "ready", "reportEnd", "endSuspension"]);

/** @param {Pending} one @returns {boolean} whether it is made again until the server can store it */
const isUntilStored = (one) => one.isReturn || one.isNotice || untilStored.has(one.type);

/**
 * Whether a request takes the device out of a session, alone or together with its group.
 * @param {Pending} one @param {unknown} session
 */
const leavesSession = (one, session) =>
  one.type === "leaveGroup" || (farewells.has(one.type) && one.fields.session === session);

/**
 * Whether a newer request makes this one useless: only the last transition counts, and a device does not return to
 * the session or the group that the person has left since.
 * @param {Pending} one @param {Pending} newer
 */
const isSuperseded = (one, newer) => {
  if (newer.id <= one.id) return false;
  if (one.type === "transition") return newer.type === "transition";
  return one.isReturn && (one.type === "join" ? leavesSession(newer, one.fields.session) : moves.has(newer.type));
};

/**
 * Whether a farewell that could not be stored is of no use, since the device is back.
 * @param {Pending} one @param {Pending} entry which was granted
 * @param {{session?: unknown}} answer which names the session that an invitation leads to
 */
const isTakenBack = (one, entry, { session = entry.fields.session }) => one.sendAt !== null
  && (entry.type === "joinGroup" ? one.type === "leaveGroup"
    : farewells.has(one.type) && one.fields.session !== undefined && one.fields.session === session);

/**
 * How long to wait before a request is made again; `undefined` if it is not.
 * @param {Pending} one @param {any} line
 */
const patience = (one, line) => {
  const isTemporary = line.code === "rateLimited"
    || (isUntilStored(one) && ["journalUnavailable", "busy"].includes(line.code));
  return isTemporary ? line.retryAfter : undefined;
};

/** The pending requests, in the order they were made. */
export class PendingRequests {
  /** @type {Pending[]} */ #all = [];
  // A page that is loaded again is the same device, so its numbers go on from those before.
  #nextID = Date.now();

  /**
   * @param {string} type @param {Record<string, unknown>} fields @param {number} deadline
   * @param {boolean} [isReturn] whether it brings the device back to where it was
   * @param {boolean} [isNotice] whether it tells the server of a person, of the app or of messages
   * @returns {Promise<any>} the answer; fails with a MatineeError
   */
  add(type, fields, deadline, isReturn = false, isNotice = false) {
    return new Promise((succeed, fail) => {
      const added = {
        id: this.#nextID, type, fields, deadline, isReturn, isNotice, isSent: false, wasSent: false, sendAt: null,
        succeed, fail };
      const most = isUntilStored(added) ? ownLimit : limit;
      if (this.#all.length >= most) {
        return fail(new MatineeError("tooManyRequests", `more than ${most} requests wait`));
      }
      this.#nextID += 1;
      this.#remove((one) => (one.sendAt !== null || !one.wasSent) && isSuperseded(one, added),
        new MatineeError("superseded", "a newer request replaces it"));
      this.#all.push(added);
    });
  }

  /** @returns {number | null} when something here is due */
  get nextDeadline() {
    const all = this.#all.map((one) => Math.min(one.deadline, one.sendAt ?? one.deadline));
    return all.length === 0 ? null : Math.min(...all);
  }

  /** @param {(one: Pending) => boolean} mayGo @returns {Pending[]} those to send now, marked so */
  takeSendable(mayGo) {
    const isLeaving = this.#all.some((one) => one.sendAt !== null && farewells.has(one.type));
    const ready = this.#all.filter((one) => !one.isSent && one.sendAt === null && mayGo(one)
      && !(isLeaving && isEntry(one)));
    for (const one of ready) one.isSent = one.wasSent = true;
    return ready;
  }

  /** @param {any} line which answers one of them */
  answer(line) {
    const index = this.#all.findIndex((one) => one.id === line.id);
    if (index < 0) return;
    const one = this.#all.splice(index, 1)[0];
    if (isEntry(one)) {
      this.#remove((other) => isTakenBack(other, one, line), new MatineeError("superseded", "the device is back"));
    }
    one.succeed(line);
  }

  /** @param {any} line an error @param {number} now */
  refuse(line, now) {
    const one = this.#all.find((other) => other.id === line.id);
    if (one === undefined) return;
    const wait = this.#all.some((other) => isSuperseded(one, other)) ? undefined : patience(one, line);
    // At its deadline, one that has to be stored has timed out, so that whoever made it makes it anew.
    if (wait !== undefined && (now + wait < one.deadline || isUntilStored(one))) {
      [one.isSent, one.sendAt] = [false, now + wait];
      return;
    }
    this.#remove((other) => other === one, MatineeError.of(line));
  }

  /** @param {string} session @returns {boolean} whether the server has not said yet that this device has left it */
  isLeaving(session) {
    return this.#all.some((one) => leavesSession(one, session));
  }

  /** @param {number} now fails those that are overdue, and frees those that were put off */
  tick(now) {
    const isLate = new MatineeError("timedOut", "no answer came in time");
    // Of equal ones the first, so that they do not take all room while the device is away.
    const isFirst = (/** @type {Pending} */ one) =>
      one === this.#all.find(({ type, fields }) => type === one.type && fields.session === one.fields.session);
    for (const one of this.#all.filter((one) => one.deadline <= now && farewells.has(one.type) && isFirst(one))) {
      one.fail(isLate);
      // The device has left all the same, and the server has to know some time.
      one.deadline = now + requestTimeout;
    }
    this.#remove((one) => one.deadline <= now, isLate);
    for (const one of this.#all) if (one.sendAt !== null && one.sendAt <= now) one.sendAt = null;
  }

  /** Marks all to be sent again, since the connection is gone. */
  markUnsent() {
    for (const one of this.#all) [one.isSent, one.sendAt] = [false, null];
  }

  /** @param {MatineeError} error @param {(one: Pending) => boolean} [isMeant] */
  failAll(error, isMeant = () => true) { this.#remove(isMeant, error); }

  /** @param {(one: Pending) => boolean} isMeant @param {MatineeError} error */
  #remove(isMeant, error) {
    const gone = this.#all.filter(isMeant);
    if (gone.length === 0) return;
    this.#all = this.#all.filter((one) => !gone.includes(one));
    for (const one of gone) one.fail(error);
  }
}
