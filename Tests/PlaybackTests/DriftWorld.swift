import Playback
import Vocabulary

/// A running player against a line, in seconds of media: honours rates almost, acts late, is read
/// noisily, and runs on a crystal of its own.
struct DriftWorld {
  var noise = Duration.microseconds(100)
  var latency = Duration.zero
  /// By how much every rate but the group's own comes out wrong: 0.005 is half a percent.
  var rateError = 0.0
  /// The player's gain on the group's time, in parts per million.
  var skew = 0.0
  var rate = Rate.normal
  var ignoresRates = false
  var canChangeRate = true
  var seekCost = 0.06
  /// What the player has in its buffers, and reckons as if the newest rate held for all of it.
  var buffered = Duration.zero
  /// How far a seek misses, whatever the lead.
  var seekMiss = 0.0

  private(set) var now = HostTime.seconds(0)
  private(set) var error: Double
  private(set) var rateChanges: [HostTime] = []
  private(set) var seeks: [HostTime] = []
  private(set) var gaveUp = false
  private var actual = 1.0
  private var commanded = 1.0
  private var pending: [(at: HostTime, factor: Double)] = []
  private var generator: SplitMix64
  var controller: DriftController

  init(
    error: Double, noise: Duration = .microseconds(100), canChangeRate: Bool = true, seed: UInt64
  ) {
    self.error = error
    self.noise = noise
    self.canChangeRate = canChangeRate
    generator = SplitMix64(seed: seed)
    controller = DriftController(measurementNoise: noise, canChangeRate: canChangeRate)
  }

  var isAtGroupRate: Bool { commanded == 1 && controller.factor == 1 }

  mutating func disturb(by seconds: Double) { error += seconds }

  /// Runs on, with a reading every 100 ms and the controller's deadlines on time.
  mutating func run(for duration: Duration) {
    let end = now + duration
    var nextReading = now + .milliseconds(100)
    while now < end {
      let due = controller.nextDeadline ?? end
      let step = max(min(min(due, nextReading), pending.first?.at ?? end), now)
      advance(to: min(step, end))
      if let first = pending.first, first.at <= now {
        actual = first.factor
        pending.removeFirst()
      }
      if let deadline = controller.nextDeadline, deadline <= now {
        carryOut(controller.deadlineReached(at: now))
      }
      if nextReading <= now {
        nextReading = now + .milliseconds(100)
        // Twelve uniform numbers make a good enough normal one.
        let normal = (0..<12).reduce(-6) { sum, _ in
          sum + Double.random(in: 0...1, using: &generator)
        }
        let misled = (actual - 1) * rate.factor * buffered.inSeconds
        let reading = error - misled + normal * noise.inSeconds
        carryOut(
          controller.correct(
            error: .seconds(reading), rate: rate, seekCost: .seconds(seekCost), at: now))
      }
    }
  }

  private mutating func advance(to time: HostTime) {
    let seconds = (time - now).inSeconds
    error += seconds * (rate.factor * actual * (1 + skew / 1_000_000) - rate.factor)
    now = time
  }

  private mutating func carryOut(_ correction: DriftController.Correction) {
    switch correction {
    case .none: break
    case .rate(let factor):
      rateChanges.append(now)
      commanded = factor
      guard !ignoresRates else { return }
      let honoured = factor == 1 ? 1 : factor * (1 + rateError)
      let delay = Int64.random(
        in: (latency / 2).microseconds...latency.microseconds, using: &generator)
      let at = max(now + .microseconds(delay), pending.last?.at ?? now)
      pending.append((at, honoured))
    case .seek(let lead):
      seeks.append(now)
      error = (lead.inSeconds - seekCost) * rate.factor + seekMiss
      controller.reset(at: now)
    case .cannotKeepUp: gaveUp = true
    }
  }
}
