import Players
import Testing
import Vocabulary

@testable import Stages

@Suite struct PlayheadTrackTests {
  private static let start = HostTime(microseconds: 1_000_000)

  /// A track with a reading every 50 ms, of a player whose position is a function of seconds.
  private func track(_ position: (Double) -> Double) -> PlayheadTrack {
    var track = PlayheadTrack()
    for index in 0..<40 {
      let seconds = Double(index) * 0.05
      track.append(
        PlayheadReading(
          position: .seconds(position(seconds)), at: Self.start + .seconds(seconds),
          roundTrip: .zero,
          source: .sound))
    }
    return track
  }

  private func point(_ track: PlayheadTrack, _ seconds: Double) -> PlayheadTrack.Point? {
    track.point(at: Self.start + .seconds(seconds))
  }

  @Test func `a running player is carried to any instant by its rate`() {
    let track = track { 5 + $0 * 1.5 }
    #expect(point(track, 0.52) == .init(position: .seconds(5.78), isRunning: true))
  }

  @Test func `a start between two readings is found to the microsecond`() {
    let track = track { max(0, $0 - 0.52) }
    #expect(point(track, 0.51) == .init(position: .zero, isRunning: false))
    #expect(point(track, 0.53)?.position == .seconds(0.01))
    #expect(point(track, 0.53)?.isRunning == true)
  }

  @Test func `a stop between two readings is found`() {
    let track = track { min(0.52, $0) }
    #expect(point(track, 0.51)?.position == .seconds(0.51))
    #expect(point(track, 0.54) == .init(position: .seconds(0.52), isRunning: false))
  }

  @Test func `during a jump nothing is known, and around it everything`() {
    let track = track { $0 < 0.52 ? $0 : $0 + 20 }
    #expect(point(track, 0.49) != nil)
    #expect(point(track, 0.51) == nil)
    #expect(point(track, 0.56)?.position == .seconds(20.56))
  }

  @Test func `a reading from a long round trip is not taken in`() {
    var track = track { $0 }
    let count = track.readings.count
    track.append(
      PlayheadReading(
        position: .seconds(9), at: Self.start + .seconds(2), roundTrip: .milliseconds(8),
        source: .sound))
    #expect(track.readings.count == count)
  }
}
