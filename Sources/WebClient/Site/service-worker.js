// Shows what the server pushes while no page is open, and what a hidden page lets it show, and answers from
// there. A classic script: not every browser runs modules in a service worker. It keeps nothing and serves
// nothing from a cache.
"use strict";

(() => {
  /** @type {any} the worker's global scope, which the page's types do not have */
  const worker = self;
  const options = new URLSearchParams(worker.location.search);
  const isGerman = options.get("language") === "de";
  /** The server's WebSocket, which the page names if another server has this page. */
  const server = options.get("server") ?? `${worker.location.origin.replace("http", "ws")}/ws`;
  const words = isGerman ? { invites: "lädt dich zum Mitschauen ein", accept: "Mitschauen", decline: "Jetzt nicht", failed: "Das ging nicht.",
    again: "Öffne Matinee einmal, damit es dir weiter Einladungen melden kann.",
    over: "Nicht mehr aktuell.", earlierIsOver: "Eine frühere Mitteilung ist nicht mehr aktuell." }
    : { invites: "invites you to watch together", accept: "Watch along", decline: "Not now", failed: "That did not work.",
      again: "Open Matinee once, so that it can go on telling you of invitations.",
      over: "No longer current.", earlierIsOver: "An earlier notification is no longer current." };
  const look = { icon: "/icon-192.png", lang: isGerman ? "de" : "en" };
  /** How long an answer may take, in milliseconds: browsers stop a worker after half a minute. */
  const patience = 15_000;

  /**
   * Where a tap leads: to the sender's `url`, if that is on this origin, or else to the group's page. A fragment
   * may hold a key or a token, and those come from no notification.
   * @param {any} payload @returns {string} a URL
   */
  function placeOf({ url, aps }) {
    const { origin } = worker.location;
    const group = aps["thread-id"];
    try {
      const place = new URL(url, origin);
      if (typeof url === "string" && place.origin === origin && place.protocol.startsWith("http")) {
        place.hash = "";
        return place.href;
      }
    } catch { /* An app's own word, which is no place. */ }
    return group === undefined ? "/" : pathOf(group);
  }

  /** @param {any} alert @returns {string} what it says below its title */
  function textOf(alert) {
    return typeof alert === "string" ? alert : [alert.subtitle, alert.body].filter((line) => line).join("\n");
  }

  /** @param {any} payload @returns {any} what the browser shows, with the payload for the click */
  function optionsOf(payload) {
    const { aps, matinee } = payload;
    const isInvitation = aps.category === "GROUP_WATCH_INVITE" && typeof payload.token === "string";
    return {
      body: isInvitation && payload.from !== undefined ? `${payload.from} ${words.invites}` : textOf(aps.alert),
      // A later one with the same tag takes its place.
      tag: matinee?.collapseID ?? matinee?.notification,
      ...look, silent: aps.sound === undefined ? true : undefined,
      timestamp: matinee?.at === undefined ? undefined : matinee.at / 1000,
      data: { notification: matinee?.notification, place: placeOf(payload), token: payload.token },
      actions: isInvitation ? [{ action: "accepted", title: words.accept }, { action: "declined", title: words.decline }] : [],
    };
  }

  /** @param {any} payload with something to show @returns {Promise<void>} */
  function show(payload) {
    const { alert } = payload.aps;
    const title = typeof alert === "object" && typeof alert.title === "string" ? alert.title : "Matinee";
    return worker.registration.showNotification(title, optionsOf(payload));
  }

  /** @param {unknown} notifications @returns {Promise<any[]>} those of them that are on screen */
  async function shown(notifications) {
    if (!Array.isArray(notifications)) return [];
    const all = await worker.registration.getNotifications();
    return all.filter((/** @type {any} */ one) => notifications.includes(one.data?.notification));
  }

  /** @param {unknown} notifications */
  async function withdraw(notifications) {
    for (const one of await shown(notifications)) one.close();
  }

  /**
   * Says without a sound that something is over.
   * @param {string} title @param {string} body @param {string} tag of what it replaces @param {string} [place]
   */
  function end(title, body, tag, place) {
    return worker.registration.showNotification(title, { ...look, body, tag, silent: true, data: { place } });
  }

  /**
   * Shows something for every push, because browsers punish a worker that shows nothing: Safari ends the
   * subscription, Chrome adds a line of its own. So a line takes the place of what is withdrawn.
   * @param {any} payload of a push: what Apple's devices get, too
   */
  async function hear(payload) {
    if (payload?.aps?.alert != null) {
      await withdraw(payload.revoke);
      return show(payload);
    }
    const over = await shown(payload?.revoke);
    for (const { title, tag, data } of over) await end(title, words.over, tag, data.place);
    if (over.length === 0) await end("Matinee", words.earlierIsOver, "earlierIsOver");
  }

  /** The page's last message, which the next one waits for: a notification has the tag of the one it replaces. */
  let heeded = Promise.resolve();

  /** @param {any} message of a page that nobody sees: what to show, or what is over */
  function heed({ type, payload, notifications }) {
    const act = async () => {
      if (type === "show") await show(payload);
      if (type === "withdraw") await withdraw(notifications);
    };
    heeded = heeded.then(act, act);
    return heeded;
  }

  /**
   * Answers an invitation by its token, which needs no hello: over a connection for this one line.
   * @param {string} token @param {string} answer @returns {Promise<any>} the server's answer
   */
  function say(token, answer) {
    return new Promise((succeed, fail) => {
      const socket = new WebSocket(server);
      const timer = setTimeout(() => socket.close(), patience);
      socket.onopen = () => socket.send(JSON.stringify({ type: "answerInvitation", id: 1, token, answer }));
      socket.onmessage = ({ data }) => {
        const line = JSON.parse(data);
        if (line.id !== 1) return;
        succeed(line);
        socket.close();
      };
      socket.onclose = () => {
        clearTimeout(timer);
        fail(new Error("no answer"));
      };
    });
  }

  /** @returns {Promise<any[]>} the pages that are open */
  function pages() { return worker.clients.matchAll({ type: "window", includeUncontrolled: true }); }

  /** @param {string} group @returns {string} the path of its page, by the rule of `makeLink` in identity.js */
  function pathOf(group) {
    const isPlain = !/[./\\]/.test(group) && !["ws", "media", "healthz", "readyz"].includes(group);
    return `${isPlain ? "/" : "/?group="}${encodeURIComponent(group)}`;
  }

  /** @param {string} place opens its page, or brings it to the front */
  async function open(place) {
    const opened = await pages();
    const { href } = new URL(place, worker.location.origin);
    const there = opened.find((page) => page.url.split("#")[0] === href)
      ?? (place === "/" ? opened[0] : undefined);
    return there === undefined ? worker.clients.openWindow(place) : there.focus();
  }

  /** @param {any} notification @param {string} action of its button; empty for a tap on itself */
  async function respond({ data, title, close }, action) {
    close();
    if (action !== "declined") await open(data?.place ?? "/").catch(() => {});
    if (action === "" || data?.token === undefined) return;
    const line = await say(data.token, action).catch(() => ({ type: "error" }));
    // What was answered elsewhere, or is over, needs no further word.
    const isOver = ["invitationAnswered", "invitationOver", "sessionEnded", "unknownSession"].includes(line.code);
    if (line.type === "error" && !isOver) {
      await worker.registration.showNotification(title, { ...look, body: words.failed, tag: data.notification, data });
    }
  }

  /**
   * Subscribes again after the browser has given its subscription up. The server takes the new one from a
   * person that it knows: from a page that is open, or else from the next one.
   * @param {any} replacement of the browser's own; none in most
   */
  async function renew(replacement) {
    if (!replacement) {
      const place = new URL("./.well-known/matinee-push-key", server.replace(/^ws/, "http"));
      const key = (await (await fetch(place)).text()).trim();
      if (key === "") return;
      await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    }
    const opened = await pages();
    for (const page of opened) page.postMessage({ type: "pushSubscription" });
    if (opened.length > 0) return;
    await worker.registration.showNotification("Matinee", { ...look, body: words.again, tag: "pushSubscription" });
  }

  worker.addEventListener("install", () => worker.skipWaiting());
  worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener("push", (/** @type {any} */ event) => {
    event.waitUntil(hear(event.data?.json()));
  });
  worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(heed(event.data)));
  worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event.newSubscription)));
  worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    const shown = event.notification;
    event.waitUntil(respond({ data: shown.data, title: shown.title, close: () => shown.close() }, event.action));
  });
})();
