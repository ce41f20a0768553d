package import Vocabulary

/// Judges whether this machine's time of day agrees with the database's.
///
/// Which of the two is wrong, it cannot know.
package struct ClockWatch: Sendable {
  /// How far apart the clocks may be.
  ///
  /// Clocks that are set over the network agree to well under a second. Tokens are judged with a
  /// leeway of a minute, so that the warning comes before anybody is turned away.
  private static let tolerance = Duration.seconds(5)

  /// How far the database's clock is ahead, as told last; `nil` while the clocks agree.
  package private(set) var difference: Duration?

  /// A watch that takes the clocks to agree.
  package init() {}

  /// Compares the clocks.
  ///
  /// A difference within half the tolerance ends a larger one, so that one near the tolerance is not
  /// told again and again.
  ///
  /// - Parameters:
  ///   - theirs: what the database's clock showed at some moment of a round trip.
  ///   - end: what this machine's clock showed at the end of the round trip.
  ///   - roundTrip: how long it took; half of it is the comparison's error.
  /// - Returns: whether ``difference`` has appeared or gone.
  package mutating func take(
    _ theirs: Instant, at end: Instant, after roundTrip: Duration
  ) -> Bool {
    let found = theirs - (end - roundTrip / 2)
    let least = max(found, .zero - found) - roundTrip / 2
    let wasApart = difference != nil
    guard least > (wasApart ? Self.tolerance / 2 : Self.tolerance) else {
      difference = nil
      return wasApart
    }
    if !wasApart { difference = found }
    return !wasApart
  }
}
