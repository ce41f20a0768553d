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
