package import Vocabulary

/// What a client knows about the group's time: an offset, a skew, and how wrong they can be.
///
/// Every sample proves an interval for the true offset (see ``ClockSample``). The estimate is the
/// middle of where the last ``window`` intervals overlap, and the farther end of the overlap is the
/// error bound. The quickest sample's interval is one of them, so the bound is hardly ever worse
/// than the familiar "half of the smallest round trip". But the quickest way there and the quickest way back may
/// come from different samples, which makes the overlap narrower. That estimate, half of the
/// difference of the two smallest one-way times, is the maximum-likelihood one for exponential
/// queueing delays (Jeske, "On maximum-likelihood estimation of clock offset", IEEE Transactions
/// on Communications 53, 2005), and for bounded jitter its error falls with 1/n, where that of the
/// smallest round trip, like that of an average, falls with 1/√n. Unlike an average it does not
/// mind samples that were held up.
///
/// An interval ages: it widens by how uncertain the skew is. So old samples lose to fresh ones
/// without a cliff, and a slower route takes over when the quick samples have left the window. For
/// the bound the widening is what may be, for the estimate no more than what is likely.
/// A sample whose interval misses the overlap cannot be explained by any delay. Then a clock has
/// stepped (a laptop slept, a server lost its journal), and the estimate starts over from it.
package struct ClockEstimate: Equatable, Sendable {
  /// What a sample did to the estimate.
  package enum Outcome: Equatable, Sendable {
    /// The sample agrees with what was known.
    case refined
    /// No delay explains the sample: everything known before it was dropped. Ask in a burst.
    case restarted
  }

  /// Samples whose intervals are overlapped: those of a joiner's first nine seconds, or the last
  /// two minutes at ``ClockSchedule/longestPause``.
  package static let window = 64
  /// A sample this old says nothing any more, if there is a younger one.
  package static let longestUse = Duration.seconds(180)
  /// Above this uncertainty people notice, and a client says so.
  package static let poorUncertainty = Duration.milliseconds(250)
  /// What two clocks hardly ever differ by, in parts per million.
  private static let likelySkew = 100.0
  /// How far an interval may miss the overlap before a clock must have stepped: rounding, and the
  /// turn of an event loop between an arrival and the reading of the clock.
  private static let stepTolerance = Duration.milliseconds(5)

  private var samples: [ClockSample] = []
  private var skewEstimate = SkewEstimate()
  private var reference: HostTime
  private var offset: Duration
  /// How far from the truth translations can be.
  package private(set) var uncertainty: Duration

  /// The estimate one sample allows.
  package init(_ sample: ClockSample) {
    reference = sample.at
    offset = sample.offset
    uncertainty = sample.roundTrip / 2
    samples = [sample]
    skewEstimate.add(sample)
  }

  /// Takes in one more sample.
  @discardableResult package mutating func add(_ sample: ClockSample) -> Outcome {
    let isExplained = agrees(sample)
    if !isExplained {
      samples.removeAll()
      skewEstimate.forgetOffsets()
    }
    skewEstimate.add(sample)
    samples.append(sample)
    let newest = samples.reduce(sample.at) { max($0, $1.at) }
    samples.removeAll { newest - $0.at > Self.longestUse }
    if samples.count > Self.window { samples.removeFirst(samples.count - Self.window) }
    let likely = overlap(at: newest, uncertainty: min(skewEstimate.uncertainty, Self.likelySkew))
    let (lower, upper) = overlap(at: newest, uncertainty: skewEstimate.uncertainty)
    reference = newest
    offset = (likely.lower + likely.upper) / 2
    uncertainty = max(upper - offset, offset - lower, .zero)
    return isExplained ? .refined : .restarted
  }

  /// How fast the server's clock gains on this one, in parts per million.
  package var skew: Double { skewEstimate.partsPerMillion }

  /// Whether people would notice how wrong the estimate can be.
  package var isPoor: Bool { uncertainty > Self.poorUncertainty }

  /// The group's time at a moment of this process.
  package func instant(at time: HostTime) -> Instant {
    Instant(microseconds: time.microseconds) + offset + drift(over: time - reference)
  }

  /// The moment of this process at which it is that time in the group.
  ///
  /// The inverse of ``instant(at:)`` to the microsecond over days.
  package func hostTime(of instant: Instant) -> HostTime {
    let groupTime = instant - (Instant(microseconds: reference.microseconds) + offset)
    let elapsed = groupTime * (1 / (1 + skew / 1_000_000))
    return reference + elapsed
  }

  private func drift(over elapsed: Duration) -> Duration { elapsed * (skew / 1_000_000) }

  /// Where all intervals overlap at a moment, with the skew known to that many parts per million;
  /// upside down if a clock stepped.
  private func overlap(
    at now: HostTime, uncertainty: Double
  ) -> (lower: Duration, upper: Duration) {
    var lower = Duration.seconds(Int64.min / 1_000_000)
    var upper = Duration.seconds(Int64.max / 1_000_000)
    for sample in samples {
      let age = now - sample.at
      let widening = age * (uncertainty / 1_000_000)
      lower = max(lower, .zero - sample.backward + drift(over: age) - widening)
      upper = min(upper, sample.forward + drift(over: age) + widening)
    }
    return (lower, upper)
  }

  private func agrees(_ sample: ClockSample) -> Bool {
    let (lower, upper) = overlap(at: sample.at, uncertainty: skewEstimate.uncertainty)
    return max(lower, .zero - sample.backward) <= min(upper, sample.forward) + Self.stepTolerance
  }
}
