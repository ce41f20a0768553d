// Who is watching, and with which group.

import { View, make } from "./dom.js";
import { text } from "./texts.js";

/** Asks for a name and, without a link, for a group; `onenter` gets both. */
export class WelcomeView extends View {
  /** @type {string | undefined} the link's group */ group;
  name = "";
  /** @type {string | null} why the person was sent back here */ trouble = null;
  /** @type {(name: string, group: string, code?: string) => void} */ onenter = () => {};

  /** @override */
  draw() {
    const name = /** @type {HTMLInputElement | null} */ (this.querySelector("#name"))?.value ?? this.name;
    const group = /** @type {HTMLInputElement | null} */ (this.querySelector("#group"))?.value ?? "";
    const nameField = this.#nameField("name", name, { autocomplete: "nickname", "aria-invalid": this.trouble !== null });
    const groupField = this.group !== undefined ? null
      : this.#nameField("group", group, { autocomplete: "off", autocapitalize: "none" });
    const code = this.#codeField();
    this.put(make("p", { class: "tagline" }, text("tagline")), make("form", { class: "card welcome", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.onenter(nameField.value.trim(), this.group ?? groupField?.value.trim() ?? "",
        code.field.value === "" ? undefined : code.field.value.toLowerCase().replace(/[^0-9a-z]/g, ""));
    } },
      make("h1", {}, text("whoAreYou")),
      this.trouble === null ? null : make("p", { class: "trouble", role: "alert" }, this.trouble),
      make("label", { for: "name" }, text("yourName")), nameField,
      make("p", { class: "hint", id: "name-hint" }, text("whoHint")),
      groupField && make("label", { for: "group" }, text("groupName")), groupField,
      groupField && make("p", { class: "hint", id: "group-hint" }, text("groupHint")),
      make("button", { class: "primary", "data-key": "come" },
        this.group === undefined ? text("come") : text("comeTo", { group: this.group })),
      code.part));
    if (document.activeElement === document.body) nameField.focus();
  }

  /** @param {string} id @param {string} value @param {Record<string, any>} more properties */
  #nameField(id, value, more) {
    // The server says whether a name is too long: only it knows its `--identifier-bytes`.
    // A name of spaces is none.
    return make("input", { id, name: id, value, required: true, pattern: ".*\\S.*", "data-key": id, "aria-describedby": `${id}-hint`, ...more });
  }

  #codeField() {
    const before = /** @type {HTMLInputElement | null} */ (this.querySelector("#code"));
    const field = make("input", { id: "code", name: "code", value: before?.value ?? "", maxLength: 12, autocomplete: "one-time-code",
      autocapitalize: "none", spellcheck: false, "data-key": "code", "aria-describedby": "code-hint" });
    const part = make("details", { open: before?.closest("details")?.open ?? false },
      make("summary", {}, text("haveCode")), make("label", { for: "code" }, text("code")), field,
      make("p", { class: "hint", id: "code-hint" }, text("codeHint")));
    return { field, part };
  }
}

customElements.define("m-welcome", WelcomeView);
