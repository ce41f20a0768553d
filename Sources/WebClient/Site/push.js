// Web Push: the browser tells of invitations while no page is open.

/** @typedef {import("./tray.js").Tray} Tray */

/** Where the server tells its key for pushes. */
const keyPlace = "/.well-known/matinee-push-key";

/** @returns {boolean} whether this browser can be told; only on a secure page */
export function canPush() {
  return globalThis.isSecureContext && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/** @param {string} language @returns {Promise<ServiceWorkerRegistration>} */
function worker(language) { return navigator.serviceWorker.register(`/service-worker.js?language=${language}`); }

/** @returns {Promise<string | null>} the server's key; null if it pushes nothing */
export async function serverKey() {
  const answer = await fetch(keyPlace);
  const key = answer.ok ? (await answer.text()).trim() : "";
  return key === "" ? null : key;
}

/**
 * Registers again what the person allowed before.
 * @param {Tray} tray @param {string} language @returns {Promise<boolean>} whether pushes reach this browser
 */
export async function resumePush(tray, language) {
  if (!canPush() || Notification.permission !== "granted") return false;
  const subscription = await (await worker(language)).pushManager.getSubscription();
  if (subscription === null) return false;
  return tray.register(subscription.toJSON());
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
  const key = canPush() ? await serverKey() : null;
  if (key === null) return "unavailable";
  if (await Notification.requestPermission() !== "granted") return "denied";
  const registration = await worker(language);
  await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
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
