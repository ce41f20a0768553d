// The group that this device is in, and whether it may start a session there.

import { GroupMirror } from "./mirror.js";
import { MatineeError } from "./requests.js";

/** @typedef {{eligible: boolean, reason: string}} Eligibility */

/**
 * Joins and leaves a group, and mirrors it. It tells `group`, `groupKey`, `eligibility`, and `refused` when
 * the group does not take the device back.
 */
export class Membership {
  #connection;
  #tell;
  /** @type {{group: string, key: string | undefined} | null} to join after each welcome */ #wanted = null;
  /** @type {object | null} the newest joining that was asked for; null once a leaving was */ #newest = null;
  /** @type {GroupMirror | null} */ #group = null;
  /** Whether a leaving is under way: until the server has said so, the device is in the group. */ #isLeaving = false;
  /** @type {string | null} */ #key = null;
  /** @type {Eligibility} */ #eligibility = { eligible: false, reason: "notConnected" };

  /**
   * @param {import("./connection.js").Connection} connection
   * @param {import("./client-events.js").Tell} tell
   */
  constructor(connection, tell) {
    this.#connection = connection;
    this.#tell = tell;
  }

  get group() { return this.#group; }
  get key() { return this.#key; }
  get eligibility() { return this.#eligibility; }
  /** Whether the device joins its group again after a welcome that knows nothing of it. */
  get isWanted() { return this.#wanted !== null; }

  /**
   * @param {string} group @param {string} [key]
   * @param {{isPatient?: boolean}} [options] whether it is asked again until the server answers, and can store it
   * @returns {Promise<any>}
   */
  async join(group, key, options) {
    if (this.#group?.id === group && !this.#isLeaving) return undefined;
    const wish = { group, key };
    // Even if this fails, the device does not return to the group that the person has left.
    [this.#wanted, this.#newest] = [null, wish];
    if (this.#group !== null && !this.#isLeaving) await this.#connection.request("leaveGroup");
    const answer = await this.#ask(wish, options?.isPatient === true);
    // A newer joining or leaving decides what is wanted.
    if (this.#newest === wish) [this.#wanted, this.#isLeaving] = [wish, false];
    return answer;
  }

  /** @param {{group: string, key: string | undefined}} wish @param {boolean} isPatient @returns {Promise<any>} */
  async #ask(wish, isPatient) {
    try {
      return await (isPatient ? this.#connection.requestReturn("joinGroup", wish)
        : this.#connection.request("joinGroup", wish));
    } catch (error) {
      const isLate = error instanceof MatineeError && error.code === "timedOut";
      // A newer joining or leaving decides what is wanted.
      if (!isLate || !isPatient || this.#newest !== wish) throw error;
    }
    // The time limit of the request is the pause between two attempts.
    return this.#ask(wish, isPatient);
  }

  async leave() {
    [this.#wanted, this.#newest] = [null, null];
    this.#isLeaving = true;
    try {
      await this.#connection.request("leaveGroup");
      if (this.#group === null) this.#isLeaving = false;
    } catch (error) {
      // A leaving without an answer in time is asked again.
      if (!(error instanceof MatineeError && error.code === "timedOut")) this.#isLeaving = false;
      throw error;
    }
  }

  /** Joins the wanted group again, because the server no longer knows the device. */
  rejoin() {
    const wish = this.#wanted;
    if (wish === null) return;
    this.#connection.requestReturn("joinGroup", wish).catch((error) => {
      // A newer joining or leaving decides what is wanted.
      if (this.#wanted !== wish) return;
      // The next welcome asks again.
      if (error.code === "forgotten" || error.code === "closed") return;
      // The time limit of the request is the pause between two attempts.
      if (error.code === "timedOut") return this.rejoin();
      this.forget();
      if (error.code !== "superseded") this.#tell("refused", error);
    });
  }

  /** The server knows the device as no member any more. */
  forget() {
    this.#wanted = null;
    this.#set(null);
  }

  /** The server has lost the device; what the person wants stays. */
  lose() { this.#set(null); }

  /** Without a connection nobody may start anything. */
  disconnect() { this.#setEligibility({ eligible: false, reason: "notConnected" }, false); }

  /**
   * @param {any} line from the server
   * @param {boolean} isInSession whether the device takes part in a session of the group
   */
  hear(line, isInSession) {
    switch (line.type) {
      case "group": return this.#set(new GroupMirror(line));
      case "groupEvent": return this.#hearEvent(line);
      case "groupKey":
        this.#key = line.key;
        return this.#tell("groupKey", line.key);
      case "eligibility":
        // A visitor is removed without an event of the group, because a visitor is no member.
        return this.#setEligibility(line, line.reason === "notInGroup" && !isInSession && !this.#isListed);
    }
  }

  /** Whether the group lists this device, or there is no group that could. */
  get #isListed() { return this.#group === null || this.#group.members.has(this.#connection.welcome?.device); }

  /** @param {any} line */
  #hearEvent(line) {
    const group = this.#group;
    if (group === null || group.id !== line.group || line.seq <= group.seq) return;
    if (line.seq !== group.seq + 1) return this.#connection.drop("events of the group are missing");
    group.evolve(line);
    const isOver = line.event === "closed"
      || (line.event === "memberLeft" && line.device === this.#connection.welcome?.device);
    if (isOver) this.forget();
    else this.#set(group);
  }

  /** @param {GroupMirror | null} group */
  #set(group) {
    this.#group = group;
    if (group === null) [this.#key, this.#isLeaving] = [null, false];
    this.#tell("group", group);
  }

  /** @param {{eligible: boolean, reason?: string}} eligibility @param {boolean} isOut whether it is out of the group, too */
  #setEligibility({ eligible, reason = "" }, isOut) {
    this.#eligibility = { eligible, reason };
    if (isOut) this.#set(null);
    this.#tell("eligibility", this.#eligibility);
  }
}
