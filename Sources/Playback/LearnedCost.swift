/// How long a player takes to carry out a command, learned from what it did before.
///
/// The median of the last seven times, so that one slow disk or one reading gone wrong moves
/// nothing.
package struct LearnedCost: Equatable, Sendable {
  private static let memory = 7
  /// Beyond this a time says more about a stall than about the command.
  private static let bounds = Duration.seconds(-2)...Duration.seconds(5)

  private var times: [Duration]

  /// A cost that is expected to be this until the player shows its own.
  package init(first: Duration) {
    times = [first]
  }

  /// Seeking exactly: mpv takes 37 ms in the median and 68 ms at the 95th percentile (measured).
  package static let seeking = LearnedCost(first: .milliseconds(60))
  /// Starting: mpv's media moves 0.2 ms after the command (measured); others show their own soon.
  package static let starting = LearnedCost(first: .zero)

  /// What the command most likely costs.
  package var likely: Duration {
    let sorted = times.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// What the command should be given so that it is done in time nearly always.
  ///
  /// The slowest of the remembered times, but never more than three times the likely one.
  package var cautious: Duration {
    min(times.max() ?? .zero, likely * 3)
  }

  /// Takes in how long the command took this time.
  package mutating func learn(_ time: Duration) {
    times.append(min(max(time, Self.bounds.lowerBound), Self.bounds.upperBound))
    if times.count > Self.memory { times.removeFirst() }
  }
}
