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

  init(at now: Instant, limits: Limits) {
    lastHeard = now
    allowance = Allowance(at: now, limits: limits)
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
struct Allowance: Equatable, Sendable {
  /// Thousandths of messages left.
  private var thousandths: Int
  private var refilledAt: Instant
  /// Messages refused since the last one that was taken.
  private(set) var refusals: Int32 = 0

  init(at now: Instant, limits: Limits) {
    thousandths = limits.messageBurst * 1000
    refilledAt = now
  }

  /// Takes one message, or says how long until one may come.
  mutating func take(at now: Instant, limits: Limits, weight: Int = 1) -> Duration? {
    let elapsed = max(0, min((now - refilledAt).microseconds, 60_000_000))
    let refill = Int(elapsed) * limits.messagesPerSecond / 1000
    if refill > 0 {
      thousandths = min(thousandths + refill, limits.messageBurst * 1000)
      refilledAt = now
    }
    guard thousandths >= weight * 1000 else {
      refusals &+= 1
      let missing = weight * 1000 - thousandths
      return .microseconds(missing * 1000 / max(limits.messagesPerSecond, 1))
    }
    thousandths -= weight * 1000
    refusals = 0
    return nil
  }
}
