// How far this player is from the group, in words.

import { make } from "./dom.js";
import { text } from "./texts.js";

/** Says it while the film runs and the group is reached: what was measured before says nothing of now. */
export class SyncMark {
  element = make("span", { class: "sync" });
  /** @type {import("./client.js").Client | null} */ #client = null;
  /** @type {number | null} µs ahead of the group */ #drift = null;

  /** @param {EventTarget} video */
  constructor(video) {
    for (const name of ["pause", "ended"]) video.addEventListener(name, () => this.forget());
  }

  /** @param {import("./client.js").Client | null} client */
  follow(client) {
    this.#client = client;
    client?.addEventListener("drift", (event) => {
      // Without a connection the player goes on by what the group did last.
      this.#drift = client.isOnline ? /** @type {CustomEvent} */ (event).detail : null;
      this.#draw();
    });
    client?.addEventListener("clockQuality", () => this.#draw());
    client?.addEventListener("connection", () => { if (!client.isOnline) this.forget(); });
  }

  forget() {
    this.#drift = null;
    this.#draw();
  }

  /** Its clock may be too poor to say it. */
  #draw() {
    const drift = this.#drift;
    if (drift === null) return void this.element.replaceChildren();
    const ms = Math.round(Math.abs(drift) / 1000);
    const isUnknown = this.#client?.hasPoorClock === true;
    const isGood = ms <= 40 && !isUnknown;
    this.element.textContent = isUnknown ? text("maybeApart") : isGood ? text("inSync")
      : text(drift > 0 ? "ahead" : "behind", { ms });
    this.element.title = isUnknown ? text("slow") : `${Math.round(drift / 100) / 10} ms`;
    this.element.dataset.good = String(isGood);
  }
}
