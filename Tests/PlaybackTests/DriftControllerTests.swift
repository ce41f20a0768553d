import Playback
import Testing
import Vocabulary

@Suite struct DriftControllerTests {
  private static let errors = [-2.4, -0.6, -0.05, -0.005, -0.0032, 0, 0.004, 0.03, 0.3, 2.4]
  private static let noises: [Duration] = [.microseconds(100), .milliseconds(3), .milliseconds(12)]

  /// Every mixture of error, precision, latency, honesty and skew.
  private func everyWorld(_ body: (inout DriftWorld) -> Void) {
    for error in Self.errors {
      for noise in Self.noises {
        for latency in [0, 50, 100] {
          for (rateError, skew) in [
            (0.0, 0.0), (0.005, 200), (-0.005, 200), (0.005, -200), (-0.005, -200),
          ] {
            var world = DriftWorld(error: error, noise: noise, seed: UInt64(latency + 1))
            world.latency = .milliseconds(latency)
            world.rateError = rateError
            world.skew = skew
            world.buffered = .milliseconds(8 * latency)
            body(&world)
          }
        }
      }
    }
  }

  @Test func `every error ends inside the engage band at exactly the group's rate`() {
    everyWorld { world in
      let start = world.error
      world.run(for: .seconds(abs(start) * 45 + 40))
      let bands = world.controller.bands
      let settled = world.rateChanges.count
      var worst = 0.0
      for _ in 0..<60 {
        world.run(for: .seconds(1))
        worst = max(worst, abs(world.error))
      }
      // Skew of 200 ppm moves on by a millisecond in the five seconds from nudge to nudge, of which a minute has 15.
      let reach = bands.trim.inSeconds + (world.skew == 0 ? 0.0005 : 0.0015)
      #expect(worst <= reach, "from \(start), \(world)")
      #expect(world.rateChanges.count - settled <= (world.skew == 0 ? 0 : 30), "\(start) \(world)")
      for _ in 0..<60 where !world.isAtGroupRate { world.run(for: .milliseconds(100)) }
      #expect(world.isAtGroupRate)
      #expect(world.seeks.isEmpty)
    }
  }

  @Test func `one error makes one trim for each half second, and few to finish`() {
    everyWorld { world in
      guard world.skew == 0 else { return }
      let start = world.error
      world.run(for: .seconds(abs(start) * 45 + 40))
      let longOnes = Int((abs(start) / 0.5).rounded(.up))
      #expect(world.rateChanges.count <= 2 * (longOnes + 1), "from \(start), \(world)")
    }
  }

  @Test func `readings that jump while a trim runs do not mislead it`() {
    for error in [-0.02, -0.0035, -0.0015, 0.0015, 0.0035, 0.02] {
      var world = DriftWorld(error: error, noise: .microseconds(200), seed: 3)
      world.buffered = .milliseconds(400)
      world.run(for: .seconds(15))
      #expect(world.rateChanges.count == 2, "from \(error): one there and one back")
      #expect(abs(world.error) <= 0.0004, "from \(error) to \(world.error)")
    }
  }

  @Test(arguments: [0.5, 1, 1.5, 2])
  func `it converges at every rate of the group`(factor: Double) throws {
    for error in [-0.4, 0.02] {
      var world = DriftWorld(error: error, seed: 5)
      world.rate = try #require(Rate(factor))
      world.latency = .milliseconds(60)
      world.run(for: .seconds(30))
      #expect(abs(world.error) <= 0.003)
      #expect(world.isAtGroupRate)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `noise alone moves nothing`(seed: UInt64) {
    for noise in Self.noises {
      var world = DriftWorld(error: 0, noise: noise, seed: seed)
      world.run(for: .seconds(120))
      #expect(world.rateChanges.isEmpty)
    }
  }

  @Test(arguments: [-30.0, -3, 3, 600])
  func `a large error is one seek`(error: Double) {
    var world = DriftWorld(error: error, seed: 2)
    world.run(for: .seconds(30))
    #expect(world.seeks.count == 1)
    #expect(world.rateChanges.isEmpty)
    #expect(abs(world.error) <= 0.003)
  }

  @Test func `a player without rates is moved by seeks only`() {
    var world = DriftWorld(error: 0.5, canChangeRate: false, seed: 2)
    world.run(for: .seconds(30))
    #expect(world.seeks.count == 1)
    #expect(world.rateChanges.isEmpty)
    world.disturb(by: 0.1)
    world.run(for: .seconds(30))
    #expect(world.seeks.count == 1, "less than a seek can mend is left alone")
  }

  @Test func `a player that ignores rates is found out and left in peace`() {
    var world = DriftWorld(error: 0.05, seed: 2)
    world.ignoresRates = true
    world.run(for: .seconds(120))
    let changes = world.rateChanges.count
    #expect(changes <= 15)
    world.run(for: .seconds(120))
    #expect(world.rateChanges.count == changes)
    #expect(world.isAtGroupRate)
  }

  @Test func `seeks that never land are six a minute and two seconds apart, then it says so`() {
    var world = DriftWorld(error: 10, seed: 2)
    world.seekMiss = 10
    world.run(for: .seconds(59))
    #expect(world.seeks.count == 6)
    #expect(world.gaveUp)
    for (earlier, later) in zip(world.seeks, world.seeks.dropFirst()) {
      #expect(later - earlier >= .seconds(2))
    }
  }

  @Test func `a slow seek freezes for three times its cost`() {
    var budget = SeekBudget()
    #expect(budget.request(cost: .seconds(3), at: .seconds(0)) == .allowed)
    #expect(budget.request(cost: .seconds(3), at: .seconds(8.9)) == .frozen)
    #expect(budget.request(cost: .seconds(3), at: .seconds(9)) == .allowed)
  }

  @Test func `readings right after a start say nothing yet`() {
    var controller = DriftController(measurementNoise: .zero, canChangeRate: true)
    controller.reset(at: .seconds(10))
    for tick in 0..<3 {
      let now = HostTime.seconds(10.05 + Double(tick) / 10)
      #expect(
        controller.correct(
          error: .milliseconds(-150), rate: .normal, seekCost: .zero, at: now) == .none)
    }
    #expect(controller.error == nil)
  }

  @Test func `a nudge whose readings stop still ends`() throws {
    var controller = DriftController(measurementNoise: .zero, canChangeRate: true)
    var now = HostTime.seconds(0)
    while controller.nextDeadline == nil {
      now = now + .milliseconds(100)
      _ = controller.correct(
        error: .milliseconds(20), rate: .normal, seekCost: .zero, at: now)
    }
    #expect(abs(controller.factor - 0.98) < 1e-9)
    let due = try #require(controller.nextDeadline)
    #expect(controller.deadlineReached(at: due - .microseconds(1)) == .none)
    #expect(controller.deadlineReached(at: due) == .rate(1))
    #expect(controller.nextDeadline == nil)
  }

  @Test func `a burst of disturbances keeps rate changes bounded`() {
    for seed in 0..<10 as Range<UInt64> {
      var world = DriftWorld(error: 0, seed: seed)
      var generator = SplitMix64(seed: seed)
      for _ in 0..<300 {
        world.disturb(by: Double.random(in: -0.1...0.1, using: &generator))
        world.run(for: .milliseconds(Int64.random(in: 50...2000, using: &generator)))
      }
      let minutes = (world.now - .seconds(0)).inSeconds / 60
      #expect(Double(world.rateChanges.count) <= 75 * minutes)
      world.run(for: .seconds(40))
      #expect(world.isAtGroupRate)
      #expect(abs(world.error) <= 0.003)
    }
  }
}
