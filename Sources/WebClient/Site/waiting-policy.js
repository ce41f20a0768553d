// Whether the others wait for a film that stalls: chosen by those who steer, between two policies.

/** @typedef {import("./mirror.js").WaitingPolicy} WaitingPolicy */

/** The policies with a name in the protocol. */
const named = /** @type {const} */ (["keepGoing", "together"]);
/** Where the person's last choice is kept in this browser. */
const place = "matinee.waiting";

/** The largest group that `together` waits in. */
const largestTogether = 6;

/**
 * Whether a group of this size waits for somebody who is suspended for this reason.
 * @param {WaitingPolicy | undefined} policy @param {string} reason @param {number} size
 */
export function waitsFor(policy, reason, size) {
  if (policy === undefined || policy === "keepGoing") return false;
  if (policy === "together") return reason === "stallRecovery" && size <= largestTogether;
  return policy.reasons?.includes(reason) === true && size <= (policy.participantLimits?.[reason] ?? Infinity);
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
