import EventLoops
import GroupSessions
import LoopTesting
import MatineeClient
import Participation
import Playback
import Players
import Testing
import Vocabulary
import Wire

/// Clients and the real server over loopback TCP.
@Suite(.serialized) struct LoopParticipantTests {
  private let film = ItemID("film")

  private func run(_ body: (TestWorld, TestLoop) throws -> Void) throws {
    try TestLoop.run { test in
      let world = try TestWorld(test)
      defer { world.close() }
      try body(world, test)
    }
  }

  @Test func `two clients join, play, and are together`() throws {
    try run { world, test in
      let ann = world.add("Ann")
      let bob = world.add("Bob")
      try world.gather()
      ann.participant?.ask(.playback(nil, .play(film)), tag: 4)
      func position(_ member: Recorder) -> MediaTime {
        member.player?.position(at: test.loop.now) ?? .zero
      }
      // A busy machine may mislead one clock for a while.
      try test.run {
        let positions = [position(ann), position(bob)]
        return positions.allSatisfy { $0 > .seconds(1.5) }
          && (positions[0] - positions[1]).magnitude < .milliseconds(40)
      }
      #expect(ann.outcomes(4).count == 1)
      bob.participant?.ask(.playback(nil, .pause(film)), tag: 5)
      try test.run {
        let now = test.loop.now
        return ann.player?.position(at: now) == bob.player?.position(at: now)
          && !bob.outcomes(5).isEmpty
      }
    }
  }

  @Test func `a server that restarts invalidates once, and the group comes together again`()
    throws
  {
    try run { world, test in
      let members = [world.add("Ann"), world.add("Bob")]
      try world.gather()
      world.stopServer()
      try test.run {
        members.allSatisfy { $0.invalidations.count == 1 && $0.value?.isOnline == false }
      }
      try world.startServer()
      try test.run {
        members.allSatisfy { $0.value?.eligibility == .eligible }
      }
      for member in members { #expect(member.invalidations.count == 1) }
    }
  }

  @Test func `a server that is not there is tried again until it is`() throws {
    try run { world, test in
      world.stopServer()
      let ann = world.add("Ann")
      try test.run {
        ann.updates.contains {
          if case .connection(.connecting(.some)) = $0 { true } else { false }
        }
      }
      try world.startServer()
      try test.run { ann.value?.isOnline == true }
    }
  }

  @Test func `after its player is gone a client answers at once for the next item, too`() throws {
    try run { world, test in
      let ann = world.add("Ann")
      let bob = world.add("Bob")
      try world.gather()
      let participant = try #require(ann.participant)
      let player = try #require(ann.player)
      player.close()
      participant.player(player, didClose: .quit)
      let next = ItemID("next")
      let activity = GroupSessions.GroupActivity(
        type: "watch", payload: JSONText(null: ()), metadata: GroupActivityMetadata(title: "Next"),
        media: MediaItem(item: next, url: "next.mp4"))
      bob.participant?.ask(.setActivity(nil, activity, ifRevision: nil), tag: 4)
      try test.run { bob.isOn(next) && ann.value?.session?.activity.media?.item == next }
      participant.ask(.playback(nil, .play(next)), tag: 5)
      try test.run { !ann.outcomes(5).isEmpty }
      #expect(ann.outcomes(5) != [.failed(.timedOut)])
    }
  }

  @Test func `closing ends every wait at once`() throws {
    try run { world, test in
      let ann = world.add("Ann")
      let bob = world.add("Bob")
      try world.gather()
      bob.participant?.ask(.status(), tag: 9)
      let closing = try #require(bob.participant)
      closing.close()
      closing.close()
      #expect(bob.outcomes(9) == [.failed(.closed)])
      #expect(bob.invalidations == [.closed])
      try test.run { ann.value?.session?.participants.count == 1 }
    }
  }
}
