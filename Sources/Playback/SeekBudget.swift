package import Vocabulary

/// Limits corrective seeks: viewers tolerate a few, and a player that needs more cannot keep up.
package struct SeekBudget: Equatable, Sendable {
  /// Whether a seek is allowed.
  package enum Verdict: Equatable, Sendable {
    /// Seek now; the seek is counted.
    case allowed
    /// The previous seek is too recent for its effect to show.
    case frozen
    /// The seeks of this minute are used up.
    case exhausted
  }

  /// The number of corrective seeks in any minute.
  package static let perMinute = 6
  private static let shortestFreeze = Duration.seconds(2)

  private var recent: [HostTime] = []
  private var frozenUntil: HostTime?

  /// Makes an unused budget.
  package init() {}

  /// Requests a seek with this learned cost.
  ///
  /// After a seek the budget is frozen for two seconds or three times the cost, whichever is
  /// longer. Otherwise the time that the seek takes would look like drift and cause another seek.
  package mutating func request(cost: Duration, at now: HostTime) -> Verdict {
    if let frozenUntil, now < frozenUntil { return .frozen }
    recent.removeAll { now - $0 >= .seconds(60) }
    guard recent.count < Self.perMinute else { return .exhausted }
    recent.append(now)
    frozenUntil = now + max(Self.shortestFreeze, cost * 3)
    return .allowed
  }
}
