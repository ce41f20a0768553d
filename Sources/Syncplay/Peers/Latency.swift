import Playback
import Vocabulary

/// How long the way to a client and back takes, by the stamps that it sends back.
struct Latency: Equatable, Sendable {
  /// The last round trip.
  private(set) var roundTrip = Duration.zero
  /// The round trip, smoothed as the reference does: 0.85 of what it was, 0.15 of the new one.
  private(set) var average: Duration?
  /// How far round trips are from their average, smoothed by a quarter (RFC 6298).
  private var deviation = Duration.zero

  /// Whoever answers a stamp later than this answers something else.
  private static let longest = Duration.seconds(60)

  /// Takes in a stamp that came back; one from the future, or from long ago, says nothing.
  mutating func note(_ echoed: Duration) {
    guard echoed >= .zero, echoed <= Self.longest else { return }
    roundTrip = echoed
    guard let before = average else { return average = echoed }
    deviation = deviation * 3 / 4 + (echoed - before).magnitude / 4
    average = before * 0.85 + echoed * 0.15
  }

  /// How long a line takes to the client.
  ///
  /// Half the way there and back; the reference adds what the client's own round trip is shorter
  /// by, which takes one late answer for a slow line.
  var oneWay: Duration { (average ?? .zero) / 2 }

  /// A round trip that nineteen of twenty stay below.
  var late: Duration { (average ?? .zero) + deviation * 2 }
}
