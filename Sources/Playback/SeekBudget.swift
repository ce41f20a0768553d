package import Vocabulary

/// How often a player may be made to jump: a viewer forgives a few jumps, and a player that needs
/// more of them cannot keep up.
package struct SeekBudget: Equatable, Sendable {
  /// What may be done about an error that needs a seek.
  package enum Verdict: Equatable, Sendable {
    /// Seek now; the budget counts it.
    case allowed
    /// The last seek is too recent to judge: wait.
    case frozen
    /// The minute's seeks are used up.
    case exhausted
  }

  /// Corrective seeks in any minute.
  package static let perMinute = 6
  private static let shortestFreeze = Duration.seconds(2)

  private var recent: [HostTime] = []
  private var frozenUntil: HostTime?

  /// A budget nothing was taken from.
  package init() {}

  /// Asks for a seek whose learned cost is this.
  ///
  /// A seek is followed by a freeze of two seconds or three times its cost, whichever is longer:
  /// without it the time a seek takes is mistaken for drift, and one seek begets the next.
  package mutating func request(cost: Duration, at now: HostTime) -> Verdict {
    if let frozenUntil, now < frozenUntil { return .frozen }
    recent.removeAll { now - $0 >= .seconds(60) }
    guard recent.count < Self.perMinute else { return .exhausted }
    recent.append(now)
    frozenUntil = now + max(Self.shortestFreeze, cost * 3)
    return .allowed
  }
}
