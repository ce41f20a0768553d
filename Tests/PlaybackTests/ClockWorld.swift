import Playback
import Vocabulary

/// A client and a server whose clocks differ by a known offset and skew, with a network between.
struct ClockWorld {
  var offset = Duration.seconds(1_700_000_000)
  /// The server's gain on the client's clock, in parts per million.
  var skew = 0.0
  var forwardFloor = Duration.milliseconds(140)
  var backwardFloor = Duration.milliseconds(140)
  var jitter = Duration.milliseconds(20)
  var generator: SplitMix64
  var schedule = ClockSchedule(from: HostTime(microseconds: 0))
  var estimate: ClockEstimate?

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  func instant(at time: HostTime) -> Instant {
    let gain = (time - HostTime(microseconds: 0)) * (skew / 1_000_000)
    return Instant(microseconds: time.microseconds) + offset + gain
  }

  mutating func delay(_ floor: Duration) -> Duration {
    floor + .microseconds(Int64.random(in: 0...jitter.microseconds, using: &generator))
  }

  mutating func sample(at now: HostTime) throws -> ClockSample {
    let arrival = now + delay(forwardFloor)
    let heard = instant(at: arrival)
    return try ClockSample(
      asked: now, heard: heard, answered: heard, received: arrival + delay(backwardFloor))
  }

  /// Pings on schedule until that moment; says how often the estimate had to start over.
  @discardableResult mutating func run(until end: HostTime) throws -> Int {
    var restarts = 0
    while schedule.nextPing <= end {
      let now = schedule.nextPing
      let sample = try sample(at: now)
      if estimate?.add(sample) == .restarted { restarts += 1 }
      if estimate == nil { estimate = ClockEstimate(sample) }
      schedule.pinged(at: now)
    }
    return restarts
  }

  /// The estimate's error at a moment; nil before the first sample.
  func error(at now: HostTime) -> Duration? {
    estimate.map { $0.instant(at: now) - instant(at: now) }
  }
}

extension HostTime {
  static func seconds(_ seconds: Double) -> HostTime {
    HostTime(microseconds: Int64(seconds * 1_000_000))
  }
}
