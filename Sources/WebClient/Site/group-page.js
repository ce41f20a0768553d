// What somebody sees who is in a group: the film, the people, the queue and the chat.

import { ChatView } from "./chat-view.js";
import { icon, make } from "./dom.js";
import { makeLink } from "./identity.js";
import { MessageScreen } from "./message-screen.js";
import { PeopleView } from "./people-view.js";
import { PlayerView } from "./player-view.js";
import { QueueView } from "./queue-view.js";
import { StartView } from "./start-view.js";
import { text } from "./texts.js";
import "./tray-view.js";

export { Client } from "./client.js";

/**
 * Draws a group's page around a client.
 * @param {import("./client.js").Client} client @param {string} group
 * @param {object} page
 * @param {import("./own-file.js").OwnCopies} page.copies of films, which the person chooses
 * @param {boolean} page.isPairing whether another device of the person is asked to let this one in
 * @param {(count: number) => void} page.onunread hears how many lines of the chat are unread
 */
export function showGroup(client, group, { copies, isPairing, onunread }) {
  const tray = /** @type {import("./tray-view.js").TrayView} */ (document.querySelector("m-tray"));
  tray.ongroup = (group) => location.assign(makeLink("", group));
  const [player, start, queue, people, chat] = [
    new PlayerView(), new StartView(), new QueueView(), new PeopleView(), new ChatView()];
  if (isPairing) start.waitsFor = "pairConfirm";
  start.onfile = player.onfile = (media, file) => {
    copies.keep(media, file);
    client.player?.reopen();
  };
  queue.onfile = (media, file) => copies.keep(media, file);
  const toChat = make("button", { type: "button", class: "to-chat primary", hidden: true, onclick: () => {
    chat.scrollIntoView({ block: "end" });
    /** @type {HTMLElement | null} */ (chat.querySelector("#say"))?.focus();
  } });
  chat.addEventListener("unread", (event) => {
    const count = /** @type {CustomEvent} */ (event).detail;
    toChat.hidden = count === 0;
    toChat.replaceChildren(icon("chat"), String(count));
    toChat.setAttribute("aria-label", text("toChat", { count }));
    onunread(count);
  });
  people.className = chat.className = queue.className = "card";
  document.getElementById("main")?.replaceChildren(make("div", { class: "room" },
    make("section", { class: "theatre", "aria-label": group }, player, start),
    make("div", { class: "side" }, queue),
    make("aside", { class: "side talk" }, people, chat)), toChat);
  for (const view of [player, start, queue, people, chat, tray]) view.client = client;
  showMessages(client);
}

/** @param {import("./client.js").Client} client */
function showMessages({ messages }) {
  const display = new MessageScreen();
  display.onstatusbar = (isHidden) => document.body.classList.toggle("bare", isHidden === true);
  messages.settings.embedsPlayers = true;
  messages.settings.drainPolicy = "onSlotFree";
  messages.display = display;
}
