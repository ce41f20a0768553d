import Playback
import Testing
import Vocabulary

@testable import MatineeClient
@testable import Participation

/// Where the group is, for an app's progress bar.
@Suite struct PlaybackStatusTests {
  private static let start = Instant(microseconds: 1_000_000_000)

  private func status(
    _ phase: Timeline.Phase, rate: Rate = .normal, duration: Duration? = .seconds(100)
  ) -> MatineeClient.PlaybackStatus {
    MatineeClient.PlaybackStatus(
      Client.PlaybackStatus(
        item: ItemID("film"),
        timeline: Timeline(phase: phase, rate: rate, seq: 1, duration: duration),
        waitingFor: [], suspensions: [], isLoaded: true))
  }

  private func playing(
    rate: Rate = .normal, duration: Duration? = .seconds(100)
  ) -> MatineeClient.PlaybackStatus {
    let anchor = TimelineAnchor(mediaTime: .seconds(60), at: Self.start, rate: rate)
    return status(.playing(anchor), rate: rate, duration: duration)
  }

  @Test func `a playing group moves on, at its rate, up to the item's end`() throws {
    #expect(playing().position(at: Self.start + .seconds(10)) == .seconds(70))
    let double = try #require(Rate(2))
    #expect(playing(rate: double).position(at: Self.start + .seconds(10)) == .seconds(80))
    #expect(playing().position(at: Self.start + .seconds(50)) == .seconds(100))
    #expect(playing(duration: nil).position(at: Self.start + .seconds(50)) == .seconds(110))
  }

  @Test func `a group that is about to play has not moved yet`() {
    #expect(playing().position(at: Self.start - .seconds(1)) == .seconds(60))
    let barrier = StartBarrier(from: .seconds(7), rate: .normal, due: nil, patience: nil)
    #expect(status(.preparing(barrier)).position(at: Self.start + .seconds(50)) == .seconds(7))
  }

  @Test func `a group that is paused or at the end stands still`() {
    let later = Self.start + .seconds(50)
    #expect(status(.paused(at: .seconds(9))).position(at: later) == .seconds(9))
    #expect(status(.ended(at: .seconds(100))).position(at: later) == .seconds(100))
  }
}
