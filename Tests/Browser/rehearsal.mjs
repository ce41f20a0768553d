// Drives a message presenter as an app's library would, in virtual time, and writes down what happens.

import { complete } from "../../Sources/WebClient/Site/message-model.js";
import { MessagePresenter } from "../../Sources/WebClient/Site/message-presenter.js";
import { PresenterSettings, somePlatform } from "../../Sources/WebClient/Site/surroundings.js";

const bodies = {
  modalImage: "image", fullImage: "image", imageOnly: "image", html: "html", control: "empty" };

/** A message of the app's own. */
export function local(id, kind = "modal", change = {}) {
  const body = { text: { type: "text", message: "Hello" }, html: { type: "html", source: "<p>Hello</p>" },
    image: { type: "image", image: { url: `https://example.com/${id}.png` } }, empty: { type: "empty" } };
  return complete({ message: id, kind, body: body[bodies[kind] ?? "text"], ...change });
}

/** A message of a campaign; each of its own, unless another is named. */
export const message = (id, { kind = "modal", campaign = `c${id}`, user = "u1", ...change } = {}) =>
  local(id, kind, { campaign: { id: campaign, name: "A campaign", variant: "a", user }, ...change });

export const video = (name) => `https://example.com/${name}.mp4`;

/** A player of a session's video. */
export const player = (id, { session = "s1", film = "one", ...change } = {}) =>
  message(id, { kind: "full", campaign: "watch", session, ...change,
    extras: { view_type: "video", video_url: video(film), video_title: film } });

/** Settings other than the usual ones. */
export const settings = (change) => Object.assign(new PresenterSettings(), change);

const upright = { width: 390, height: 844 };
export const across = { width: 844, height: 390 };

export class Rehearsal {
  time = 1_000_000;
  /** What the app answers when asked about a message; undefined is nothing. */
  choice = () => "now";
  assets = ["loaded"];
  /** What the app does to a context; null is that it never comes back. */
  prepare = (context) => context;
  processes = true;
  /** Whether the view says when it is there, and when it is gone. */
  viewShows = true;
  viewGoes = true;
  lines = [];
  outputs = [];
  /** The token of what was asked last, by message. */
  tokens = {};

  constructor({ settings: given, user = "u1", platform = {} } = {}) {
    this.presenter = new MessagePresenter(given, user, { ...somePlatform, ...platform });
  }

  /** Feeds an input, such as `"deliver", message`, and the app's and the view's answers to what comes of it. */
  feed(...input) {
    const inputs = [input];
    while (inputs.length > 0) {
      const [name, ...values] = inputs.shift();
      for (const output of this.presenter.handle((all) => all[name](...values), this.time)) {
        this.outputs.push(output);
        this.lines.push(line(output));
        inputs.push(...this.#answers(output));
      }
    }
    return this;
  }

  /** Lets time pass, deadline by deadline. */
  pass(duration) {
    const end = this.time + duration;
    for (let due = this.presenter.nextDeadline; due !== null && due <= end; due = this.presenter.nextDeadline) {
      this.time = Math.max(this.time, due);
      this.feed("advanceClock");
    }
    this.time = end;
  }

  view(kind, more = {}) { if (this.presenter.currentToken !== null) this.feed("view", { kind, ...more }, this.presenter.currentToken); }
  click(click = {}) { this.view("clicked", { click }); }
  close(gesture = "button") { this.view("closed", { gesture }); }
  report(report) { if (this.presenter.currentToken !== null) this.feed("reported", report, this.presenter.currentToken); }
  change(change) { this.feed("platform", { ...this.presenter.platform, ...change }); }
  turn() { this.change(this.presenter.platform.width < 800 ? across : upright); }

  get visible() { return this.presenter.visible?.message ?? null; }
  get stacked() { return this.presenter.stacked.map((one) => one.message).join(" "); }
  /** What the view was told to show last. */
  get shown() { return this.outputs.filter((one) => one.shown !== undefined).at(-1)?.shown; }
  get performed() { return this.outputs.flatMap((one) => (one.type === "perform" ? [one.action] : [])); }

  /** The lines that begin so, and none from before the last time. */
  take(...prefixes) {
    const lines = this.lines.splice(0);
    return prefixes.length === 0 ? lines : lines.filter((one) => prefixes.some((prefix) => one.startsWith(prefix)));
  }

  count(prefix) { return this.lines.filter((one) => one.startsWith(prefix)).length; }

  #answers({ type, question, command, token, ...output }) {
    switch (question ?? command) {
      case "displayChoice": {
        this.tokens[output.message.message] = token;
        const choice = this.choice(output.message);
        return choice === undefined ? [] : [["chose", choice, token]];
      }
      case "loadAssets": return this.assets.map((report) => ["assets", report, token]);
      case "prepare": return this.prepare === null ? [] : [["prepared", this.prepare(output.context) ?? output.context, token]];
      case "shouldProcess": return this.processes === null ? [] : [["decided", this.processes, output.click, token]];
      case "show": return this.viewShows ? [["view", { kind: "presented" }, token]] : [];
      case "dismiss": return this.viewGoes ? [["view", { kind: "dismissed" }, token]] : [];
      default: return [];
    }
  }
}

const questions = {
  displayChoice: ({ message: { message: id }, origin }) => `choice ${id} ${origin}`,
  loadAssets: () => "load",
  prepare: ({ context }) => `prepare ${context.message.message}`,
  shouldProcess: ({ buttonID, button }) => `process ${buttonID ?? "body"}${button === undefined ? "" : " known"}`,
};

const commands = {
  show: ({ shown }) => `show ${shown.context.message.message}`,
  update: ({ shown }) => `update ${shown.context.message.message}`,
  pause: () => "pause",
  dismiss: ({ isAnimated }) => `dismiss ${isAnimated ? "moving" : "at once"}`,
  releaseAssets: () => "release",
};

const words = (...parts) => parts.filter((part) => part !== undefined).join(" ");

function line(output) {
  switch (output.type) {
    case "ask": return questions[output.question](output);
    case "view": return commands[output.command](output);
    case "statusBar": return `statusBar ${{ true: "hidden", false: "shown" }[output.isHidden] ?? "back"}`;
    case "hold": return `hold ${output.orientation ?? "free"}`;
    case "tell": return told(output);
    case "perform": return words("perform", output.action.type, output.action.url);
    case "report": {
      const { reason, button } = output.more;
      return words("report", output.message, output.report, reason, output.report === "clicked" ? button ?? "body" : button);
    }
    case "session": return `session ${output.session} ${output.step}`;
    case "answer": return `answer ${output.request} ${output.result}`;
    case "lease": return `lease ${output.tag} ${output.isGranted}`;
    case "warn": return words("warn", output.message, output.warning, output.detail);
  }
}

function told({ event, values: [subject, more] }) {
  if (event !== "finished") return words(event, subject.message, more);
  const { dismissedBy, refused } = more;
  return words("finished", subject, refused === undefined ? dismissedBy === undefined ? "control" : "presented" : "refused", dismissedBy ?? refused);
}
