import Participation
import Playback
import Testing
import Vocabulary

// Brought to the group anew, as an app asks whose player went its own way.

extension FollowerTests {
  @Test func `asked to, it stops a player anew and goes to the position again`() {
    var follower = rested()
    #expect(
      follower.handle(.reapply, at: at(5)) == [.player(.pause), .player(.seek(to: position(10)))])
    #expect(follower.handle(.player(.paused), at: at(5.02)) == [], "it did run")
    #expect(follower.handle(.player(.seekFinished(at: position(10))), at: at(5.1)) == [])
    #expect(follower.handle(.clock(clock), at: at(5.2)) == [])
  }

  @Test func `asked to during a seek, it does so once that is over or lost`() {
    var follower = rested()
    let anew: [Follower.Output] = [.player(.pause), .player(.seek(to: position(30)))]
    _ = follower.handle(timeline(7, .paused(at: position(30))), at: at(2))
    #expect(follower.handle(.reapply, at: at(2.01)) == [])
    #expect(follower.handle(.player(.seekFinished(at: position(30))), at: at(2.1)) == anew)
    #expect(follower.handle(.reapply, at: at(2.11)) == [])
    #expect(follower.handle(.deadlineReached, at: at(12.2)) == anew)
    #expect(follower.handle(.player(.seekFinished(at: position(30))), at: at(12.3)) == [])
  }

  @Test func `the late end of a seek that was given up is nobody's wish`() {
    var follower = rested()
    _ = follower.handle(timeline(7, .paused(at: position(30))), at: at(2))
    let again: [Follower.Output] = [.player(.seek(to: position(30)))]
    #expect(follower.handle(.deadlineReached, at: at(12)) == again)
    #expect(follower.handle(.player(.seekFinished(at: position(30))), at: at(20)) == [])
    // The group has gone on by the time the second end is told.
    let next: [Follower.Output] = [.player(.seek(to: position(60)))]
    #expect(follower.handle(timeline(8, .paused(at: position(60))), at: at(20)) == next)
    #expect(follower.handle(.player(.seekFinished(at: position(30))), at: at(20.1)) == [])
    #expect(follower.handle(.player(.seekFinished(at: position(60))), at: at(20.2)) == [])
    #expect(follower.handle(.clock(clock), at: at(20.3)) == [], "it rests at the right position")
    // Each end counts once: the next one there is a person's.
    let wish: [Follower.Output] = [.intent(.seek(to: position(30)))]
    #expect(follower.handle(.player(.seekFinished(at: position(30))), at: at(21)) == wish)
  }

  @Test func `asked to, it brings a running player onto the line again`() throws {
    var follower = running()
    read(&follower, from: 2.1, to: 5)
    let outputs = follower.handle(.reapply, at: at(5))
    #expect(outputs.first == .player(.pause))
    guard case .player(.seek(let target))? = outputs.last else {
      Issue.record("\(outputs)")
      return
    }
    #expect(target > position(13) && target < position(14))
    _ = follower.handle(.player(.paused), at: at(5.01))
    _ = follower.handle(.player(.seekFinished(at: target)), at: at(5.05))
    let due = try #require(follower.nextDeadline)
    #expect(due == at(5) + (target - position(13)))
    #expect(follower.handle(.deadlineReached, at: due) == [.player(.play(rate: 1))])
  }

  @Test func `a player that is not the group's is not brought anywhere`() {
    var follower = running()
    _ = follower.handle(.suspended(true), at: at(5))
    #expect(follower.handle(.reapply, at: at(5)) == [])
    var steered = rested()
    _ = steered.handle(.player(.unpaused), at: at(5))
    #expect(steered.handle(.reapply, at: at(5.1)) == [], "the group has yet to answer")
    var idle = Follower()
    #expect(idle.handle(.reapply, at: at(5)) == [])
  }
}
