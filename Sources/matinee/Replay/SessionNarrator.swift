import GroupSessions
import Journals
import Participation
import Playback
import Vocabulary
import Wire

/// Describes a session's events in English, using the names of participants and titles of items.
struct SessionNarrator {
  /// How important a line is to a reader.
  enum Weight: Equatable {
    /// A message between machines.
    case detail
    case usual
    /// An action of a person.
    case person
    case end
  }

  struct Line: Equatable {
    let text: String
    let weight: Weight
  }

  private(set) var names: [ParticipantID: String] = [:]
  private var titles: [ItemID: String] = [:]
  private var entries: [EntryID: String] = [:]
  private let id: SessionID
  private let snapshot: GroupSession?
  /// The session after the last event, for names that no event contains, such as the queue entry
  /// of an activity; `nil` while its state is unknown.
  private var session: GroupSession?

  /// Knows the names in the history's snapshot from the start.
  init(_ history: SessionHistory) {
    id = history.summary.session
    snapshot = history.snapshot?.session
    if let snapshot { note(snapshot) }
  }

  /// Describes the next event.
  mutating func tell(_ entry: SessionHistory.Entry) -> Line {
    follow(entry)
    switch entry.event {
    case .joined(let participant): names[participant.id] = participant.name
    case .queue(.inserted(let added, _), _): for entry in added { note(entry) }
    case .began, .activitySet: if let session { note(session) }
    default: break
    }
    return words(for: entry.event)
  }

  private mutating func follow(_ entry: SessionHistory.Entry) {
    if case .began(let beginning) = entry.event {
      session = GroupSession(id: id, beginning)
      return
    }
    // Retention deletes the events up to the snapshot's own, too.
    if session == nil, let snapshot, snapshot.seq + 1 == entry.seq { session = snapshot }
    if let session, session.seq + 1 == entry.seq {
      self.session?.evolve(entry.event, at: entry.at)
    }
  }

  func name(_ id: ParticipantID) -> String { names[id] ?? id.text }
  func title(_ id: ItemID) -> String { "“\(titles[id] ?? id.text)”" }
  func title(_ id: EntryID) -> String { entries[id] ?? "entry \(id)" }

  private mutating func note(_ session: GroupSession) {
    for participant in session.participants.values { names[participant.id] = participant.name }
    note(session.activity.media)
    for entry in session.queue.entries { note(entry) }
  }

  private mutating func note(_ media: MediaItem?) {
    guard let media else { return }
    titles[media.item] = media.title ?? media.item.text
  }

  private mutating func note(_ entry: QueueEntry) {
    note(entry.media)
    entries[entry.id] = title(entry.media.item)
  }
}

extension SessionNarrator {
  private func words(for event: SessionEvent) -> Line {
    switch event {
    case .began(let beginning): person(opening(beginning))
    case .activated(let initiator, _): person("\(initiator.name) activated it")
    case .joined(let participant):
      person("\(participant.name) joined as \(participant.role.phrase)")
    case .left(let id, let reason): person(departure(id, reason))
    case .lost(let id, _): person(did(id, .lostConnection))
    case .resumed(let id): person(did(id, .cameBack))
    case .interrupted: usual("the server was down; everyone must reconnect")
    case .declined(let device): usual("the device \(device) declined")
    case .invited(let users, _, let id):
      id.map { person("\(name($0)) invited \(list(users))") }
        ?? usual("\(list(users)) \(users.count == 1 ? "is" : "are") invited")
    case .invitationAnswered(let user, let answer, _):
      person("\(user) \(answer.rawValue) the invitation")
    case .invitationsRevoked(let users, let id):
      person("\(name(id)) revoked the invitation of \(list(users))")
    case .invitationsExpired(let users): usual("the invitation of \(list(users)) expired")
    case .activitySet(let activity, _, let id):
      person(did(id, .changedActivity(title: "“\(activity.metadata.title)”")))
    case .roleSet(let id, let role, let by):
      by.map { person(did($0, .gaveRole(role, to: name(id)))) }
        ?? usual("\(name(id)) becomes \(role.phrase)")
    case .readinessSet(let id, let isReady, let by):
      person(did(by, id == by ? .saidReady(isReady) : .setReadiness(isReady, of: name(id))))
    case .controlSet(let control, let id): person("\(name(id)) \(control.deed)")
    case .dismissalPolicySet(let policy, let id):
      person("\(name(id)) changed the rules: \(policy.phrase)")
    case .messageSent(let text, let recipients, let id): person(message(text, recipients, id))
    case .queue(let event, let id):
      id.map { person("\(name($0)) \(deed(event))") }
        ?? usual("the queue \(deed(event)) automatically")
    case .attachmentAdded(let attachment): person(did(attachment.by, .addedAttachment))
    case .attachmentRemoved(_, let id): person(did(id, .removedAttachment))
    case .playback(let event): words(for: event)
    case .ended(let reason): Line(text: "it ended: \(reason.text(name))", weight: .end)
    }
  }

