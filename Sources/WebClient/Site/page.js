// The page: a person, a group, and what they watch. It is written with matinee.js, as an app would be.

import { followArrows } from "./arrows.js";
import { toast } from "./dom.js";
import { complain, faultText } from "./faults.js";
import { ownPlace, signsIn } from "./actions.js";
import { Identity, makeLink, readLink, readToken } from "./identity.js";
import { OwnCopies, needsCopy } from "./own-file.js";
import { language, text } from "./texts.js";
import { askPairing, showCode } from "./pairing.js";
import { applyTheme, soundDelay } from "./settings-view.js";
import { WelcomeView } from "./welcome-view.js";

/** @typedef {import("./client.js").Client} Client */

const identity = new Identity();
const link = readLink(location);
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
let token = takeToken();
const tray = /** @type {import("./tray-view.js").TrayView} */ (document.querySelector("m-tray"));
const settings = /** @type {import("./settings-view.js").SettingsView} */ (document.querySelector("m-settings"));
/** @type {Client | null} */ let client = null;
const copies = new OwnCopies();
let unread = 0;
/** How often somebody came in: the last time counts. */ let entered = 0;
/** Whether a part of the page has not come. Many browsers remember that, and a server may have another version by now. */
let lacksPart = false;
/** Whether another device of the person is asked to let this one in. */
let isPairing = false;

