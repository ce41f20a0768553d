import Testing
import Vocabulary

@testable import Syncplay

/// Who has just opened a file is brought to where the others are.
@Suite struct ArrivalTests {
  private static let now = Instant(microseconds: 1_000_000_000)
  private var arrival = Arrival(since: now)

  /// Whether the client is fetched that is so many milliseconds off, so long after it opened the file.
  private mutating func fetches(_ offset: Int64, to place: Double?, after time: Duration) -> Bool {
    arrival.fetches(offset: offset * 1_000, to: place, at: Self.now + time)
  }

  @Test mutating func `whoever is far off is fetched once a second, wherever the group is`() {
    let fetched = [
      fetches(2_000, to: 0.2, after: .zero), fetches(2_000, to: 0.3, after: .milliseconds(100)),
      fetches(-2_000, to: nil, after: .seconds(1)),
    ]
    #expect(fetched == [true, false, true])
  }

  @Test mutating func `whoever is a little off is moved once, beyond the first second`() {
    let early = fetches(800, to: 0.9, after: .zero)
    let standing = fetches(800, to: nil, after: .zero)
    let close = fetches(100, to: 5, after: .zero)
    #expect([early, standing, close] == [false, false, false])
    let first = fetches(-800, to: 1.2, after: .milliseconds(300))
    let second = fetches(-800, to: 3, after: .seconds(2))
    #expect([first, second] == [true, false])
  }
}
