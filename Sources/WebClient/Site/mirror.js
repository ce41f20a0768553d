// This page's copies of its group and its session, kept by their numbered events.

import { Queue, itemOf } from "./queue.js";
import { waitEnd } from "./waiting-policy.js";

/**
 * @typedef {import("./timeline.js").Timeline} Timeline
 * @typedef {import("./queue.js").Media} Media
 * @typedef {{suspension: number, reason: string, since: number, imposed?: boolean}} Suspension
 */

/**
 * Somebody in the session.
 * @typedef {object} Participant
 * @property {string} participant
 * @property {string} user
 * @property {string} device
 * @property {string} name
 * @property {"host" | "coHost" | "guest" | "listener"} role
 * @property {number} [joinedAt] an instant
 * @property {boolean} [ready] whether the person said to be ready to watch
 * @property {boolean} [keeper] whether the server made it, so that it is not listed
 * @property {number} [lostUntil] while it is disconnected
 * @property {string} [item] what its player has current
 * @property {number} [readySeq] the timeline's number that its player is ready for
 * @property {number} [endedSeq]
 * @property {Suspension[]} suspensions
 *
 * @typedef {object} Attachment
 * @property {string} attachment
 * @property {string} by the participant who added it
 * @property {number} bytes
 * @property {unknown} [metadata] what the app says of it
 *
 * @typedef {object} Activity
 * @property {string} type
 * @property {unknown} [payload]
 * @property {{title?: string, kind?: string, subtitle?: string, fallbackURL?: string}} [metadata]
 * @property {Media} [media]
 */

/**
 * When the group waits for a suspended participant: never, for up to 30 s for a stalled player while up to
 * six have the item open, or as an app says.
 * @typedef {"keepGoing" | "together" | {reasons?: string[], participantLimits?: Record<string, number>,
 *   maximumWait?: number, pauseSnapsToOriginator?: boolean, waitsForLateJoiners?: boolean}} WaitingPolicy
 */

/** The session: a snapshot, then every event in the order of its number. */
export class SessionMirror {
  /** @type {string} */ id;
  /** @type {string} this device's participant; a spectator's is not among the others */ me;
  /** @type {number} */ seq;
  /** @type {Activity} */ activity;
  /** @type {number} */ revision;
  /** @type {"everyone" | "hostsOnly"} */ control;
  /** @type {string} */ dismissalPolicy;
  /** @type {WaitingPolicy | undefined} */ waitingPolicy;
  /** @type {{user: string, device: string, name: string}} */ initiator;
  /** @type {Map<string, Participant>} */ participants = new Map();
  /** @type {Map<string, Timeline>} */ timelines = new Map();
  /** @type {Queue} */ queue;
  /** @type {Attachment[]} the earliest first */ attachments;
  /** @type {string | null} why it ended */ ended = null;
  /** Whether those who find no named place watch as spectators. */ hasAudience = false;
  /** @type {{count: number, slow: number}} the spectators */ audience = { count: 0, slow: 0 };

  /** @param {any} snapshot */
  constructor(snapshot) {
    this.id = snapshot.session;
    this.me = snapshot.participant;
    this.seq = snapshot.seq;
    this.activity = snapshot.activity;
    this.revision = snapshot.revision;
    this.control = snapshot.control;
    this.dismissalPolicy = snapshot.dismissalPolicy ?? "endsWithInitiator";
    this.waitingPolicy = snapshot.waitingPolicy;
    this.initiator = snapshot.initiator;
    this.hasAudience = snapshot.audience === true;
    this.queue = new Queue(snapshot.queue);
    this.attachments = snapshot.attachments ?? [];
    for (const one of snapshot.participants) {
      this.participants.set(one.participant, { ...one, suspensions: one.suspensions ?? [] });
    }
    for (const { item, doubts, ...timeline } of snapshot.timelines) {
      const told = (doubts ?? []).map((/** @type {any} */ one) => [one.participant, one.duration]);
      this.timelines.set(item, { ...timeline, doubts: Object.fromEntries(told) });
    }
  }

  /** @returns {Participant | undefined} */
  get own() { return this.participants.get(this.me); }

  /** Whether this device watches without a named place. */
  get isSpectator() { return this.hasAudience && this.own === undefined; }

