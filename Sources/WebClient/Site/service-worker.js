// Shows what the server pushes while no page is open, and answers from there. A classic script: not
// every browser runs modules in a service worker. It keeps nothing and serves nothing from a cache.
"use strict";

(() => {
  /** @type {any} the worker's global scope, which the page's types do not have */
  const worker = self;
  const isGerman = new URLSearchParams(worker.location.search).get("language") === "de";
  const words = isGerman ? { invites: "lädt dich zum Mitschauen ein", accept: "Mitschauen", decline: "Jetzt nicht", failed: "Das ging nicht.",
    again: "Öffne Matinee einmal, damit es dir weiter Einladungen melden kann." }
    : { invites: "invites you to watch together", accept: "Watch along", decline: "Not now", failed: "That did not work.",
      again: "Open Matinee once, so that it can go on telling you of invitations." };
  /** How long an answer may take, in milliseconds: browsers stop a worker after half a minute. */
  const patience = 15_000;

  /** @param {any} payload @returns {any} what the browser shows, with the payload for the click */
  function optionsOf(payload) {
    const { aps, matinee } = payload;
    const isInvitation = aps.category === "GROUP_WATCH_INVITE" && typeof payload.token === "string";
    return {
      body: isInvitation && payload.from !== undefined ? `${payload.from} ${words.invites}` : aps.alert.body ?? (typeof aps.alert === "string" ? aps.alert : ""),
      // A later one with the same tag takes its place.
      tag: matinee?.collapseID ?? matinee?.notification,
      icon: "/icon-192.png", lang: isGerman ? "de" : "en", silent: aps.sound === undefined ? true : undefined,
      timestamp: matinee?.at === undefined ? undefined : matinee.at / 1000,
      data: { notification: matinee?.notification, group: aps["thread-id"], token: payload.token },
      actions: isInvitation ? [{ action: "accepted", title: words.accept }, { action: "declined", title: words.decline }] : [],
    };
  }

  /** @param {string[]} revoked */
  async function withdraw(revoked) {
    for (const one of await worker.registration.getNotifications()) {
      if (revoked.includes(one.data?.notification)) one.close();
    }
  }

  /** @param {any} payload of a push: what Apple's devices get, too */
  async function hear(payload) {
    if (Array.isArray(payload?.revoke)) await withdraw(payload.revoke);
    const alert = payload?.aps?.alert;
    if (alert === undefined || alert === null) return;
    const title = typeof alert === "object" && typeof alert.title === "string" ? alert.title : "Matinee";
    await worker.registration.showNotification(title, optionsOf(payload));
  }

  /**
   * Answers an invitation by its token, which needs no hello: over a connection for this one line.
   * @param {string} token @param {string} answer @returns {Promise<any>} the server's answer
   */
  function say(token, answer) {
    return new Promise((succeed, fail) => {
      const scheme = worker.location.protocol === "https:" ? "wss" : "ws";
      const socket = new WebSocket(`${scheme}://${worker.location.host}/ws`);
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
    const isPlain = !/[./]/.test(group) && !["ws", "media", "healthz", "readyz"].includes(group);
    return `${isPlain ? "/" : "/?group="}${encodeURIComponent(group)}`;
  }

  /** @param {string | undefined} group opens its page, or brings it to the front */
  async function open(group) {
    const place = group === undefined ? "/" : pathOf(group);
    const opened = await pages();
    const there = opened.find((page) => page.url.slice(worker.location.origin.length).split("#")[0] === place)
      ?? (group === undefined ? opened[0] : undefined);
    return there === undefined ? worker.clients.openWindow(place) : there.focus();
  }

  /** @param {any} notification @param {string} action of its button; empty for a tap on itself */
  async function respond({ data, title, close }, action) {
    close();
    if (action !== "declined") await open(data?.group).catch(() => {});
    if (action === "" || data?.token === undefined) return;
    const line = await say(data.token, action).catch(() => ({ type: "error" }));
    // What was answered elsewhere, or is over, needs no further word.
    const isOver = ["invitationAnswered", "invitationOver", "sessionEnded", "unknownSession"].includes(line.code);
    if (line.type === "error" && !isOver) {
      await worker.registration.showNotification(title, { body: words.failed, tag: data.notification, icon: "/icon-192.png", data });
    }
  }

  /**
   * Subscribes again after the browser has given its subscription up. The server takes the new one from a
   * person that it knows: from a page that is open, or else from the next one.
   * @param {any} replacement of the browser's own; none in most
   */
  async function renew(replacement) {
    if (!replacement) {
      const key = (await (await fetch("/.well-known/matinee-push-key")).text()).trim();
      if (key === "") return;
      await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    }
    const opened = await pages();
    for (const page of opened) page.postMessage({ type: "pushSubscription" });
    if (opened.length > 0) return;
    await worker.registration.showNotification("Matinee", { body: words.again, tag: "pushSubscription", icon: "/icon-192.png" });
  }

  worker.addEventListener("install", () => worker.skipWaiting());
  worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener("push", (/** @type {any} */ event) => {
    if (event.data !== null) event.waitUntil(hear(event.data.json()));
  });
  worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event.newSubscription)));
  worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    const shown = event.notification;
    event.waitUntil(respond({ data: shown.data, title: shown.title, close: () => shown.close() }, event.action));
  });
})();
