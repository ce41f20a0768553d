import Testing
import Vocabulary

@testable import Clusters

/// A server that compares its clock with the database's.
@Suite struct ClockWatchTests {
  /// What a watch tells of one difference after the other.
  private enum Notice: Equatable {
    case nothing
    case apart(Duration)
    case agreed
  }

  private static let end = Instant(microseconds: 1_700_000_000_000_000)

  private static func told(_ differences: [Duration], roundTrip: Duration = .zero) -> [Notice] {
    var watch = ClockWatch()
    return differences.map { difference in
      let theirs = end - roundTrip / 2 + difference
      guard watch.take(theirs, at: end, after: roundTrip) else { return .nothing }
      return watch.difference.map { .apart($0) } ?? .agreed
    }
  }

  @Test func `clocks that agree to five seconds are not worth a word`() {
    #expect(
      Self.told([.zero, .seconds(5), .seconds(-5)]) == [.nothing, .nothing, .nothing])
  }

  @Test(arguments: [Duration.milliseconds(5001), .milliseconds(-5001), .seconds(86_400)])
  func `a larger difference is told once, and its end once`(difference: Duration) {
    let told = Self.told([difference, difference, .zero, .zero, difference])
    #expect(told == [.apart(difference), .nothing, .agreed, .nothing, .apart(difference)])
  }

  @Test func `a difference near the tolerance is not told again and again`() {
    let told = Self.told([.seconds(6), .seconds(4), .seconds(6), .seconds(3), .seconds(2)])
    #expect(told == [.apart(.seconds(6)), .nothing, .nothing, .nothing, .agreed])
  }

  @Test func `half the round trip may be the comparison's own error`() {
    #expect(Self.told([.seconds(6)], roundTrip: .seconds(2)) == [.nothing])
    let far = Duration.milliseconds(6001)
    #expect(Self.told([far], roundTrip: .seconds(2)) == [.apart(far)])
  }
}