  /** Whether this device may say something. */
  get maySpeak() { return this.own !== undefined && this.own.role !== "listener"; }

  /** @param {string} item @returns {boolean} whether the server knows it as open here; of spectators it knows nothing */
  isOpen(item) { return this.isSpectator || this.own?.item === item; }

  /** @returns {string | undefined} of the film that is on, or else of the activity */
  get title() { return this.queue.currentEntry?.title ?? this.activity.metadata?.title; }

  /** @returns {string | undefined} the item that the activity is about */
  get item() { return this.activity.media && itemOf(this.activity.media); }

  /** @returns {Timeline | undefined} the timeline of the activity's item */
  get timeline() { return this.item === undefined ? undefined : this.timelines.get(this.item); }

  /** Whether this device may play, pause, seek and edit the queue. */
  get mayControl() {
    const role = this.own?.role;
    return role === "host" || role === "coHost" || (role === "guest" && this.control === "everyone");
  }

  /** @param {number} now an instant @returns {Participant[]} those whom a start waits for */
  waitingFor(now) {
    const timeline = this.timeline;
    if (timeline?.phase !== "preparing") return [];
    const watching = [...this.participants.values()].filter((one) => one.item === this.item);
    const isWaitedFor = (/** @type {Suspension} */ suspension) =>
      now < waitEnd(this.waitingPolicy, suspension, watching.length);
    return watching.filter((one) => one.lostUntil === undefined
      && (one.suspensions.length === 0 ? one.readySeq !== timeline.seq : one.suspensions.some(isWaitedFor)));
  }

  /** @param {any} event with the next number */
  evolve(event) {
    this.seq = event.seq;
    const one = this.participants.get(event.participant);
    switch (event.event) {
      case "activated": this.initiator = event.initiator; return;
      case "joined":
        this.participants.set(event.participant, { ...pick(event), suspensions: [] });
        return;
      case "left":
        this.#forgetDoubt(event.participant);
        this.participants.delete(event.participant);
        return;
      case "lost": if (one) one.lostUntil = event.until; return;
      case "resumed": if (one) delete one.lostUntil; return;
      case "interrupted":
        for (const each of this.participants.values()) each.lostUntil ??= event.until;
        return;
      case "activitySet":
        [this.activity, this.revision] = [event.activity, event.revision];
        this.queue.play(event.activity.media, event.by);
        return;
      case "roleSet": if (one) one.role = event.role; return;
      case "readinessSet": if (one) one.ready = event.ready; return;
      case "attachmentAdded": {
        const { attachment, by, bytes, metadata } = event;
        this.attachments = [...this.attachments, { attachment, by, bytes, metadata }];
        return;
      }
      case "attachmentRemoved":
        this.attachments = this.attachments.filter((each) => each.attachment !== event.attachment);
        return;
      case "controlSet": this.control = event.control; return;
      case "dismissalPolicySet": this.dismissalPolicy = event.dismissalPolicy; return;
      case "waitingPolicySet": this.waitingPolicy = event.waitingPolicy; return;
      case "ended": this.ended = event.reason; return;
      case "readied": if (one) one.readySeq = event.answers; return;
      case "finished": if (one) one.endedSeq = event.answers; return;
      case "suspensionBegan":
        one?.suspensions.push({
          suspension: event.suspension, reason: event.reason, since: event.at, imposed: event.imposed });
        return;
      case "suspensionEnded":
        if (one) one.suspensions = one.suspensions.filter((each) => each.suspension !== event.suspension);
        return;
      default:
        if (!this.queue.evolve(event)) return this.#evolveTimeline(event);
        if (event.event === "selected") this.#takeSelected();
    }
  }

