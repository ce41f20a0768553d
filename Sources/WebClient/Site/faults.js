// Why something did not work, in the person's language.

import { toast } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {import("./texts.js").TextName} TextName */

/**
 * What people can meet, by its code, or by the `reason` of a request that is forbidden. Of anything else the message
 * itself is shown.
 * @type {Map<string, TextName>}
 */
const reasons = new Map([
  ["activityInProgress", "whyInProgress"], ["banned", "whyBanned"], ["sessionFull", "whyFull"], ["forbidden", "whyForbidden"],
  ["forbidden banned", "whyTheyAreBanned"], ["forbidden removed", "whyTheyAreRemoved"],
  ["sessionEnded", "whyOver"], ["sessionOver", "whyOver"], ["notificationOver", "whyOver"], ["invitationOver", "whyOver"],
  ["queueFull", "whyTooMany"], ["tooManyRequests", "whyTooMany"], ["tooManyInvitations", "whyTooMany"],
  ["tooManyTimelines", "whyTooMany"], ["timedOut", "whyLate"], ["busy", "whyBusy"], ["journalUnavailable", "whyBusy"],
]);

/** @param {any} error @returns {TextName | null} what the page says of it */
export function reasonOf(error) {
  const [code, reason] = [error?.code, error?.details?.reason];
  return reasons.get(`${code} ${reason}`) ?? reasons.get(code) ?? null;
}

/** @param {unknown} error @returns {string} that it did not work, and why */
export function faultText(error) {
  const reason = reasonOf(error);
  return text("failed", { why: reason !== null ? text(reason) : error instanceof Error ? error.message : String(error) });
}

/** @param {unknown} error */
export function complain(error) { toast(faultText(error)); }
