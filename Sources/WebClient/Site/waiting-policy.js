// Whether the others wait for a film that stalls: chosen by those who steer, between two policies.

/** @typedef {import("./mirror.js").WaitingPolicy} WaitingPolicy */

/** The policies with a name in the protocol. */
const named = /** @type {const} */ (["keepGoing", "together"]);
/** Where the person's last choice is kept in this browser. */
const place = "matinee.waiting";

/** What `together` stands for. */
const together = { reasons: ["stallRecovery"], participantLimits: { stallRecovery: 6 }, maximumWait: 30_000_000 };
/** How long a policy waits that does not say it, µs. */
const usualWait = 60_000_000;

/**
 * Until when the people with an item, who are this many, wait for one of them who is suspended.
 *
 * The limit counts from the suspension's start, so that another start does not prolong it.
 * @param {WaitingPolicy | undefined} policy @param {{reason: string, since: number}} suspension @param {number} size
 * @returns {number} an instant; -Infinity if it does not wait
 */
export function waitEnd(policy, { reason, since }, size) {
  if (policy === undefined || policy === "keepGoing") return -Infinity;
  const { reasons, participantLimits, maximumWait = usualWait } = policy === "together" ? together : policy;
  /** @type {Record<string, number>} */ const limits = participantLimits ?? {};
  const waits = reasons?.includes(reason) === true && size <= (limits[reason] ?? Infinity);
  return waits ? since + maximumWait : -Infinity;
}

/** @param {WaitingPolicy | undefined} policy @returns {boolean} whether the others wait for who comes while a film runs */
export function waitsForLateJoiners(policy) {
  return typeof policy === "object" && policy.waitsForLateJoiners === true;
}

/** @param {WaitingPolicy | undefined} policy @returns {"keepGoing" | "together" | "other"} "other" for an app's own */
export function choiceOf(policy) {
  if (policy === undefined) return "keepGoing";
  return typeof policy === "string" ? policy : "other";
}

/** @param {WaitingPolicy} policy that the next session of this person starts with */
export function keepChoice(policy) {
  if (typeof policy === "string") localStorage.setItem(place, policy);
}

/** @returns {import("./activity.js").StartOptions} the server's own until the person has chosen */
export function keptOptions() {
  const kept = localStorage.getItem(place);
  return { waitingPolicy: named.find((policy) => policy === kept) };
}
