import GroupSessions
import MatineeClient

// Texts for people about the client's values.

extension ConnectionState {
  /// Whether it was lost, and is tried again.
  var isLost: Bool { if case .reconnecting = self { true } else { false } }

  /// The connection's state; `nil` after the person has left, because they know.
  ///
  /// - Parameter hasToken: whether a token says who the person is.
  func text(hasToken: Bool) -> String? {
    switch self {
    case .connecting(nil): "connecting"
    case .connecting(let why?): "trying again: \(why)"
    case .online: "connected"
    case .reconnecting(let why): "connection lost, trying to get it back: \(why)"
    case .offline(let error):
      error.code == .closed ? nil : "gone: \(error.text(hasToken: hasToken))"
    }
  }
}

extension InvalidationReason {
  /// The reason; `name` returns a participant's name.
  func text(_ name: (ParticipantID) -> String) -> String {
    switch self {
    case .left: "you left"
    case .dismissed: "you dismissed it"
    case .declined: "you declined"
    case .ended(let end): end.text(name)
    case .removed: "a host removed you"
    case .handedOff: "you go on with another device"
    case .notEligible: "you cannot take part any more"
    case .joinFailed(let error): "joining failed: \(error.text)"
    case .connectionLost: "the connection was away for too long"
    case .serverRestarted: "the server was started anew"
    case .closed: "closed"
    }
  }
}

extension PlaybackStatus {
  /// The item's phase since its last event.
  var phaseText: String {
    switch phase {
    case .paused(let position): "paused at \(position.clockText)"
    case .preparing(let position):
      isUnattended ? "waits at \(position.clockText)" : "getting ready at \(position.clockText)"
    case .playing(let position, _):
      "playing from \(position.clockText)" + (rate == 1 ? "" : " at \(rate)×")
    case .ended: "ended"
    }
  }

  /// The item's phase and position now.
  func text(at now: Instant) -> String {
    let time = position(at: now).clockText
    let length = duration.map { " of \($0.clockText)" } ?? ""
    return switch phase {
    case .paused: "paused at \(time)\(length)"
    case .preparing:
      isUnattended ? "waits at \(time) for someone to watch" : "getting ready at \(time)"
    case .playing: "playing at \(time)\(length)" + (rate == 1 ? "" : " at \(rate)×")
    case .ended: "ended at \(time)"
    }
  }
}

extension PlaybackCorrection.Kind {
  /// The correction applied to a player that is out of sync.
  var text: String {
    switch self {
    case .rate(let factor): "speed \(factor)"
    case .groupRate: "back at the group's speed"
    case .seek: "went there"
    case .startedLate: "started late"
    case .gaveUp: "this player cannot keep up"
    }
  }
}

/// A session's queue as lines for a person.
///
/// Each entry has the name that the verbs about the queue take.
struct QueueText {
  /// The lines; none for a queue that holds no more than what is on.
  let lines: [String]

  /// The maximum number of entries listed; with the people above them they fit on a terminal of 24
  /// rows.
  static let limit = 10

  /// Lists the entries from the current one on.
  init(_ entries: [QueueEntry], current: EntryID?) {
    guard entries.contains(where: { $0.id != current }) else {
      lines = []
      return
    }
    let first = entries.firstIndex { $0.id == current } ?? 0
    let shown = entries[first...].prefix(Self.limit)
    let rest = entries.count - first - shown.count
    lines =
      ["queue:"] + (first > 0 ? ["  … \(first) before"] : [])
      + shown.map { ($0.id == current ? "  ▶ " : "    ") + $0.media.nameText }
      + (rest > 0 ? ["  … \(rest) more"] : [])
  }
}

extension MediaItem {
  /// The name that verbs take, in quotation marks if it has several words, and the title if that is
  /// another.
  fileprivate var nameText: String {
    let name = item.text.contains(where: \.isWhitespace) ? "\"\(item.text)\"" : item.text
    guard let title, title != item.text, title != url else { return name }
    return "\(name) “\(title)”"
  }
}
