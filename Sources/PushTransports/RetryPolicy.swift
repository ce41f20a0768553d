import EventLoops
import Vocabulary

/// When a push that came to nothing is tried again, and when it is given up.
///
/// The wait doubles with each attempt, and half of it is chance, so that what failed together does
/// not come back together.
package struct RetryPolicy: Equatable, Sendable {
  /// The wait after the first attempt, at most: what a push service's restart takes.
  package var first = Duration.seconds(4)
  /// The longest wait between attempts: the morning after an outage of a night, nobody waits
  /// longer for what was missed.
  package var longest = Duration.seconds(15 * 60)
  /// The longest wait that a push service may ask for: a day, and not for ever.
  package var longestAsked = Duration.seconds(24 * 3_600)
  /// Attempts in all: with the waits above, some three hours.
  package var attempts = 20

  /// The usual policy.
  package init() {}

  /// The wait after an attempt, numbered from 1: between half of the doubled wait and all of it.
  package func wait(
    after attempt: Int, using chance: inout some RandomNumberGenerator
  ) -> Duration {
    let doublings = min(max(attempt, 1) - 1, 30)
    let full = min(first * (1 << doublings), longest)
    let share = Int64.random(in: 500...1_000, using: &chance)
    return full * share / 1_000
  }

  /// What is to be done after trouble.
  ///
  /// - Parameters:
  ///   - asked: how long the push service asked to be left alone.
  ///   - message: the attempt that failed.
  func outcome(
    of trouble: PushTrouble, asked: Duration?, for message: PushMessage, at now: Instant,
    using chance: inout some RandomNumberGenerator
  ) -> PushOutcome {
    guard message.attempt < attempts else { return .refused(.exhausted(trouble)) }
    // Nobody is to come before the time asked for, nor all at that time.
    let own = wait(after: message.attempt, using: &chance)
    let wait = asked.map { min($0, longestAsked) + own / 2 }.map { max($0, own) } ?? own
    // A push without a time to live has had its one try.
    guard let expires = message.expires, now + wait < expires else { return .refused(.expired) }
    return .retry(after: wait, because: trouble)
  }
}

/// How long a push service asks to be left alone (RFC 9110, 10.2.3).
enum RetryAfter {
  /// The time from `now`; `nil` if the field is missing, or no such field.
  static func duration(of field: String?, at now: Instant) -> Duration? {
    guard let field else { return nil }
    if !field.isEmpty, field.utf8.allSatisfy({ (48...57).contains($0) }) {
      // Whoever writes more digits than fit means for ever.
      return .seconds(Int32(field) ?? .max)
    }
    return instant(of: field).map { max(.zero, $0 - now) }
  }

  private static let months = [
    "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07",
    "Aug": "08", "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12",
  ]

  /// The instant of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is written today.
  private static func instant(of date: String) -> Instant? {
    let words = date.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
      let month = months[String(words[2])]
    else { return nil }
    return Instant(timestamp: "\(words[3])-\(month)-\(words[1])T\(words[4])Z")
  }
}

/// What an answer means, before it is known which attempt it was.
enum PushVerdict: Equatable, Sendable {
  case delivered
  /// Worth another attempt, not before the time that the push service asked for.
  case trouble(PushTrouble, asked: Duration?)
  case forget(since: Instant?)
  /// The token is too old: worth another one at once.
  case staleToken(status: Int, reason: String?)
  case refused(PushRefusal)

  /// What all push services mean alike by a status.
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

/// What all transports do alike: the time, the policy, and the chance in it.
struct PushAttempts: Sendable {
  private let policy: RetryPolicy
  private let chance: Locked<SplitMix64>
  private let now: @Sendable () -> Instant

  init(policy: RetryPolicy, seed: UInt64, now: @escaping @Sendable () -> Instant) {
    self.policy = policy
    chance = Locked(SplitMix64(seed: seed))
    self.now = now
  }

  /// Makes an attempt, and judges how it ended.
  func attempt(
    _ message: PushMessage, _ make: (_ now: Instant) async -> PushVerdict
  ) async -> PushOutcome {
    let start = now()
    if let expires = message.expires, expires <= start { return .refused(.expired) }
    switch await make(start) {
    case .delivered: return .delivered
    case .forget(let since): return .forget(since: since)
    case .refused(let refusal): return .refused(refusal)
    case .staleToken(let status, let reason):
      return .refused(.credentials(status: status, reason: reason))
    case .trouble(let trouble, let asked):
      let end = now()
      return chance.withLock { chance in
        policy.outcome(of: trouble, asked: asked, for: message, at: end, using: &chance)
      }
    }
  }
}
