import EventLoops
import LoopTesting
import Participation
import Players
import Testing
import Vocabulary

@testable import MatineeClient

/// What an app's player reports, as the client's follower hears it.
@Suite struct PlayerReportTests {
  private final class Listener: PlayerDelegate {
    var events: [PlayerEvent] = []

    func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime) {
      events.append(event)
    }

    func player(_ player: any Player, didClose reason: PlayerCloseReason) {}
  }

  @Test(arguments: [Duration.zero, .milliseconds(40), .seconds(3)])
  func `a late report of a position counts from the instant that it names`(
    lateness: Duration
  ) throws {
    try TestLoop.run { test in
      let listener = Listener()
      let player = ControlledPlayer(on: test.loop, delegate: listener)
      let number = player.attach(AppPlayer(), isAlone: true, isFollowing: false)
      let earliest = test.loop.now - lateness
      player.tell(.position(.seconds(60), at: .now - lateness), from: number)
      let latest = test.loop.now - lateness
      guard case .position(let position, let moment)? = listener.events.first else {
        Issue.record("heard \(listener.events)")
        return
      }
      // The two clocks are read one after the other.
      let tolerance = Duration.milliseconds(1)
      #expect(position == .seconds(60))
      #expect(moment >= earliest - tolerance && moment <= latest + tolerance)
    }
  }

  @Test func `a position without an instant, or with one to come, counts from now`() throws {
    try TestLoop.run { test in
      let listener = Listener()
      let player = ControlledPlayer(on: test.loop, delegate: listener)
      let number = player.attach(AppPlayer(), isAlone: true, isFollowing: false)
      let earliest = test.loop.now
      player.tell(.position(.seconds(60)), from: number)
      player.tell(.position(.seconds(60), at: .now + .seconds(9)), from: number)
      let latest = test.loop.now
      let moments = listener.events.map { event in
        if case .position(_, let moment) = event { moment } else { HostTime(microseconds: 0) }
      }
      #expect(moments.count == 2 && moments.allSatisfy { $0 >= earliest && $0 <= latest })
    }
  }
}