  private func list(_ users: [UserID]) -> String { users.map(\.text).joined(separator: ", ") }

  private func opening(_ beginning: SessionBeginning) -> String {
    let title = beginning.activity.metadata.title
    let start =
      beginning.isStaged
      ? "\(beginning.initiator.name) staged “\(title)”"
      : "\(beginning.initiator.name) started “\(title)”"
    return "\(start) in group \(beginning.group)"
      + (beginning.control == .everyone ? "" : "; \(beginning.control.phrase)")
      + (beginning.dismissalPolicy == .endsWithInitiator
        ? "" : "; \(beginning.dismissalPolicy.phrase)")
  }

  private func departure(_ id: ParticipantID, _ reason: LeaveReason) -> String {
    let text = did(id, .left(reason))
    guard case .removed(let host, let isBanned) = reason else { return text }
    return "\(text) by \(name(host))" + (isBanned ? ", for good" : "")
  }

  private func message(
    _ text: JSONText, _ recipients: Recipients, _ id: ParticipantID
  ) -> String {
    guard case .only(let ids) = recipients else { return "\(name(id)): \(text.spoken)" }
    return "\(name(id)) to \(ids.map(name).joined(separator: ", ")): \(text.spoken)"
  }

  /// Uses the same words as clients.
  func did(_ id: ParticipantID, _ action: Client.SessionNotice.Action) -> String {
    "\(name(id)) \(action.text)"
  }

  func person(_ text: String) -> Line { Line(text: text, weight: .person) }
  func usual(_ text: String) -> Line { Line(text: text, weight: .usual) }
  func detail(_ text: String) -> Line { Line(text: text, weight: .detail) }
}

extension Role {
  /// The role with its article.
  fileprivate var phrase: String { "a \(noun)" }
}

extension ControlPolicy {
  fileprivate var deed: String {
    switch self {
    case .everyone: "lets everyone control playback"
    case .hostsOnly: "lets only hosts control playback"
    }
  }

  /// The policy in words.
  var phrase: String {
    switch self {
    case .everyone: "everyone controls playback"
    case .hostsOnly: "only hosts control playback"
    }
  }
}

extension DismissalPolicy {
  /// The policy in words.
  var phrase: String {
    switch self {
    case .endsWithInitiator: "it ends when its initiator dismisses it"
    case .endsForEveryone: "it ends when any participant dismisses it"
    case .leavesOnly: "a participant who dismisses it leaves"
    }
  }
}

extension SessionNarrator {
  /// Describes a change of the queue, without its originator.
  func deed(_ event: QueueEvent) -> String {
    switch event {
    case .inserted(let added, let place):
      let titles = added.map { title($0.id) }.joined(separator: ", ")
      return "put \(titles) into the queue, \(text(of: place))"
    case .moved(let entry, let place): return "moved \(title(entry)) \(text(of: place))"
    case .removed(let entry): return "took \(title(entry)) out of the queue"
    case .cleared: return "cleared the queue"
    case .selected(let entry): return "went on to \(title(entry))"
    case .repeatSet(.off): return "set the queue to repeat nothing"
    case .repeatSet(.one): return "set the queue to repeat what is on"
    case .repeatSet(.all): return "set the queue to repeat from the start"
    case .shuffled: return "shuffled the queue"
    case .unshuffled: return "put the queue back in order"
    case .autoAdvanceSet(true): return "turned automatic advance on"
    case .autoAdvanceSet(false): return "turned automatic advance off"
    }
  }

