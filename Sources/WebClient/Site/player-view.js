// The player of the session: the picture, its controls, and what lies over it.

import { Captions } from "./captions.js";
import { hostNow } from "./clock.js";
import { MediaKeys } from "./media-keys.js";
import { allowsPage } from "./message-faults.js";
import { View, icon, iconButton, make, relabel, toast } from "./dom.js";
import { complain } from "./faults.js";
import { FileCard } from "./file-card.js";
import { lobbyParts } from "./lobby.js";
import { openMenu } from "./menu.js";
import { needsCopy } from "./own-file.js";
import { hasPictureWindow, isInPictureWindow, putIntoPictureWindow, watchPictureWindow } from "./picture-window.js";
import { isSameFile } from "./queue.js";
import { float, offered, reactionIn } from "./reactions.js";
import { ShownControls } from "./shown-controls.js";
import { SpeedButton, nextSpeed } from "./speed.js";
import { SyncMark } from "./sync-mark.js";
import { clockText, text } from "./texts.js";
import { seekRange } from "./timeline.js";
import { Volume } from "./volume.js";
import { WaysOut } from "./ways-out.js";

const seconds = 1_000_000;
/** How far the arrows and the round buttons go. */
const step = 10 * seconds;

/** Shown by the in-app message that hosts the session; closing it dismisses that message. */
export class PlayerView extends View {
  video = make("video", { playsInline: true, tabIndex: -1 });
  #bar = make("input", { type: "range", class: "place", min: "0", step: "1", "data-key": "bar" });
  #clock = make("span", { class: "clock" });
  #play = iconButton("play", "", () => this.#toggle(), "big");
  #back = iconButton("back", "", () => this.#move(-step));
  #forward = iconButton("forward", "", () => this.#move(step));
  #speed = new SpeedButton((rate) => this.#setSpeed(rate));
  #captions = new Captions(this.video);
  #volume = new Volume(this.video);
  #sync = new SyncMark(this.video);
  #out = new WaysOut();
  #keys = new MediaKeys({
    play: () => { if (!this.#isRunning) this.#toggle(); }, pause: () => { if (this.#isRunning) this.#toggle(); },
    move: (distance) => this.#move(distance * seconds), seek: (position) => this.#ask(this.client?.seek(position * seconds)),
    next: () => this.#ask(this.client?.request("next", { from: this.client.session?.queue.current })) });
  #reactions = iconButton("smile", "", () => openMenu(this.#reactions, text("react"), offered.map((reaction) => ({
    name: reaction, act: () => this.#ask(this.client?.request("send", { payload: { reaction } })) }))));
  #aside = iconButton("aside", "", () => this.#moveAside(!isInPictureWindow(this.video)));
  #screen = iconButton("screen", "", () => void this.#fullScreen());
  #over = make("div", { class: "over" });
  #floats = make("div", { class: "floats", "aria-hidden": "true" });
  #title = make("h1", { class: "title" });
  #stage;
  #isDragging = false;
  /** @type {{start: number, end: number} | null} what the bar spans, µs; null if it is not known */ #range = null;
  #controls;
  /** Whether the film runs, or is about to. */ #isRunning = false;
  #timer = 0;
  /** @type {{id?: string, media?: import("./queue.js").Media}} the session and the film that the cards are about */ #film = {};
  /** @type {FileCard | null} for a copy that is wanted */ #wanted = null;
  /** @type {FileCard | null} the one whose card lies over the film */ #asking = null;
  /** @type {string | null} */ #failed = null;
  /** @type {(media: import("./queue.js").Media, file: File) => void} */ onfile = () => {};

  constructor() {
    super();
    this.#stage = make("div", { class: "stage" }, this.video, this.#floats, this.#over,
      make("div", { class: "controls" },
        this.#bar,
        make("div", { class: "buttons" }, this.#back, this.#play, this.#forward, this.#clock,
          this.#speed.element, make("span", { class: "gap" }), this.#reactions, this.#captions.button, this.#volume.button, this.#volume.slider, this.#aside, this.#screen)));
    this.#bar.addEventListener("input", () => { this.#isDragging = true; this.#showClock(Number(this.#bar.value)); });
    this.#bar.addEventListener("change", () => {
      this.#isDragging = false;
      this.#ask(this.client?.seek(Number(this.#bar.value)));
    });
    // A film whose loading broke off may be opened again.
    this.video.addEventListener("loadedmetadata", () => {
      this.#failed = null;
      this.drawSoon();
    });
    for (const name of ["play", "pause"]) this.video.addEventListener(name, () => this.drawSoon());
    this.video.addEventListener("ratechange", () => { if (this.#isAlone) this.drawSoon(); });
    watchPictureWindow(this.video, () => this.drawSoon());
    this.video.addEventListener("click", () => { if (!this.#controls.isFirstTouch) this.#toggle(); });
    this.#controls = new ShownControls(this.#stage, () => this.#isRunning && !this.#isDragging
      && this.#stage.querySelector(".controls :focus-visible") === null);
    this.#controls.show();
    this.#over.setAttribute("aria-live", "polite");
  }

  #hearKey = (/** @type {KeyboardEvent} */ event) => this.#press(event);
  #hearFullScreen = () => this.drawSoon();

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this.#hearKey);
    document.addEventListener("fullscreenchange", this.#hearFullScreen);
    this.#timer = window.setInterval(() => this.#follow(), 250);
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#hearKey);
    document.removeEventListener("fullscreenchange", this.#hearFullScreen);
    window.clearInterval(this.#timer);
  }

  /** @override */
  get causes() {
    return [...super.causes, "message", "needsGesture", "gestureGiven", "mediaWanted", "mediaFailed", "countdown"];
  }

  /** @override */
  set client(client) {
    super.client = client;
    client?.addEventListener("mediaWanted", (event) => this.#want(/** @type {CustomEvent} */ (event).detail));
    client?.addEventListener("payload", (event) => this.#react(/** @type {CustomEvent} */ (event).detail));
    client?.addEventListener("change", (event) => this.#compareLength(/** @type {CustomEvent} */ (event).detail));
    client?.addEventListener("mediaFailed", (event) => {
      const media = /** @type {import("./queue.js").Media | null} */ (/** @type {CustomEvent} */ (event).detail);
      this.#failed = media?.title ?? "";
      // Another copy may be one that this browser can play.
      if (media !== null && needsCopy(media)) this.#want(media);
    });
    this.#sync.follow(client);
    client?.addEventListener("session", () => {
      if (client.session !== null) return;
      this.#moveAside(false);
      if (document.fullscreenElement === document.documentElement) document.exitFullscreen().catch(() => {});
    });
    for (const name of ["session", "change"]) client?.addEventListener(name, () => this.#turnTo(client.session));
    this.#turnTo(client?.session ?? null);
    client?.attach(this.video);
  }

  /** @override */
  get client() { return super.client; }

  /** @override */
  draw() {
    if (this.childElementCount === 0) {
      this.append(this.#stage, make("div", { class: "under" }, this.#title, this.#sync.element, this.#out.leave, this.#out.end));
    }
    const session = this.client?.session;
    this.hidden = !session || this.client?.messages.hosts(session.id) !== true;
    if (!session || !this.client) return this.#keys.show(null);
    const title = session.title ?? "";
    this.#title.textContent = title;
    this.#out.show(this.client);
    const isRunning = this.#runs(session);
    this.#label(isRunning);
    this.#keys.show({ title, group: this.client.group?.id ?? "", isRunning, maySteer: session.mayControl, hasNext: session.queue.hasNext });
    for (const control of [this.#play, this.#back, this.#forward]) control.disabled = !session.mayControl;
    this.#bar.disabled = !session.mayControl || this.#range === null;
    this.#speed.show(this.#rate ?? 1, session.mayControl);
    this.#drawOver(session);
    this.#follow();
    if (isRunning !== this.#isRunning) this.#controls.show();
    this.#isRunning = isRunning;
  }

  /** @param {boolean} isPlaying */
  #label(isPlaying) {
    relabel(this.#play, text(isPlaying ? "pause" : "play"), isPlaying ? "pause" : "play");
    relabel(this.#back, text("back"), "back");
    relabel(this.#forward, text("forward"), "forward");
    relabel(this.#reactions, text("react"), "smile");
    this.#captions.label();
    this.#volume.label();
    const isAside = isInPictureWindow(this.video);
    relabel(this.#aside, text(isAside ? "backIntoPage" : "pictureInPicture"), "aside");
    this.#aside.hidden = !hasPictureWindow(this.video);
    relabel(this.#screen, text(document.fullscreenElement === null ? "fullScreen" : "leaveFullScreen"), "screen");
    this.#bar.setAttribute("aria-label", text("seek"));
  }

  /** @param {import("./mirror.js").SessionMirror} session */
  #drawOver(session) {
    const title = this.#title.textContent ?? "";
    const card = (/** @type {string} */ look, /** @type {(Node | string | null)[]} */ ...children) =>
      this.#putOver(make("div", { class: `notice ${look}` }, ...children));
    if (this.client?.player?.needsGesture) {
      return card("tap", make("button", { type: "button", class: "primary", onclick: () => void this.#unlock() },
        icon("play"), text("tapTitle")), make("p", {}, text("tapHint")));
    }
    if (this.#failed !== null) {
      const elsewhere = session.activity.metadata?.fallbackURL ?? "";
      return card(this.#wanted === null ? "" : "file", make("p", {}, text("mediaFailed", { title })),
        !allowsPage(elsewhere) ? null
          : make("a", { href: elsewhere, target: "_blank", rel: "noopener" }, text("watchElsewhere")),
        ...this.#wanted?.parts ?? []);
    }
    if (this.#wanted !== null) return card("file", ...this.#wanted.parts);
    const timeline = session.timeline;
    if (timeline?.phase === "preparing") {
      const names = this.#namesWaitedFor(session);
      return card("wait", make("p", { "data-names": names }, names === "" ? text("gettingReady") : text("waitingFor", { names })));
    }
    const isBefore = timeline?.phase === "paused" && timeline.mediaTime === 0;
    if (this.client !== null && (isBefore || this.client.countdown.secondsLeft !== null)) {
      return card("lobby", ...lobbyParts(this.client));
    }
    this.#over.replaceChildren();
  }

  /** Whom a start waits for; that changes with time, too, since nobody is waited for without end.
   * @param {import("./mirror.js").SessionMirror} session */
  #namesWaitedFor(session) {
    const now = this.client?.clock?.instant(hostNow()) ?? 0;
    return session.waitingFor(now).map((one) => one.name).join(", ");
  }

  /**
   * Lays a card over the film. One that says the same stays, with the focus in it, and is not read out again.
   * @param {HTMLElement} card
   */
  #putOver(card) {
    if (this.#asking === this.#wanted && this.#over.firstElementChild?.isEqualNode(card)) return;
    this.#asking = this.#wanted;
    const key = this.#over.contains(document.activeElement) ? document.activeElement?.getAttribute("data-key") : null;
    this.#over.replaceChildren(card);
    const again = key ? this.#over.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? this.#over.querySelector("button") : null;
    if (again instanceof HTMLElement) again.focus();
  }

  /**
   * Takes the cards away once another film, or another session, is on. A new state of the same ones, as after a
   * reconnection or once the film's size is known, leaves them, because the player opens nothing anew and says nothing
   * again.
   * @param {import("./mirror.js").SessionMirror | null} session
   */
  #turnTo(session) {
    const [id, media, old] = [session?.id, session?.activity.media, this.#film];
    const isSame = media === old.media
      || (media !== undefined && old.media !== undefined && isSameFile(old.media, media));
    if (id === old.id && isSame) return;
    [this.#film, this.#wanted, this.#failed, this.#range] = [{ id, media }, null, null, null];
    this.#sync.forget();
    if (this.client) void this.#captions.turnTo(this.client, media?.url);
  }

  /** @param {import("./queue.js").Media} media of which everybody has a copy of their own */
  #want(media) {
    const wanted = new FileCard(media);
    wanted.onchange = () => this.drawSoon();
    wanted.ontake = (file) => {
      [this.#wanted, this.#failed] = [null, null];
      this.onfile(media, file);
      this.drawSoon();
    };
    this.#wanted = wanted;
  }

  /** @param {{from: string, payload: unknown}} message */
  #react({ from, payload }) {
    const [reaction, name] = [reactionIn(payload), this.client?.session?.participants.get(from)?.name];
    if (reaction !== null && name !== undefined) float(this.#floats, reaction, name);
  }

  /** @param {any} event of the session: a copy that is longer or shorter than the group's is told */
  #compareLength(event) {
    const session = this.client?.session;
    const length = session?.timelines.get(event.item)?.duration;
    if (event.event !== "durationDoubted" || length === undefined) return;
    const [own, others] = [clockText(event.duration), clockText(length)];
    const name = session?.participants.get(event.by)?.name ?? "";
    toast(event.by === session?.me ? text("yourLength", { own, others }) : text("lengthDiffers", { name, own, others }));
  }

  async #unlock() {
    try {
      await this.client?.player?.unlock();
    } catch (error) {
      complain(error);
    }
    this.drawSoon();
  }

  #toggle() {
    const session = this.client?.session;
    if (!session?.mayControl) return;
    if (this.client?.player?.needsGesture) return void this.#unlock();
    this.#ask(this.#runs(session) ? this.client?.pause() : this.client?.play());
  }

  /** Whether what is pressed moves this player alone, as without a connection. */
  get #isAlone() { return this.client?.player?.isLocal === true; }

  /** @param {import("./mirror.js").SessionMirror} session @returns {boolean} whether the film runs, or is about to */
  #runs({ timeline }) {
    return this.#isAlone ? !this.video.paused : timeline?.phase === "playing" || timeline?.phase === "preparing";
  }

  /** Where the film is that a press moves, µs. */
  get #position() { return this.#isAlone ? this.video.currentTime * seconds : this.client?.position ?? null; }

  /** The speed that a press changes; the few percent that keep a player with the group are none of it. */
  get #rate() {
    const [own, groups] = [this.video.playbackRate, this.client?.session?.timeline?.rate];
    return this.#isAlone && groups !== undefined && Math.abs(own / groups - 1) > 0.06 ? own : groups;
  }

  /** @param {number} way µs */
  #move(way) {
    const position = this.#position;
    if (position === null || this.client?.session?.mayControl !== true) return;
    this.#ask(this.client?.seek(Math.max(position + way, 0)));
  }

  /** @param {number} rate */
  #setSpeed(rate) {
    if (this.client?.session?.mayControl === true && rate !== this.#rate) this.#ask(this.client?.setRate(rate));
  }

  /** @param {1 | -1} way to the next speed up or down */
  #shift(way) {
    const rate = this.#rate;
    if (rate !== undefined && !this.#speed.element.hidden) this.#setSpeed(nextSpeed(rate, way));
  }

  /** @param {Promise<unknown> | undefined} request */
  #ask(request) {
    request?.catch(complain);
  }

  /** @param {boolean} isAside whether the picture is to be in a window of its own */
  #moveAside(isAside) {
    putIntoPictureWindow(this.video, isAside).catch(complain);
  }

  /** All of the page fills the screen, and the film all of the page: what is told and asked lies over it as ever. */
  async #fullScreen() {
    if (document.fullscreenElement !== null) return document.exitFullscreen();
    if (document.documentElement.requestFullscreen) return document.documentElement.requestFullscreen();
    // A phone of Apple's has full screen for videos alone.
    /** @type {any} */ (this.video).webkitEnterFullscreen?.();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (this.hidden || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented
      || (target !== this.#bar && target.closest("input, select, textarea, dialog, button, a, [role=log]"))) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.#toggle(), k: () => this.#toggle(), f: () => void this.#fullScreen(),
      p: () => this.#moveAside(!isInPictureWindow(this.video)),
      m: () => this.#volume.turn(), c: () => this.#captions.turn(), "<": () => this.#shift(-1), ">": () => this.#shift(1),
      ArrowUp: () => this.#enter(), ArrowDown: () => this.#enter(),
      ArrowLeft: () => this.#move(-step), ArrowRight: () => this.#move(step),
      ...(target === this.#bar ? this.#barKeys : {}),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
    this.#controls.show();
  }

  /** What a slider does by keys; its own way would be by single microseconds. */
  #barKeys = {
    ArrowUp: () => this.#move(step), ArrowDown: () => this.#move(-step),
    PageUp: () => this.#move(6 * step), PageDown: () => this.#move(-6 * step),
    Home: () => this.#ask(this.client?.seek(Number(this.#bar.min))), End: () => this.#ask(this.client?.seek(Number(this.#bar.max))),
  };

  /** The arrows of a remote control come to what there is to press. */
  #enter() { (this.#over.querySelector("button") ?? this.#play).focus(); }

  #follow() {
    const left = this.#over.querySelector("[data-left]");
    if (left !== null && this.client !== null && left.getAttribute("data-left") !== String(this.client.countdown.secondsLeft)) this.drawSoon();
    const session = this.client?.session;
    const names = this.#over.querySelector("[data-names]")?.getAttribute("data-names");
    if (session && typeof names === "string" && names !== this.#namesWaitedFor(session)) this.drawSoon();
    const timeline = session?.timeline;
    if (!timeline || this.#isDragging) return;
    this.#range = seekRange(timeline, this.video.duration * seconds, this.client?.clock?.instant(hostNow()) ?? null);
    // Live content is made at its own speed.
    this.#speed.element.hidden = timeline.duration === undefined && !Number.isFinite(this.video.duration);
    this.#bar.disabled = !session.mayControl || this.#range === null;
    this.#bar.min = String(Math.round(this.#range?.start ?? 0));
    this.#bar.max = String(Math.round(this.#range?.end ?? 1));
    const position = this.#position ?? timeline.mediaTime;
    this.#bar.value = String(this.#range === null ? 0 : Math.round(position));
    this.#showClock(position);
  }

  /** @param {number} position */
  #showClock(position) {
    const range = this.#range;
    const [at, length] = [clockText(position), range === null ? null : clockText(range.end)];
    const shown = length === null ? at : `${at} / ${length}`;
    if (this.#clock.textContent === shown) return;
    this.#clock.textContent = shown;
    this.#bar.setAttribute("aria-valuetext", length === null ? at : text("positionOf", { position: at, length }));
    const done = range === null ? 0 : (position - range.start) / (range.end - range.start);
    this.#bar.style.setProperty("--done", String(done));
  }
}

customElements.define("m-player", PlayerView);
