// What a person may do about another one, by the table of rights.

/**
 * @typedef {import("./mirror.js").Participant} Participant
 * @typedef {{key: import("./texts.js").TextName, type: string, fields: Record<string, unknown>, isGrave?: boolean}} Deed
 */

const roles = /** @type {const} */ (["host", "coHost", "guest", "listener"]);
/** @type {Record<Participant["role"], import("./texts.js").TextName>} */
const names = { host: "makeHost", coHost: "makeCoHost", guest: "makeGuest", listener: "makeListener" };

/**
 * The requests about a participant that this one may make.
 * @param {Participant} own @param {Participant} other
 * @returns {Deed[]}
 */
export function deedsAbout(own, other) {
  const participant = other.participant;
  const isSelf = own.participant === participant;
  const mayRemove = own.role === "host" || (own.role === "coHost" && ["guest", "listener"].includes(other.role));
  return [
    ...(own.role !== "host" ? [] : roles.filter((role) => role !== other.role).map((role) => (
      { key: names[role], type: "setRole", fields: { participant, role } }))),
    ...(isSelf || !mayRemove ? [] : [
      { key: /** @type {const} */ ("removeFromSession"), type: "remove", fields: { participant }, isGrave: true },
      { key: /** @type {const} */ ("ban"), type: "remove", fields: { participant, ban: true }, isGrave: true }]),
  ];
}

/**
 * Inviting a member who does not take part.
 * @param {Participant | undefined} own @param {boolean} mayControl @param {string} user
 * @returns {Deed[]}
 */
export function deedsAside(own, mayControl, user) {
  if (own === undefined || own.user === user || !mayControl) return [];
  return [{ key: "inviteToSession", type: "invite", fields: { users: [user] } }];
}

/**
 * Removing a person for good, with all their devices: for the founder of a group with a key.
 * @param {{founder: string, hasKey: boolean}} group @param {string | undefined} own @param {string} user
 * @returns {Deed[]}
 */
export function deedsInGroup({ founder, hasKey }, own, user) {
  if (!hasKey || own !== founder || user === own) return [];
  return [{ key: "removeForGood", type: "removeUser", fields: { user }, isGrave: true }];
}
