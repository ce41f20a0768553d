// What lies over the film before it starts: who is ready, and how it begins.

import { icon, make } from "./dom.js";
import { complain } from "./faults.js";
import { text } from "./texts.js";

/** @typedef {import("./client.js").Client} Client */

/** @param {Promise<unknown> | undefined} request */
function ask(request) { request?.catch(complain); }

/** @param {Client} client @param {number} left @returns {(Node | null)[]} the countdown that everybody sees */
function countdown(client, left) {
  const name = client.session?.participants.get(client.countdown.shown?.by ?? "")?.name ?? "";
  return [
    make("p", { class: "seconds", "data-left": String(left) }, String(left)),
    make("p", { class: "count" }, text("startsSoon", { name })),
    client.session?.mayControl ? make("button", { type: "button", "data-key": "take back",
      onclick: () => client.countdown.takeBack() }, icon("close"), text("takeBack")) : null];
}

/** @param {Client} client @returns {(Node | null)[]} of the card over the film */
export function lobbyParts(client) {
  const session = client.session;
  if (session === null) return [];
  const shown = client.countdown.shown;
  const left = client.countdown.secondsLeft;
  if (left !== null) return countdown(client, left);
  const here = [...session.participants.values()].filter((one) => !one.keeper && one.lostUntil === undefined);
  const ready = here.filter((one) => one.ready === true).length;
  const isReady = session.own?.ready === true;
  const asker = shown === null ? undefined : session.participants.get(shown.by);
  const button = (/** @type {string} */ key, /** @type {string} */ label, /** @type {string} */ look, /** @type {() => void} */ press,
    /** @type {string} */ picture = "") => make("button", { type: "button", class: look, "data-key": key, onclick: press },
    picture === "" ? null : icon(picture), label);
  const readiness = button("ready", text("imReady"), "", () => ask(client.request("setReadyToStart", { ready: !isReady })),
    isReady ? "check" : "");
  readiness.setAttribute("aria-pressed", String(isReady));
  return [
    make("p", { class: "count" }, asker === undefined ? text("readyCount", { ready, all: here.length })
      : text("waitsForAll", { name: asker.name, ready, all: here.length })),
    make("div", { class: "line" }, readiness,
      !session.mayControl ? null : shown === null
        ? button("when ready", text("whenReady"), "", () => ask(client.countdown.ask()), "clock")
        : button("take back", text("takeBack"), "", () => client.countdown.takeBack(), "close"),
      session.mayControl ? button("together", text("startTogether"), "primary", () => ask(client.play()), "play") : null)];
}
