import Participation
import Playback
import Testing
import Vocabulary

/// Whole sessions: followers, players, clocks and networks together.
@Suite struct FollowingTests {
  /// Three members, near, middling and far, as in the figures we promise.
  private func world(seed: UInt64, skews: [Double] = [-100, 0, 100]) -> FollowingWorld {
    var world = FollowingWorld(seed: seed)
    world.join(delay: .milliseconds(9), jitter: .milliseconds(2), skew: skews[0])
    world.join(delay: .milliseconds(55), jitter: .milliseconds(10), skew: skews[1])
    world.join(delay: .milliseconds(140), jitter: .milliseconds(20), skew: skews[2])
    world.run(for: .seconds(2))
    return world
  }

  private func median(_ values: [Duration]) -> Duration { values.sorted()[values.count / 2] }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `a whole evening keeps three players together`(seed: UInt64) throws {
    var world = world(seed: seed)
    world.play()
    world.run(for: .seconds(2))
    var steady: [Duration] = []
    world.run(for: .seconds(40)) { steady.append($0.spread) }
    #expect(median(steady) <= .milliseconds(5), "\(median(steady))")
    #expect(
      (world.members[0].position(at: world.now) - world.expected).magnitude < .milliseconds(8))

    world.pause()
    world.run(for: .seconds(2))
    let frames = Set(world.members.map { $0.player.shownFrame(at: $0.host(world.now)) })
    #expect(frames.count == 1)

    world.prepare(from: MediaTime.seconds(1200.013), rate: .normal)
    world.run(for: .seconds(1.2))
    var early: [Duration] = []
    world.run(for: .seconds(1)) { early.append($0.spread) }
    #expect(try #require(early.max()) <= .milliseconds(40))

    world.change(rate: try #require(Rate(1.25)))
    world.run(for: .seconds(1))
    var afterRate: [Duration] = []
    world.run(for: .seconds(20)) { afterRate.append($0.spread) }
    #expect(median(afterRate) <= .milliseconds(5), "\(median(afterRate))")
    #expect(try #require(afterRate.max()) <= .milliseconds(40))
    for _ in 0..<50 where world.members.contains(where: { $0.player.rate != 1.25 }) {
      world.run(for: .milliseconds(100))
    }
    #expect(world.members.allSatisfy { $0.player.rate == 1.25 })
  }
}
