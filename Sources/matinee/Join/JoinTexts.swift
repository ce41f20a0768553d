import MatineeClient
import Scenarios

// What the client's values say to people.

extension ConnectionState {
  /// How the connection stands; `nil` once the person has left, who knows that they did.
  var text: String? {
    switch self {
    case .connecting(nil): "connecting"
    case .connecting(let why?): "trying again: \(why)"
    case .online: "connected"
    case .reconnecting(let why): "connection lost, trying to get it back: \(why)"
    case .offline(let error): error.code == .closed ? nil : "gone: \(error.text)"
    }
  }

  /// The state in the words of conditions.
  var observed: Observation.Connection {
    switch self {
    case .connecting: .connecting
    case .online: .connected
    case .reconnecting: .reconnecting
    case .offline: .closed
    }
  }
}

extension InvalidationReason {
  /// The reason; `name` says what the session's participants are called.
  func text(_ name: (ParticipantID) -> String) -> String {
    switch self {
    case .left: "you left"
    case .dismissed: "you dismissed it"
    case .declined: "you declined"
    case .endedBy(let id): "\(name(id)) ended it for all"
    case .dismissedBy(let id): "\(name(id)) dismissed it for all"
    case .initiatorLeft: "the one who started it left"
    case .replaced(let session): "session \(session) took its place"
    case .withdrawn: "it was taken back"
    case .neverJoined: "nobody joined in time"
    case .empty: "everyone has left"
    case .groupClosed: "the group closed"
    case .serverShutdown: "the server was stopped"
    case .removed: "a host removed you"
    case .handedOff: "you go on with another device"
    case .notEligible: "you cannot take part any more"
    case .joinFailed(let error): "joining failed: \(error.text)"
    case .connectionLost: "the connection was away for too long"
    case .serverRestarted: "the server was started anew"
    case .closed: "closed"
    }
  }

  /// Who is behind it, if somebody is.
  var originator: ParticipantID? {
    switch self {
    case .endedBy(let id), .dismissedBy(let id), .removed(by: let id, _): id
    default: nil
    }
  }

  /// The reason in the words of conditions.
  var observed: String {
    if case .joinFailed(let error) = self { "joinFailed:\(error.code)" } else { description }
  }
}

extension PlaybackStatus {
  /// What the item is doing since its last event.
  var phaseText: String {
    switch phase {
    case .paused(let place): "paused at \(place.clockText)"
    case .preparing(let place):
      isUnattended ? "waits at \(place.clockText)" : "getting ready at \(place.clockText)"
    case .playing(let place, _):
      "playing from \(place.clockText)" + (rate == 1 ? "" : " at \(rate)×")
    case .ended: "ended"
    }
  }

  /// Where the item stands.
  func text(at now: Instant) -> String {
    let place = position(at: now).clockText
    let length = duration.map { " of \($0.clockText)" } ?? ""
    return switch phase {
    case .paused: "paused at \(place)\(length)"
    case .preparing:
      isUnattended ? "waits at \(place) for someone to watch" : "getting ready at \(place)"
    case .playing: "playing at \(place)\(length)" + (rate == 1 ? "" : " at \(rate)×")
    case .ended: "ended at \(place)"
    }
  }
}

extension PlaybackCorrection.Kind {
  /// What was done about a player that is off.
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
