/// How long a player takes to carry out a command, learned from its previous commands.
///
/// Uses the median of the last seven times, so that one slow disk access or one wrong reading has
/// no effect.
package struct LearnedCost: Equatable, Sendable {
  private static let memory = 7
  /// A time outside these bounds is due to a stall rather than to the command.
  private static let bounds = Duration.seconds(-2)...Duration.seconds(5)

  private var times: [Duration]

  /// Makes a cost with an expected value, which is used until the player shows its own.
  package init(first: Duration) {
    times = [first]
  }

  /// The cost of an exact seek: mpv's median is 37 ms, its 95th percentile 68 ms (measured).
  package static let seeking = LearnedCost(first: .milliseconds(60))
  /// The cost of a start: mpv starts 0.2 ms after the command (measured); others are learned soon.
  package static let starting = LearnedCost(first: .zero)

  /// The expected cost.
  package var likely: Duration {
    let sorted = times.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// The time to allow for the command so that it is nearly always carried out in time.
  ///
  /// It is the longest remembered time, but at most three times the expected one.
  package var cautious: Duration {
    min(times.max() ?? .zero, likely * 3)
  }

  /// Adds a measured time.
  package mutating func learn(_ time: Duration) {
    times.append(min(max(time, Self.bounds.lowerBound), Self.bounds.upperBound))
    if times.count > Self.memory { times.removeFirst() }
  }
}
