// The group's link: its QR code for a phone, and the ways to pass it on.

import { icon, iconButton, make, refocus, toast } from "./dom.js";
import { makeLink } from "./identity.js";
import { qrPicture } from "./qr-code.js";
import { text } from "./texts.js";

/** @param {import("./client.js").Client | null} client @returns {string} the group's link, with its key */
export function linkOf(client) {
  return makeLink(location.origin, client?.group?.id ?? "", client?.groupKey ?? undefined);
}

/** @param {string} link puts it on the clipboard, or shows it */
async function copy(link) {
  try {
    await navigator.clipboard.writeText(link);
    toast(text("copied"));
  } catch {
    // Without a secure page there is no clipboard; then the link is shown to be copied by hand.
    window.prompt(text("inviteHint"), link);
  }
}

/** @param {string} link @param {string} group */
async function share(link, group) {
  try {
    await navigator.share({ title: `${group} · Matinee`, text: text("shareText", { group }), url: link });
  } catch (error) {
    // Whoever closes the system's sheet has not failed.
    if (!(error instanceof DOMException && error.name === "AbortError")) await copy(link);
  }
}

/**
 * @param {import("./client.js").Client | null} client
 * @returns {HTMLElement[]} the code, the link in letters, and the buttons
 */
export function linkParts(client) {
  const link = linkOf(client);
  const group = client?.group?.id ?? "";
  const canShare = typeof navigator.share === "function";
  return [
    make("div", { class: "code-frame" }, qrPicture(link, text("codeLabel", { group }))),
    make("p", { class: "link-text" }, link),
    make("div", { class: "line" },
      make("button", { type: "button", class: canShare ? "" : "primary", "data-key": "copy link",
        onclick: () => void copy(link) }, icon("link"), text("copyLink")),
      canShare ? make("button", { type: "button", class: "primary", "data-key": "share link",
        onclick: () => void share(link, group) }, icon("share"), text("share")) : null)];
}

/** @param {import("./client.js").Client | null} client shows the link over the page */
export function showLink(client) {
  const dialog = make("dialog", { class: "card link-card", "aria-label": text("invite") });
  const opener = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The people are drawn anew every few seconds, and the browser looks for the button of before.
    refocus(opener);
  });
  dialog.append(
    make("div", { class: "head" }, make("h2", {}, text("invite")),
      iconButton("close", text("close"), () => dialog.close())),
    make("p", { class: "hint" }, text("inviteHint")),
    ...linkParts(client));
  document.body.append(dialog);
  dialog.showModal();
}
