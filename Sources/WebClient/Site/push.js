// What the browser shows through its service worker: pushes while no page is open, and notifications while
// nobody sees this one.

import { base64URL } from "./attachments.js";
import { atServer } from "./media.js";

/** @typedef {import("./tray.js").Tray} Tray */

/** Where the server tells its key for pushes. */
const keyPlace = "/.well-known/matinee-push-key";

/** @returns {boolean} whether this browser can be told; only on a secure page */
export function canPush() {
  return globalThis.isSecureContext && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/**
 * The worker, which is told where the server is, unless that has this page.
 * @param {Tray} tray @param {string} language @returns {Promise<ServiceWorkerRegistration>}
 */
function worker({ url }, language) {
  const { href, host, pathname } = new URL(url, location.href);
  const server = host === location.host && pathname === "/ws" ? "" : `&server=${encodeURIComponent(href)}`;
  return navigator.serviceWorker.register(`/service-worker.js?language=${language}${server}`);
}

/** @param {Tray} tray @returns {Promise<string | null>} the server's key; null if it pushes nothing */
export async function serverKey(tray) {
  const answer = await fetch(atServer(tray, keyPlace));
  const key = answer.ok ? (await answer.text()).trim() : "";
  return key === "" ? null : key;
}

/**
 * Whether a subscription is for this key, as far as the browser tells.
 * @param {PushSubscription} subscription @param {string} key @returns {boolean}
 */
function isFor({ options }, key) {
  const own = options?.applicationServerKey;
  return own == null || base64URL(new Uint8Array(own)) === key;
}

/**
 * The browser's subscription for the server's key. One for an earlier key is given up, because push services
 * refuse what is signed with another key.
 * @param {PushManager} pushManager @param {string} key @returns {Promise<PushSubscription>}
 */
async function subscriptionFor(pushManager, key) {
  const subscription = await pushManager.getSubscription();
  if (subscription !== null && isFor(subscription, key)) return subscription;
  await subscription?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/**
 * Registers again what the person allowed before.
 * @param {Tray} tray @param {string} language @returns {Promise<boolean>} whether pushes reach this browser
 */
export async function resumePush(tray, language) {
  if (!canPush() || Notification.permission !== "granted") return false;
  const { pushManager } = await worker(tray, language);
  if (await pushManager.getSubscription() === null) return false;
  const key = await serverKey(tray);
  return key !== null && tray.register((await subscriptionFor(pushManager, key)).toJSON());
}

/** @param {() => void} hear that the browser has replaced its subscription, which the server does not know yet */
export function watchSubscription(hear) {
  navigator.serviceWorker.addEventListener("message", ({ data }) => { if (data?.type === "pushSubscription") hear(); });
}

/**
 * Asks the person, and subscribes.
 * @param {Tray} tray @param {string} language
 * @returns {Promise<"on" | "denied" | "unavailable">}
 */
export async function startPush(tray, language) {
  const key = canPush() ? await serverKey(tray) : null;
  if (key === null) return "unavailable";
  if (await Notification.requestPermission() !== "granted") return "denied";
  const registration = await worker(tray, language);
  await navigator.serviceWorker.ready;
  const subscription = await subscriptionFor(registration.pushManager, key);
  await tray.followGroup(true);
  return await tray.register(subscription.toJSON()) ? "on" : "unavailable";
}

/** @param {Tray} tray */
export async function stopPush(tray) {
  const registration = await navigator.serviceWorker.getRegistration("/");
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await tray.followGroup(false);
  await tray.register(null);
}

/** @param {Record<string, unknown>} message @returns {Promise<boolean>} whether there is a worker that gets it */
async function tellWorker(message) {
  const active = canPush() ? (await navigator.serviceWorker.getRegistration("/"))?.active : null;
  active?.postMessage(message);
  return active != null;
}

/**
 * Lets the worker show what arrives at a hidden page, as it shows pushes.
 * @type {import("./tray.js").Background}
 */
export const background = {
  async show({ payload, notification, at, collapseID }) {
    if (!canPush() || Notification.permission !== "granted") return false;
    return tellWorker({ type: "show", payload: { ...payload, matinee: { notification, at, collapseID } } });
  },
  withdraw: (notifications) => tellWorker({ type: "withdraw", notifications }).catch(() => false),
};
