import Vocabulary

/// How long the way to a client and back takes, by the stamps that it sends back; in microseconds,
/// which fit half a word.
struct Latency: Equatable, Sendable {
  private static let unknown: Int32 = -1
  /// Whoever answers a stamp later than this answers something else.
  private static let longest: Int64 = 60_000_000

  private var lastTrip: Int32 = 0
  private var smoothed = unknown
  /// How far round trips are from their average, smoothed by a quarter (RFC 6298).
  private var deviation: Int32 = 0

  /// Takes in a stamp that came back after so long; one from the future, or from long ago, says
  /// nothing.
  mutating func note(microseconds echoed: Int64) {
    guard (0...Self.longest).contains(echoed) else { return }
    let trip = Int32(echoed)
    lastTrip = trip
    guard smoothed != Self.unknown else { return smoothed = trip }
    deviation += (abs(trip - smoothed) - deviation) / 4
    let weight = trip < smoothed ? Self.weightOfLess : Self.weightOfMore
    smoothed += Int32((Double(trip - smoothed) * weight).rounded())
  }

  /// Down quickly and up slowly: a client that opens its player answers late, and with the
  /// reference's 0.15 both ways a first answer after a second was half of what was believed for
  /// five more.
  private static let (weightOfLess, weightOfMore) = (0.5, 0.1)

  /// Whether any stamp came back.
  var isKnown: Bool { smoothed != Self.unknown }

  /// What the client is told of it, in seconds: so much that its own is hardly ever longer.
  ///
  /// What its own is longer by, it takes for the way of the line in hand, and goes as much further;
  /// on a line with jitter that is mostly the way of another one.
  var roundTrip: Double { Double(max(Int64(lastTrip), bound)) / 1_000_000 }

  /// How many microseconds a line takes to the client.
  ///
  /// Half the way there and back; the reference adds what the client's own round trip is shorter
  /// by, which takes one late answer for a slow line.
  var oneWay: Int64 { Int64(max(smoothed, 0)) / 2 }

  /// A round trip that nineteen of twenty stay below.
  var late: Duration { .microseconds(bound) }

  private var bound: Int64 { Int64(max(smoothed, 0)) + Int64(deviation) * 2 }
}
