// Another device of the same person: a code here, typed there, and confirmed here.

import { iconButton, make, toast } from "./dom.js";
import { complain } from "./faults.js";
import { text } from "./texts.js";

/** @typedef {import("./client.js").Client} Client */

/** @param {string} label @param {...Node} children @returns {HTMLDialogElement} open, and gone once closed */
function dialog(label, ...children) {
  const made = make("dialog", { class: "card pairing", "aria-label": label });
  made.append(make("div", { class: "head" }, make("h2", {}, label), iconButton("close", text("close"), () => made.close())), ...children);
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

/** @param {Client} client asks for a code, and shows it */
export async function showCode(client) {
  try {
    const { code, until } = await client.request("pair");
    const time = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" }).format(until / 1000);
    const made = dialog(text("addDevice"), make("p", {}, text("pairHint", { user: client.user })),
      make("p", { class: "pair-code" }, `${code.slice(0, 4)} ${code.slice(4)}`), make("p", { class: "hint" }, text("pairUntil", { time })));
    client.addEventListener("pairingAsked", () => made.close(), { once: true });
  } catch (error) {
    complain(error);
  }
}

/** @param {Client} client asks the person about a device that showed the code @param {string} name */
export function askPairing(client, name) {
  const answer = async (/** @type {boolean} */ confirmed) => {
    made.close();
    try {
      await client.request("confirmPairing", { confirmed });
      if (confirmed) toast(text("paired"));
    } catch (error) {
      complain(error);
    }
  };
  const made = dialog(text("addDevice"), make("p", {}, text("pairAsked", { name })), make("div", { class: "line" },
    make("button", { type: "button", class: "primary", onclick: () => void answer(true) }, text("letIn")),
    make("button", { type: "button", onclick: () => void answer(false) }, text("notMine"))));
}
