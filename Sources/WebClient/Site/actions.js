// What a click on a message does, besides closing it.

import { readToken } from "./identity.js";
import { parsedURL } from "./message-model.js";

/** @typedef {import("./client.js").Client} Client */

/**
 * A click action, as the protocol has it.
 * @typedef {{type: string, url?: string, inApp?: boolean, name?: string, key?: string,
 *   properties?: Record<string, unknown>, value?: unknown, action?: string,
 *   actions?: ClickAction[]}} ClickAction
 */

/**
 * The place in this page's own server that a deep link leads to. A backslash is a slash to browsers, and so `/\x` is
 * another server. A link with a token would sign the person in as somebody else: only the app's own may do that.
 * @param {string} url @param {string} page the page's own address
 * @returns {URL | null} null if it leads elsewhere, or has a token
 */
export function ownPlace(url, page) {
  const place = url.startsWith("/") ? parsedURL(url, page) : null;
  return place?.origin === new URL(page).origin && readToken(place) === null ? place : null;
}

/**
 * @param {string} url @param {string} page the page's own address
 * @returns {boolean} whether it leads to this page's own server with a token, which only the app may do
 */
export function signsIn(url, page) {
  const place = parsedURL(url, page);
  return place?.origin === new URL(page).origin && readToken(place) !== null;
}

/**
 * Performs an action, if a client can; what only an app can do is its own.
 * @param {ClickAction} action @param {Client} client
 * @returns {ClickAction[]} those that are left to the app
 */
export function perform(action, client) {
  const ask = (/** @type {Promise<unknown> | undefined} */ request) => {
    // A refusal means that the session is over, or the person may not: nothing is left to do.
    request?.catch(() => {});
    return [];
  };
  switch (action.type) {
    case "close": return [];
    case "logEvent":
      client.messages.log(action.name ?? "", action.properties);
      return [];
    case "setAttribute":
      client.messages.setAttributes({ [action.key ?? ""]: action.value });
      return [];
    case "sequence": return (action.actions ?? []).flatMap((one) => perform(one, client));
    case "session": break;
    default: return [action];
  }
  const offered = client.offer?.session;
  if (action.action === "join") return ask(offered === undefined ? undefined : client.join(offered));
  if (action.action === "decline") {
    return ask(offered === undefined ? undefined : client.request("decline", { session: offered }));
  }
  if (action.action === "leave") return ask(client.leave());
  return [action];
}
