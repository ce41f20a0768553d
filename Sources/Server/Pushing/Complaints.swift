import Vocabulary

/// Which complaint is said, so that one trouble of a thousand pushes is a line in the log.
struct Complaints {
  private struct Raised {
    var next: HostTime
    var unsaid = 0
  }

  /// The shortest time between two of a kind.
  private static let interval = Duration.seconds(60)

  /// By kind, of which there are as many as there are codes.
  private var raised: [String: Raised] = [:]

  /// Raises one of a kind.
  ///
  /// - Returns: `nil` if it is not to be said; or else how many of its kind were not, since the last.
  mutating func raise(_ kind: String, at now: HostTime) -> Int? {
    guard var known = raised[kind], now < known.next else {
      let unsaid = raised[kind]?.unsaid ?? 0
      raised[kind] = Raised(next: now + Self.interval)
      return unsaid
    }
    known.unsaid += 1
    raised[kind] = known
    return nil
  }
}
