import Vocabulary

/// The round trip time of a client, measured by the stamps that it returns; in microseconds, stored
/// in 32 bits.
struct Latency: Equatable, Sendable {
  private static let unknown: Int32 = -1
  /// A stamp returned later than this is ignored, because it does not measure the line.
  private static let longest: Int64 = 60_000_000

  private var lastTrip: Int32 = 0
  private var smoothed = unknown
  /// The smoothed deviation of round trips from their average, with a weight of one quarter (RFC
  /// 6298).
  private var deviation: Int32 = 0

  /// Records a stamp that came back after this many microseconds; negative and very long times are
  /// ignored.
  mutating func note(microseconds echoed: Int64) {
    guard (0...Self.longest).contains(echoed) else { return }
    let trip = Int32(echoed)
    lastTrip = trip
    guard smoothed != Self.unknown else { return smoothed = trip }
    deviation += (abs(trip - smoothed) - deviation) / 4
    let weight = trip < smoothed ? Self.weightOfLess : Self.weightOfMore
    smoothed += Int32((Double(trip - smoothed) * weight).rounded())
  }

  /// The smoothing weights: quick for shorter trips, slow for longer ones.
  ///
  /// A client that opens its player answers late. With the reference's 0.15 in both directions, a
  /// first answer that took one second still made up half of the estimate after five more answers.
  private static let (weightOfLess, weightOfMore) = (0.5, 0.1)

  /// Whether any stamp has come back.
  var isKnown: Bool { smoothed != Self.unknown }

  /// The round trip that the client is told, in seconds: long enough that the client rarely
  /// measures a longer one.
  ///
  /// If the client measures a longer one, it takes the difference for the delay of the current line
  /// and seeks further by it. On a line with jitter that delay usually belongs to another line.
  var roundTrip: Double { Double(max(Int64(lastTrip), bound)) / 1_000_000 }

  /// The time that a line takes to the client, in microseconds.
  ///
  /// It is half the round trip. The reference adds the difference to the client's own measurement,
  /// so that one late answer counts as a slow line.
  var oneWay: Int64 { Int64(max(smoothed, 0)) / 2 }

  /// A round trip that about 95 % of the trips stay below.
  var late: Duration { .microseconds(bound) }

  private var bound: Int64 { Int64(max(smoothed, 0)) + Int64(deviation) * 2 }
}