  #takeSelected() {
    const current = this.queue.currentEntry;
    if (current === undefined) return;
    const { entry: _entry, addedBy: _addedBy, ...media } = current;
    this.activity = { ...this.activity, media };
    this.revision += 1;
  }

  /** @param {any} event about playback */
  #evolveTimeline(event) {
    const timeline = this.timelines.get(event.item);
    switch (event.event) {
      case "itemSelected": return this.#select(event.by, event.item);
      case "timelineSet": return this.#set(event.item, event);
      case "itemAdvanced":
        this.#set(event.item, event);
        for (const [id, one] of this.participants) {
          const isAway = one.suspensions.some((each) => !each.imposed);
          if (one.item === event.from && !isAway) this.#select(id, event.item);
        }
        return;
      case "durationLearned": if (timeline) learn(timeline, event.duration); return;
      case "durationDoubted":
        if (timeline) timeline.doubts = { ...timeline.doubts, [event.by]: event.duration };
        return;
      case "seekWindowSet": if (timeline) timeline.seekWindow = { ...event.seekWindow, at: event.at }; return;
      case "interstitialsDeclared": if (timeline) timeline.interstitials = event.interstitials; return;
      case "timelineUnattended": if (timeline) timeline.keptUntil = event.until; return;
      case "timelineDropped": this.timelines.delete(event.item); return;
    }
  }

  /** @param {string} id @param {string | undefined} item */
  #select(id, item) {
    this.#forgetDoubt(id);
    const one = this.participants.get(id);
    if (one) [one.item, one.readySeq, one.endedSeq] = [item, 0, 0];
    const timeline = item === undefined ? undefined : this.timelines.get(item);
    if (timeline) delete timeline.keptUntil;
  }

  /** @param {string} item @param {any} event */
  #set(item, { phase, mediaTime, rate, anchor, approach, due, patience, seq }) {
    const known = this.timelines.get(item);
    this.timelines.set(item, { ...known, phase, mediaTime, rate, anchor, approach, due, patience, seq });
  }

  /** @param {string} id */
  #forgetDoubt(id) {
    const item = this.participants.get(id)?.item;
    const doubts = item === undefined ? undefined : this.timelines.get(item)?.doubts;
    if (doubts) delete doubts[id];
  }
}

/** @param {Timeline} timeline @param {number} duration */
function learn(timeline, duration) {
  timeline.duration = duration;
  timeline.doubts = {};
  delete timeline.seekWindow;
  // A position beyond the end moves there for good; a playing item ends by the event that follows.
  if (timeline.phase !== "playing") timeline.mediaTime = Math.min(timeline.mediaTime, duration);
}

/** @param {any} event @returns {any} the fields of a participant */
function pick({ participant, user, device, name, keeper, role, joinedAt, ready }) {
  return { participant, user, device, name, keeper, role, joinedAt, ready };
}

/** The group: who its members are, its live session, and what apps keep in it. */
export class GroupMirror {
  /** @param {any} message */
  constructor(message) {
    /** @type {string} */ this.id = message.group;
    /** @type {number} */ this.seq = message.seq;
    /** @type {string} the user who opened it */ this.founder = message.founder;
    /** @type {string | undefined} */ this.session = message.session;
    /** @type {Map<string, {device: string, user: string, name: string, keeper?: boolean, lostUntil?: number}>} */
    this.members = new Map(message.members.map((/** @type {any} */ one) => [one.device, { ...one }]));
    this.isClosed = message.closed === true;
    /** @type {Map<string, {version: number, fields: Record<string, unknown>}>} */
    this.objects = new Map((message.objects ?? []).map(
      (/** @type {any} */ { object, version, fields }) => [object, { version, fields }]));
  }

  /** @param {any} event with the next number */
  evolve(event) {
    this.seq = event.seq;
    const one = this.members.get(event.device);
    switch (event.event) {
      case "memberJoined": {
        const { device, user, name, keeper } = event;
        this.members.set(device, { device, user, name, keeper });
        return;
      }
      case "memberLeft": this.members.delete(event.device); return;
      case "memberLost": if (one) one.lostUntil = event.until; return;
      case "memberResumed": if (one) delete one.lostUntil; return;
      case "interrupted":
        for (const each of this.members.values()) each.lostUntil ??= event.until;
        return;
      case "sessionStarted": this.session = event.session; return;
      case "sessionEnded": this.session = undefined; return;
      case "objectUpdated": return this.#change(event);
      case "objectRemoved": this.objects.delete(event.object); return;
      case "closed": this.isClosed = true; return;
    }
  }

  /**
   * Takes out what is null, and leaves what is not named (RFC 7396, one level).
   * @param {any} event
   */
  #change({ object, set, seq }) {
    const changed = Object.entries({ ...this.objects.get(object)?.fields, ...set });
    const fields = Object.fromEntries(changed.filter(([, value]) => value !== null));
    this.objects.set(object, { version: seq, fields });
  }
}
