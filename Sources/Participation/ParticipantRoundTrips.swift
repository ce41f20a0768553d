import Vocabulary

extension Client {
  /// The late round trips of a client's pings.
  struct RoundTrips: Equatable, Sendable {
    /// One and a half minutes of pings: long enough for a percentile, short enough to forget a
    /// train's tunnel.
    private static let window = 20

    private var latest: [Duration] = []

    mutating func note(_ roundTrip: Duration) {
      latest.append(roundTrip)
      if latest.count > Self.window { latest.removeFirst() }
    }

    /// The 95th percentile, for the lead of common starts; `nil` before the first pong.
    var slow: Duration? {
      guard !latest.isEmpty else { return nil }
      let rank = (latest.count * 95 + 99) / 100
      return latest.sorted()[rank - 1]
    }
  }
}
