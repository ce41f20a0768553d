import Vocabulary

/// When a failed push is retried, and when it is given up.
///
/// The wait doubles with each attempt. Half of it is random, so that pushes that failed together
/// are not retried together.
package struct RetryPolicy: Equatable, Sendable {
  /// The longest wait after the first attempt; roughly the restart of a push service.
  package var first = Duration.seconds(4)
  /// The longest wait between attempts; after an outage, pushes arrive within this time.
  package var longest = Duration.seconds(15 * 60)
  /// The longest wait that a push service may request: a day.
  package var longestAsked = Duration.seconds(24 * 3_600)
  /// The number of attempts; with the waits above, 11 to 23 hours in total, so that pushes outlast
  /// an outage of a night.
  package var attempts = 100

  package init() {}

  /// The wait after an attempt, numbered from 1: between half and all of the doubled wait.
  package func wait(
    after attempt: Int, using chance: inout some RandomNumberGenerator
  ) -> Duration {
    let doublings = min(max(attempt, 1) - 1, 30)
    let full = min(first * (1 << doublings), longest)
    let share = Int64.random(in: 500...1_000, using: &chance)
    return full * share / 1_000
  }

  /// Decides what to do after a failed attempt.
  ///
  /// - Parameters:
  ///   - asked: the wait that the push service requested.
  ///   - message: the attempt that failed.
  func outcome(
    of trouble: PushTrouble, asked: Duration?, for message: PushMessage, at now: Instant,
    using chance: inout some RandomNumberGenerator
  ) -> PushOutcome {
    guard message.attempt < attempts else { return .refused(.exhausted(trouble)) }
    // No push returns before the requested time, and not all return at that time.
    let own = wait(after: message.attempt, using: &chance)
    let wait = asked.map { min($0, longestAsked) + own / 2 }.map { max($0, own) } ?? own
    // A push without an expiry has only one attempt.
    guard let expires = message.expires, now + wait < expires else { return .refused(.expired) }
    return .retry(after: wait, because: trouble)
  }
}

/// Parses `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter {
  /// The wait from `now`, a time of day; `nil` if the field is missing or malformed.
  static func duration(of field: String?, at now: Instant) -> Duration? {
    guard let field else { return nil }
    if !field.isEmpty, field.utf8.allSatisfy({ (48...57).contains($0) }) {
      // More digits than fit mean forever.
      return .seconds(Int32(field) ?? .max)
    }
    return instant(of: field).map { max(.zero, $0 - now) }
  }

  private static let months = [
    "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07",
    "Aug": "08", "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12",
  ]

  /// The instant of `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that servers must generate.
  private static func instant(of date: String) -> Instant? {
    let words = date.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
      let month = months[String(words[2])]
    else { return nil }
    return Instant(timestamp: "\(words[3])-\(month)-\(words[1])T\(words[4])Z")
  }
}

/// The meaning of an answer, independent of the number of the attempt.
enum PushVerdict: Equatable, Sendable {
  case delivered
  /// Worth another attempt, not before the time that the push service requested.
  case trouble(PushTrouble, asked: Duration?)
  /// The installation is gone; since that time of day, if the push service says so.
  case forget(since: Instant?)
  /// The token is too old; worth an immediate attempt with another one.
  case staleToken(status: Int, reason: String?)
  case refused(PushRefusal)

  /// Interprets the statuses that all push services use in the same way.
  init(status: Int, reason: String?, asked: Duration?) {
    self =
      switch status {
      case 200..<300: .delivered
      case 300..<400: .refused(.redirected(status: status))
      case 401, 403: .refused(.credentials(status: status, reason: reason))
      case 408, 425, 429, 500..<600:
        .trouble(.busy(status: status, reason: reason), asked: asked)
      default: .refused(.rejected(status: status, reason: reason))
      }
  }
}

/// What all transports share: the clocks, the retry policy and its randomness.
struct PushAttempts {
  private let policy: RetryPolicy
  private let clocks: PushClocks
  private var chance: SplitMix64

  init(policy: RetryPolicy, seed: UInt64, clocks: PushClocks) {
    self.policy = policy
    self.clocks = clocks
    chance = SplitMix64(seed: seed)
  }

  /// The time at which an attempt starts.
  ///
  /// - Throws: ``PushRefusal/expired`` if the push is useless by then.
  func start(_ message: PushMessage) throws(PushRefusal) -> PushTime {
    let now = clocks.read()
    if let expires = message.expires, expires <= now.group { throw .expired }
    return now
  }

  /// The outcome of an attempt that ends now.
  ///
  /// - Parameter start: when the attempt started. If a push service names no time since which an
  ///   installation is gone, it was gone then, and may have been registered again meanwhile.
  mutating func outcome(
    of verdict: PushVerdict, for message: PushMessage, since start: PushTime
  ) -> PushOutcome {
    switch verdict {
    case .delivered: .delivered
    case .forget(let since):
      .forget(since: since.map { clocks.read().group(at: $0) } ?? start.group)
    case .refused(let refusal): .refused(refusal)
    case .staleToken(let status, let reason):
      .refused(.credentials(status: status, reason: reason))
    case .trouble(let trouble, let asked):
      policy.outcome(
        of: trouble, asked: asked, for: message, at: clocks.read().group, using: &chance)
    }
  }
}
