import GroupSessions
import Vocabulary

/// One connection as the coordinator sees it.
struct Peer: Equatable, Sendable {
  /// Who it said hello as; `nil` until then.
  var identity: Identity?
  /// When something was last heard from it.
  var lastHeard: Instant
  /// What it may still send at once.
  var allowance: Allowance
  /// How long it may be silent.
  var patience = Patience.hello

  var device: DeviceID? { identity?.device }

  init(at now: Instant) {
    lastHeard = now
    allowance = Allowance(at: now)
  }
}

/// How long a peer may be silent.
enum Patience: Int, Sendable, CaseIterable {
  /// Until it has said hello.
  case hello
  /// One that promised to ping.
  case heartbeat
  /// One that did not.
  case idle

  func duration(_ limits: Limits) -> Duration {
    switch self {
    case .hello: limits.helloDeadline
    case .heartbeat: limits.heartbeatDeadline
    case .idle: limits.idleDeadline
    }
  }
}

/// A token bucket: what a peer may send at once, refilled as time passes.
///
/// How full it is follows from when it will be full: one number instead of two (ITU-T I.371 calls
/// it the generic cell rate algorithm).
struct Allowance: Equatable, Sendable {
  /// When it is full again, if nothing more is taken.
  private var fullAt: Instant
  /// Messages refused since the last one that was taken.
  private(set) var refusals: Int32 = 0

  init(at now: Instant) {
    fullAt = now
  }

  /// Takes one message, or says how long until one may come.
  mutating func take(at now: Instant, limits: Limits, weight: Int = 1) -> Duration? {
    // Whole microseconds are exact enough: beyond a million messages a second nothing is refused.
    let perMessage = 1_000_000 / max(limits.messagesPerSecond, 1)
    let full = max(fullAt, now) + .microseconds(weight * perMessage)
    let wait = full - now - .microseconds(limits.messageBurst * perMessage)
    guard wait <= .zero else {
      refusals &+= 1
      return wait
    }
    fullAt = full
    refusals = 0
    return nil
  }
}
