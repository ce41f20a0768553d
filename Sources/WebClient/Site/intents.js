// What a person asks of the film, and when the server takes it.

import { isForParticipants } from "./requests.js";

/**
 * What a person asks; whoever sees no frame of the film pauses it without a position.
 * @typedef {import("./follower-state.js").Intent | {kind: "pause", position?: undefined}} Wish
 */

/** Requests that the server takes only from those who have the item open. */
const steering = new Set(["play", "pause", "seek", "setRate"]);

/**
 * Asks it of the group, or of this player alone while that does not follow the group.
 * @param {import("./client.js").Client} client @param {Wish} intent
 * @returns {Promise<any>}
 */
export async function steer(client, intent) {
  if (client.player?.isLocal) return client.player.obey(intent);
  const item = client.session?.item;
  if (intent.kind === "setRate") return client.request("setRate", { item, rate: intent.rate });
  if (intent.kind === "play") return client.request("play", { item });
  return client.request(intent.kind, { item, mediaTime: intent.position });
}

/**
 * Whether the server takes a request now; if not, it is sent later.
 * @param {import("./requests.js").Pending} request
 * @param {import("./client.js").Client} client
 */
export function maySend({ type, fields }, { session, player }) {
  // The server knows a participant only once the join is done.
  if (isForParticipants(type) && session === null) return false;
  if (!steering.has(type) || session === null || player === null) return true;
  // It takes commands to an item only from those who have it open.
  return session.isOpen(/** @type {string} */ (fields.item)) || fields.item !== session.item;
}
