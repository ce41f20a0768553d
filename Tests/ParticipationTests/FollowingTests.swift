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

  @Test func `three players run within 5 ms of each other in the median`() {
    var all: [Duration] = []
    for seed in 0..<12 as Range<UInt64> {
      var world = world(seed: seed)
      world.play()
      world.run(for: .seconds(2))
      var steady: [Duration] = []
      world.run(for: .seconds(40)) { steady.append($0.spread) }
      #expect(median(steady) <= .milliseconds(8), "seed \(seed): \(median(steady))")
      let error = world.members[0].position(at: world.now) - world.expected
      #expect(error.magnitude < .milliseconds(8))
      all += steady
    }
    #expect(median(all) <= .milliseconds(5), "\(median(all))")
  }

  @Test func `on a local network only the engage band is left between them`() {
    var world = FollowingWorld(seed: 4)
    for skew in [-100.0, 0, 100] {
      world.join(delay: .microseconds(200), jitter: .microseconds(300), skew: skew)
    }
    world.run(for: .seconds(2))
    world.play()
    world.run(for: .seconds(2))
    var steady: [Duration] = []
    world.run(for: .seconds(60)) { steady.append($0.spread) }
    steady.sort()
    #expect(median(steady) <= .microseconds(3500), "\(median(steady))")
    #expect(steady[steady.count * 99 / 100] <= .milliseconds(7))
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `pause, seek and rate keep them together`(seed: UInt64) throws {
    var world = world(seed: seed)
    world.play()
    world.run(for: .seconds(5))

    world.pause()
    world.run(for: .seconds(2))
    #expect(Set(world.members.map { $0.player.shownFrame(at: $0.host(world.now)) }).count == 1)

    world.prepare(from: MediaTime.seconds(1200.013), rate: .normal)
    world.run(for: .seconds(1.2))
    var early: [Duration] = []
    world.run(for: .seconds(1)) { early.append($0.spread) }
    #expect(try #require(early.max()) <= .milliseconds(40))

    world.change(rate: try #require(Rate(1.25)))
    world.run(for: .seconds(1))
    var later: [Duration] = []
    world.run(for: .seconds(20)) { later.append($0.spread) }
    #expect(median(later) <= .milliseconds(8), "\(median(later))")
    #expect(try #require(later.max()) <= .milliseconds(40))
    for _ in 0..<50 where world.members.contains(where: { $0.player.rate != 1.25 }) {
      world.run(for: .milliseconds(100))
    }
    #expect(world.members.allSatisfy { $0.player.rate == 1.25 })
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `a late joiner is with the others within 1.5 seconds`(seed: UInt64) {
    var world = world(seed: seed)
    world.play()
    world.run(for: .seconds(10))
    let joiner = world.join(delay: .milliseconds(140), jitter: .milliseconds(20), skew: 50)
    world.run(for: .seconds(1.5))
    var errors: [Duration] = []
    world.run(for: .seconds(5)) {
      errors.append(($0.members[joiner].position(at: $0.now) - $0.expected).magnitude)
    }
    #expect(errors.max() ?? .zero <= .milliseconds(12), "\(errors.max() ?? .zero)")
  }

  @Test func `players of all sorts stay together`() {
    var world = FollowingWorld(seed: 8)
    var slow = PlayerTraits()
    slow.startCost = .milliseconds(80)
    slow.seekCost = .milliseconds(400)
    slow.commandLatency = .milliseconds(60)
    slow.rateError = 0.005
    slow.clockError = 150
    var browser = PlayerTraits()
    browser.readsFrames = true
    browser.rateError = -0.005
    world.join(delay: .milliseconds(10), jitter: .milliseconds(2), skew: 30)
    world.join(delay: .milliseconds(10), jitter: .milliseconds(2), skew: -30, traits: slow)
    world.join(delay: .milliseconds(60), jitter: .milliseconds(8), skew: 10, traits: browser)
    world.run(for: .seconds(2))
    world.play()
    world.run(for: .seconds(12))
    var steady: [Duration] = []
    world.run(for: .seconds(60)) { steady.append($0.spread) }
    #expect(steady.max() ?? .zero <= .milliseconds(45), "\(steady.max() ?? .zero)")
    for member in world.members {
      let seeks = member.outputs.filter {
        if case .player(.seek) = $0.output { true } else { false }
      }
      #expect(seeks.count <= 2)
    }
  }

  @Test func `a start that is slow is learned, so the second is on time`() {
    var world = FollowingWorld(seed: 8)
    var slow = PlayerTraits()
    slow.startCost = .milliseconds(150)
    world.join(delay: .milliseconds(10), jitter: .milliseconds(2), skew: 0)
    world.join(delay: .milliseconds(10), jitter: .milliseconds(2), skew: 0, traits: slow)
    world.run(for: .seconds(2))
    for _ in 0..<4 {
      world.play()
      world.run(for: .seconds(8))
      world.pause()
      world.run(for: .seconds(1))
    }
    world.play()
    world.run(for: .seconds(1.2))
    #expect(world.spread <= .milliseconds(10), "\(world.spread)")
  }

  @Test func `after a stall it steps out, comes back and is where the group is`() {
    var world = world(seed: 3)
    world.play()
    world.run(for: .seconds(5))
    let from = world.members[0].outputs.count
    world.members[0].player.stall(for: .seconds(4), at: world.members[0].host(world.now))
    world.run(for: .seconds(4.5))
    let outputs = world.members[0].outputs[from...].map(\.output)
    #expect(outputs.contains(.suspend(.stallRecovery)))
    #expect(outputs.contains(.endSuspension))
    world.run(for: .seconds(1))
    #expect(world.spread <= .milliseconds(12))
    #expect(world.members[1].outputs.count > 0, "the others ran on")
    #expect(world.expected > .seconds(9))
  }

  @Test func `a soundbar's delay is played ahead of, and paused on the same frame`() {
    var world = FollowingWorld(seed: 3)
    world.join(delay: .milliseconds(5), jitter: .milliseconds(1), skew: 0)
    world.join(
      delay: .milliseconds(5), jitter: .milliseconds(1), skew: 0, playerOffset: .milliseconds(180))
    world.run(for: .seconds(2))
    world.play()
    world.run(for: .seconds(0.8))
    let atStart =
      world.members[1].position(at: world.now) - world.members[0].position(at: world.now)
    #expect((atStart - .milliseconds(180)).magnitude <= .milliseconds(5), "\(atStart)")
    world.run(for: .seconds(6))
    let ahead = world.members[1].position(at: world.now) - world.members[0].position(at: world.now)
    #expect((ahead - .milliseconds(180)).magnitude <= .milliseconds(5))
    world.pause()
    world.run(for: .seconds(1))
    #expect(Set(world.members.map { $0.player.shownFrame(at: $0.host(world.now)) }).count == 1)
  }

  @Test func `nothing happens while nothing disturbs`() {
    var world = FollowingWorld(seed: 6)
    world.join(delay: .microseconds(200), jitter: .microseconds(200), skew: 0)
    world.run(for: .seconds(2))
    world.play()
    world.run(for: .seconds(3))
    let before = world.members[0].outputs.count
    world.run(for: .seconds(300))
    let later = world.members[0].outputs[before...].filter {
      if case .status = $0.output { false } else { true }
    }
    #expect(later.isEmpty)
    #expect(world.members[0].outputs.count - before >= 250, "the status goes on")
  }
}
