import Participation
import Playback
import Testing
import Vocabulary

// What the person at the player wants, told from the echoes of what the follower does.

extension FollowerTests {
  @Test func `echoes of own commands are no one's wish`() {
    var follower = running()
    #expect(
      follower.handle(timeline(3, .paused(at: position(20))), at: at(12))
        == [.player(.pause), .player(.seek(to: position(20)))])
    #expect(follower.handle(.player(.paused), at: at(12.3)) == [])
    #expect(follower.handle(.player(.seeked(to: position(20))), at: at(12.3)) == [])
    #expect(follower.handle(.player(.seekFinished(at: position(20))), at: at(12.4)) == [])
    #expect(follower.handle(.player(.paused), at: at(12.5)) == [])
  }

  @Test func `an echo that comes after the next command is still an echo`() {
    var follower = running()
    _ = follower.handle(timeline(3, .paused(at: position(20))), at: at(12))
    _ = follower.handle(.player(.seekFinished(at: position(20))), at: at(12.05))
    _ = follower.handle(timeline(4, playing(20, at: 12.1)), at: at(12.1))
    #expect(follower.handle(.player(.paused), at: at(12.2)) == [])
    #expect(follower.handle(.player(.unpaused), at: at(12.3)) == [])
    #expect(follower.nextDeadline == nil, "it runs on")
  }

  @Test func `a person's pause is an intent, at the position the player stopped`() {
    var follower = running()
    read(&follower, from: 2.1, to: 5)
    #expect(
      follower.handle(.player(.paused), at: at(5)) == [.intent(.pause(at: position(13)))])
    #expect(follower.handle(.clock(clock), at: at(5.1)) == [], "the group has yet to answer")
    #expect(
      follower.handle(timeline(3, .paused(at: position(13))), at: at(5.2))
        == [.player(.seek(to: position(13)))])
  }

  @Test func `a person is told from a coalesced echo once the player was seen to run`() {
    var follower = rested()
    _ = follower.handle(timeline(2, playing(10, at: 2)), at: at(1.5))
    _ = follower.handle(.deadlineReached, at: at(2))
    read(&follower, from: 2.1, to: 3)  // No echo of the start was ever heard.
    #expect(follower.handle(.player(.paused), at: at(3)) == [.intent(.pause(at: position(11)))])
    #expect(
      follower.handle(.player(.unpaused), at: at(3.1)).contains(.player(.pause)),
      "and this is the person too, not the echo of the start")
  }

  @Test func `a person's key that the group does not answer is undone`() throws {
    var follower = running()
    read(&follower, from: 2.1, to: 5)
    _ = follower.handle(.player(.paused), at: at(5))
    let deadline = try #require(follower.nextDeadline)
    #expect(deadline == at(8))
    let outputs = follower.handle(.deadlineReached, at: deadline)
    guard case .player(.seek(let target))? = outputs.first else {
      Issue.record("no seek back to the group: \(outputs)")
      return
    }
    #expect(target > position(16))
  }

  @Test func `a person's play stands still until the group starts together`() {
    var follower = rested()
    #expect(
      follower.handle(.player(.unpaused), at: at(3)) == [.player(.pause), .intent(.play)])
    #expect(follower.handle(.player(.paused), at: at(3.01)) == [])
    #expect(
      follower.handle(timeline(2, preparing(10)), at: at(3.1)) == [.player(.seek(to: position(10)))]
    )
  }

  @Test func `a person's seek is an intent and not fought`() {
    var follower = running()
    read(&follower, from: 2.1, to: 5)
    #expect(
      follower.handle(.player(.seeked(to: position(60))), at: at(5))
        == [.intent(.seek(to: position(60)))])
    #expect(follower.handle(.player(.seekFinished(at: position(60))), at: at(5.05)) == [])
    #expect(follower.handle(.player(.position(position(60.1), at: at(5.2))), at: at(5.2)) == [])
    #expect(
      follower.handle(timeline(3, preparing(60)), at: at(5.3))
        == [.player(.pause), .player(.seek(to: position(60)))])
  }

  @Test func `a refused key is undone by the same timeline again`() {
    var follower = running()
    read(&follower, from: 2.1, to: 5)
    _ = follower.handle(.player(.seeked(to: position(60))), at: at(5))
    _ = follower.handle(.player(.seekFinished(at: position(60))), at: at(5.05))
    let outputs = follower.handle(timeline(2, playing(10, at: 2)), at: at(5.2))
    #expect(outputs.first == .player(.pause))
    guard case .player(.seek(let target))? = outputs.last else {
      Issue.record("stays where the person went: \(outputs)")
      return
    }
    #expect((target - position(13.2)).magnitude < .milliseconds(200))
  }
}