applyTheme();
followArrows();
// A phone that is turned on its side shows the picture, wherever the page was.
matchMedia("(orientation: landscape) and (max-height: 480px)").addEventListener("change", ({ matches }) => {
  if (matches) scrollTo(0, 0);
});
document.documentElement.lang = language();
document.addEventListener("language", translate);
translate();
settings.onrename = () => {
  identity.name = null;
  identity.forgetDevice();
  client?.close();
  location.reload();
};
addEventListener("hashchange", signInAgain);
// The address keeps the key that it invites with.
document.getElementById("skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
void loadGroupPage();
// A browser that lacks something says so; see landing.js.
if (document.documentElement.dataset.lacks === undefined) {
  if (token !== null && link.group !== undefined) void enter(token.user, link.group);
  else if (identity.name !== null && link.group !== undefined) void enter(identity.name, link.group);
  else welcome(null);
}

/** Loads what somebody sees who is in, while they still write their name; `null` if the server is away. */
function loadGroupPage() {
  return import("./group-page.js").catch(() => {
    lacksPart = true;
    return null;
  });
}

/** @param {string | null} trouble why somebody is asked again */
function welcome(trouble) {
  const view = new WelcomeView();
  view.group = link.group;
  view.name = identity.name ?? "";
  view.trouble = trouble;
  view.onenter = (name, group, code) => {
    try {
      identity.name = name;
      identity.credential(name);
    } catch {
      view.trouble = text("noRoom");
      return view.drawSoon();
    }
    history.replaceState(null, "", makeLink("", group, link.key));
    // A page that is loaded anew enters by itself, by the address and the name.
    if (lacksPart) return location.reload();
    void enter(name, group, code);
  };
  main.replaceChildren(view);
}

/** @param {string} user @param {string} group @param {string} [code] of another device of the person */
async function enter(user, group, code) {
  const turn = entered += 1;
  const [kept, page] = await Promise.all([identity.device(user, group), loadGroupPage()]);
  if (turn !== entered) return;
  if (page === null) return welcome(faultText({ code: "timedOut", message: "" }));
  const { device } = kept;
  isPairing = code !== undefined;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const made = new page.Client({
    url: `${scheme}://${location.host}/ws`, user, name: token?.name, device, token: kept.token, code,
    credential: () => token?.token ?? identity.credential(user), resolve });
  client = made;
  // For people who look into the page, and for its tests.
  /** @type {any} */ (globalThis).matinee = made;
  const keep = () => identity.keepDevice({ user, group, device, token: made.token });
  keep();
  page.showGroup(made, group, { copies, isPairing, onunread: (count) => {
    // The log of a chat that is over says once more that nobody sees it, as it leaves the page.
    if (client !== made) return;
    unread = count;
    translate();
  } });
  settings.onpair = null;
  settings.ondelay = (milliseconds) => made.player?.setOffset(milliseconds * 1000);
  settings.ondelay(soundDelay());
  translate();
  listen(made, keep);
  made.start();
  made.joinGroup(group, link.key, { isPatient: true }).then(() => keepLink(made), (error) => {
    // A client that is turned away fails its joining as well: the first reason counts.
    if (client === made) refuse(made, error);
  });
}

/** @param {import("./actions.js").ClickAction} action that the client leaves to the page */
function act({ type, url = "" }) {
  if (type === "requestPushPermission") void globalThis.Notification?.requestPermission();
  // A place in an app is none of a page's, unless it is one of its own paths.
  const place = type === "deepLink" ? ownPlace(url, location.href) : null;
  // The script of a message can ask for it as well: only a press of the person takes them elsewhere.
  const { userActivation } = /** @type {any} */ (navigator);
  if (place !== null && userActivation?.isActive !== false) location.assign(place);
  // Inside of this page there is no place for another one.
  if (type === "open" && !signsIn(url, location.href)) open(url, "_blank", "noopener");
}

/** @param {Client} client @param {() => void} keep what a page that is loaded again resumes with */
function listen(client, keep) {
  const on = (/** @type {string} */ event, /** @type {(detail: any) => void} */ hear) =>
    client.addEventListener(event, (told) => hear(/** @type {CustomEvent} */ (told).detail));
  on("connection", ({ state, error }) => {
    if (state === "online") {
      keep();
      isPairing = false;
      settings.onpair = client.welcome?.access === "keys" ? () => void showCode(client) : null;
      settings.drawSoon();
    }
    if (state === "offline" && error?.code !== "closed") refuse(client, error);
    translate();
  });
  /** @type {string | undefined} who ends the session for this device */ let ender;
  on("clockQuality", translate);
  on("action", act);
  on("pairingAsked", ({ name }) => askPairing(client, name));
  on("credentialExpires", () => { if (token !== null) toast(text("endsSoon")); });
  on("groupKey", () => keepLink(client));
  on("group", (group) => {
    // Without a connection, the group is only not known.
    if (group === null && client.isOnline) refuse(client, { code: "outOfGroup", message: "" });
    translate();
  });
  on("mediaFailed", (media) => { if (media !== null) copies.forget(media); });
  on("refused", (error) => {
    // Only the person can bring another token, or choose another group.
    if (["credentialExpired", "outOfGroup"].includes(error.code)) refuse(client, error);
    else complain(error);
  });
  on("session", (session) => {
    moveFocus();
    document.body.classList.toggle("watching", session !== null);
    if (session === null) tellEnd(client.lastReason, ender);
    ender = undefined;
    translate();
  });
  on("change", (event) => {
    const me = client.session?.me;
    const isEnd = event.event === "ended" || (event.event === "left" && event.participant === me);
    if (isEnd && event.by !== me) ender = client.session?.participants.get(event.by)?.name;
    if (["activitySet", "selected"].includes(event.event)) translate();
  });
}

/** What has the focus may go with its screen: a keyboard then begins at the next screen, not at the page's top. */
function moveFocus() {
  if (!main.contains(document.activeElement)) return;
  setTimeout(() => {
    const focused = document.activeElement ?? document.body;
    // Browsers let go of what is hidden only when they draw.
    if (focused === document.body || focused.getClientRects().length === 0) main.focus({ preventScroll: true });
  });
}

/** @param {string | null} reason @param {string | undefined} name of the one who did it */
function tellEnd(reason, name) {
  if (reason === "removed") toast(name === undefined ? text("removed") : text("removedBy", { name }));
  else if (reason === "connectionLost" || reason === "serverRestarted") toast(text("lost"));
  else if (reason !== "left" && reason !== "dismissed" && reason !== "closed") {
    toast(name === undefined ? text("over") : text("overBy", { name }));
  }
}

/**
 * Puts the group's key into the address, so that the address itself invites.
 * @param {Client} client
 */
function keepLink(client) {
  if (client.group === null || token !== null) return;
  history.replaceState(null, "", makeLink("", client.group.id, client.groupKey ?? link.key));
}

/** What the app's link brought; it stays with this tab and leaves the address, which people copy. */
function takeToken() {
  const place = "matinee.token";
  const fresh = readToken(location);
  if (fresh === null) return location.hash === "" ? readToken({ hash: sessionStorage.getItem(place) ?? "" }) : null;
  sessionStorage.setItem(place, location.hash);
  history.replaceState(null, "", location.pathname + location.search);
  return fresh;
}

/** The app has opened its link in this tab: that differs only behind `#` from where the tab is. */
function signInAgain() {
  const fresh = readToken(location);
  if (fresh === null) {
    // The whole link, for somebody who was asked for it.
    if (client === null) location.reload();
    return;
  }
  // Who was turned away, and another person, begin anew with it.
  if (client === null || fresh.user !== token?.user) return location.reload();
  token = takeToken();
  void client.renew().then((isTaken) => { if (isTaken) toast(text("signedInAgain")); });
}

/** @param {Client} refused @param {{code?: string, message: string, details?: {field?: string, limit?: number}}} error */
function refuse(refused, error) {
  [client, unread] = [null, 0];
  refused.close();
  tray.client = settings.onpair = null;
  settings.drawSoon();
  sessionStorage.removeItem("matinee.token");
  identity.forgetDevice();
  document.body.classList.remove("watching");
  const trouble = token !== null && ["credentialRefused", "credentialExpired", "credentialRequired"].includes(error.code ?? "") ? text("signInOver")
    : error.code === "pairingRefused" ? text("codeRefused")
    : error.code === "credentialRefused" || error.code === "held" ? text("nameTaken")
    : error.code === "invalidField" && error.details?.limit !== undefined
      ? text(error.details.field === "group" ? "groupTooLong" : "nameTooLong")
    : error.code === "outOfGroup" ? text("outOfGroup")
    : error.code === "keyRequired" || error.code === "keyRefused" ? text("keyNeeded")
      : faultText(error);
  welcome(trouble);
}

/** @param {import("./queue.js").Media} media @returns {string | null} what plays it here */
function resolve(media) {
  return needsCopy(media) ? copies.urlOf(media) : media.url;
}

function translate() {
  const place = /** @type {HTMLElement} */ (document.getElementById("place"));
  const state = /** @type {HTMLElement} */ (document.getElementById("link-state"));
  const group = client?.group?.id ?? link.group ?? "";
  place.textContent = group;
  const title = group === "" ? "Matinee" : `${client?.session?.title ?? group} · Matinee`;
  document.title = unread === 0 ? title : `(${unread}) ${title}`;
  const name = client === null ? null : client.isOnline ? (client.hasPoorClock ? "slow" : "online")
    : client.welcome === null ? "connecting" : "reconnecting";
  state.dataset.state = name ?? "";
  state.textContent = name === null ? "" : text(isPairing ? "pairConfirm" : name);
  const skip = document.getElementById("skip");
  if (skip !== null) skip.textContent = text("skip");
}
