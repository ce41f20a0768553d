// When the controls over a film are seen: for a while after the last movement, and while the film stands.

/** How long they stay, in milliseconds. */
const stay = 3_000;

/** Gives the stage its class `active` for as long as they are seen. */
export class ShownControls {
  #stage;
  #mayGo;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #isFirstTouch = false;

  /** @param {HTMLElement} stage @param {() => boolean} mayGo whether nobody needs them, asked once they have stayed */
  constructor(stage, mayGo) {
    this.#stage = stage;
    this.#mayGo = mayGo;
    stage.addEventListener("pointerdown", ({ pointerType }) => {
      this.#isFirstTouch = pointerType === "touch" && !this.areSeen;
    });
    for (const name of ["pointerdown", "pointermove", "focusin", "focusout"]) {
      // A long press ends without a click; a mouse beside the screen moves all the same.
      stage.addEventListener(name, (event) => {
        if (!this.#isFirstTouch || /** @type {PointerEvent} */ (event).pointerType === "mouse") this.show();
      });
    }
    for (const name of ["click", "keydown", "change"]) stage.addEventListener(name, () => this.show());
    stage.addEventListener("pointercancel", () => { this.#isFirstTouch = false; });
  }

  get areSeen() { return this.#stage.classList.contains("active"); }

  /**
   * Whether a touch has begun that found none: it only shows them. They come with its click, the last that a touch
   * does, because the click goes to what is there by then.
   */
  get isFirstTouch() { return this.#isFirstTouch; }

  show() {
    this.#isFirstTouch = false;
    this.#stage.classList.add("active");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { if (this.#mayGo()) this.#stage.classList.remove("active"); }, stay);
  }
}