  private func text(of place: EntryID?) -> String {
    place.map { "after \(title($0))" } ?? "at the front"
  }
}

extension SessionNarrator {
  /// Describes a playback event.
  func words(for event: PlaybackEvent) -> Line {
    switch event {
    case .itemSelected(let item?, let id): detail("\(name(id)) opens \(title(item))")
    case .itemSelected(nil, let id): detail("\(name(id)) has no item open")
    case .timelineSet(let item, let phase, let rate, let action, let id):
      words(for: action, on: item, Timeline(phase: phase, rate: rate, seq: 0), by: id)
    case .itemAdvanced(let old, let new, let phase, let rate):
      usual(
        "\(title(old)) ended; \(title(new)) is next, "
          + Timeline(phase: phase, rate: rate, seq: 0).phaseText)
    case .durationLearned(let item, let length):
      detail("\(title(item)) is \(length.clockText) long")
    case .durationDoubted(let item, let length, let id):
      detail("to \(name(id))'s player, \(title(item)) is \(length.clockText) long")
    case .interstitialsDeclared(let item, let breaks):
      detail("\(title(item)) has \(counted(breaks.ranges.count, "break"))")
    case .seekWindowSet(let item, let window):
      detail(
        "\(title(item)) is live: \(window.start.clockText) to \(window.end.clockText) "
          + "is seekable")
    case .readied(let id, _): detail("\(name(id)) is ready")
    case .finished(let id, _): detail("\(name(id))'s player is at the end")
    case .suspensionBegan(let id, _, let reason, isImposed: true):
      usual("\(name(id)) was not ready in time (\(reason.spokenText))")
    case .suspensionBegan(let id, _, let reason, isImposed: false):
      person(did(id, .steppedOut(reason)))
    case .suspensionEnded(let id, _): person(did(id, .steppedIn))
    case .waitingPolicySet(let policy, let id):
      person("\(name(id)) changed the rules: \(policy.phrase)")
    case .timelineUnattended(let item, _): detail("nobody has \(title(item)) open now")
    case .timelineDropped(let item): detail("\(title(item)) is removed")
    }
  }

  private func words(
    for action: TimelineAction, on item: ItemID, _ timeline: Timeline, by id: ParticipantID?
  ) -> Line {
    let phase = timeline.phaseText
    guard let id else { return usual("\(happening(action, item))\(phase)") }
    return switch action {
    case .play: person("\(did(id, .played)): \(phase)")
    case .pause: person("\(name(id)) \(phase)")
    case .seek:
      person("\(did(id, .sought(to: timeline.position))): \(phase)")
    case .setRate: person("\(did(id, .changedRate(timeline.rate))): \(phase)")
    case .wait: usual("\(did(id, .heldUp)): \(phase)")
    case .propose: usual("\(name(id)) contributes \(title(item)): \(phase)")
    case .start, .freeze, .end: usual("\(happening(action, item))\(phase)")
    }
  }

  /// The start of the text for an action without an originator; the item's phase follows.
  private func happening(_ action: TimelineAction, _ item: ItemID) -> String {
    switch action {
    case .freeze: "nobody is watching: "
    case .end: "\(title(item)) "
    case .wait: "somebody needs a moment: "
    case .propose, .play, .start, .pause, .seek, .setRate: ""
    }
  }
}

extension Timeline {
  /// The current or starting position.
  fileprivate var position: MediaTime {
    switch phase {
    case .paused(let position), .ended(let position): position
    case .preparing(let barrier): barrier.from
    case .playing(let anchor): anchor.mediaTime
    }
  }
}

extension WaitingPolicy {
  /// The policy in words.
  var phrase: String {
    guard !reasons.isEmpty else { return "nobody is waited for" }
    let names = reasons.map { reason in
      reason.spokenText + (participantLimits[reason].map { ", up to \($0) people" } ?? "")
    }
    let list = names.sorted().joined(separator: "; ")
    return "waits for others (\(list)), at most \(maximumWait.clockText)"
  }
}
