// What a session is started with.

import { decoded } from "./identity.js";

/**
 * @typedef {import("./mirror.js").Activity} Activity
 * @typedef {import("./mirror.js").WaitingPolicy} WaitingPolicy
 * @typedef {import("./queue.js").Media} Media
 * @typedef {{waitingPolicy?: WaitingPolicy}} StartOptions
 *   `waitingPolicy`: when the others wait for a suspended participant; never, if absent
 */

/** @param {Media} media @returns {Activity} watching it together */
export function activityOf(media) {
  const title = media.title ?? decoded(media.url.split("/").pop() ?? media.url);
  return { type: "watch", metadata: { title, kind: "watchTogether" }, media };
}

/**
 * The fields of `activate`: whoever finds no named place watches along, too.
 * @param {Media} media @param {StartOptions} [options]
 */
export function activationOf(media, options = {}) {
  return { activity: activityOf(media), audience: true, waitingPolicy: options.waitingPolicy };
}
