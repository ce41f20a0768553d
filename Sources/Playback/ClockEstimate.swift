package import Vocabulary

/// One exchange of timestamps between a client and the server.
///
/// Uses NTP's on-wire formulas (RFC 5905, section 8), kept as the two one-way differences. Each
/// difference is the true offset plus or minus one delay. No delay is negative, so every sample
/// proves `−backward ≤ true offset ≤ forward`, even on an asymmetric route.
package struct ClockSample: Equatable, Sendable {
  /// Why four timestamps are not a valid sample.
  package enum Flaw: Error, Equatable, Sendable {
    /// The reply arrived before the ping was sent: the two belong to different exchanges.
    case repliedBeforeAsked
    /// The server claims that it answered before it received the ping.
    case answeredBeforeHeard
    /// The server claims that it held the ping for longer than the whole exchange took.
    case heldLongerThanTheRoundTrip
  }

  /// t2 − t1, the server's clock minus the client's: the true offset plus the request's delay.
  package let forward: Duration
  /// t4 − t3, the client's clock minus the server's: the reply's delay minus the true offset.
  package let backward: Duration
  /// The middle of the exchange on the client's clock.
  package let at: HostTime

  /// Both clocks are read in whole microseconds at slightly different moments, so the round trip of
  /// a loopback exchange may come out slightly negative.
  private static let rounding = Duration.microseconds(50)

  /// Makes a sample from the four timestamps of a ping.
  ///
  /// - Parameters:
  ///   - asked: t1, when the client sent the ping.
  ///   - heard: t2, when the server got it; the clock read at that moment, not its loop's cached
  ///     time.
  ///   - answered: t3, when the server sent the reply.
  ///   - received: t4, when the client got the reply.
  /// - Throws: ``Flaw`` for timestamps that no network can produce; drop the sample.
  package init(
    asked: HostTime, heard: Instant, answered: Instant, received: HostTime
  ) throws(Flaw) {
    guard asked <= received else { throw .repliedBeforeAsked }
    guard heard <= answered else { throw .answeredBeforeHeard }
    let elapsed = received - asked
    guard elapsed - (answered - heard) >= .zero - Self.rounding else {
      throw .heldLongerThanTheRoundTrip
    }
    forward = heard - Instant(microseconds: asked.microseconds)
    backward = Instant(microseconds: received.microseconds) - answered
    at = asked + elapsed / 2
  }

  /// How far the server's clock is ahead of the client's if both delays are equal.
  package var offset: Duration { (forward - backward) / 2 }

  /// The network's share of the exchange: both delays, without the time at the server.
  ///
  /// ``offset`` is wrong by at most half of it.
  package var roundTrip: Duration { max(forward + backward, .zero) }
}

/// What a client knows about the group's time: an offset, a skew, and an error bound.
///
/// Every sample proves an interval that contains the true offset (see ``ClockSample``). The last
/// ``window`` intervals overlap; the estimate is the middle of the overlap, and the error bound is
/// the distance to its farther end. The interval of the sample with the shortest round trip is one
/// of them, so the bound is rarely worse than the usual "half of the shortest round trip". The
/// overlap is often narrower, because the fastest request and the fastest reply may come from
/// different samples. Half of the difference of the two smallest one-way times is the
/// maximum-likelihood estimate for exponential queueing delays (Jeske, "On maximum-likelihood
/// estimation of clock offset", IEEE Transactions on Communications 53, 2005). For bounded jitter
/// its error falls with 1/n; the error of an average, or of the sample with the shortest round
/// trip, falls with 1/√n. Unlike an average, it is not affected by delayed samples.
///
/// An interval widens with its age, because the skew is uncertain. So fresh samples gradually take
/// precedence over old ones, and the estimate follows a slower route once the fast samples have
/// left the window. The error bound widens by the largest possible skew, the estimate by the likely
/// one.
///
/// No delay can explain a sample whose interval misses the overlap. It means that a clock has
/// stepped (a laptop slept, a server lost its journal), and the estimate starts over from that
/// sample.
package struct ClockEstimate: Equatable, Sendable {
  /// What a sample did to the estimate.
  package enum Outcome: Equatable, Sendable {
    /// The sample agrees with the previous ones.
    case refined
    /// No delay explains the sample: all previous samples were dropped. Ping in a burst.
    case restarted
  }

  /// How many samples are kept: those of the first nine seconds, or of the last two minutes at
  /// ``ClockSchedule/longestPause``.
  package static let window = 64
  /// A sample this old is dropped as soon as there is a newer one.
  package static let longestUse = Duration.seconds(180)
  /// Above this uncertainty people notice the error, so a client reports it.
  package static let poorUncertainty = Duration.milliseconds(250)
  /// Below this uncertainty a poor estimate is good again, so that it does not change with each sample.
  package static let goodUncertainty = Duration.milliseconds(200)
  /// The skew that two clocks rarely exceed, in parts per million.
  private static let likelySkew = 100.0
  /// How far an interval may miss the overlap before a clock must have stepped.
  ///
  /// It covers rounding and the event loop's delay between the arrival and the reading of the clock.
  private static let stepTolerance = Duration.milliseconds(5)

  private var samples: [ClockSample] = []
  private var skewEstimate = SkewEstimate()
  private var reference: HostTime
  private var offset: Duration
  /// The largest possible error of a translated time.
  package private(set) var uncertainty: Duration

  /// Starts an estimate from one sample.
  package init(_ sample: ClockSample) {
    reference = sample.at
    offset = sample.offset
    uncertainty = sample.roundTrip / 2
    samples = [sample]
    skewEstimate.add(sample)
  }

  /// Adds a sample.
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

  /// Whether the error can be large enough for people to notice.
  package var isPoor: Bool { uncertainty > Self.poorUncertainty }

  /// Whether the error is clearly too small for people to notice.
  package var isGood: Bool { uncertainty < Self.goodUncertainty }

  /// Translates a time of this process's clock to the group's time.
  package func instant(at time: HostTime) -> Instant {
    Instant(microseconds: time.microseconds) + offset + drift(over: time - reference)
  }

  /// Translates the group's time to a time of this process's clock.
  ///
  /// Inverts ``instant(at:)`` to the microsecond for times days apart.
  package func hostTime(of instant: Instant) -> HostTime {
    let groupTime = instant - (Instant(microseconds: reference.microseconds) + offset)
    let elapsed = groupTime * (1 / (1 + skew / 1_000_000))
    return reference + elapsed
  }

  private func drift(over elapsed: Duration) -> Duration { elapsed * (skew / 1_000_000) }

  /// The overlap of all intervals at a moment; `lower` exceeds `upper` if a clock stepped.
  ///
  /// - Parameter uncertainty: the uncertainty of the skew, in parts per million.
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

/// When to ping the server for its time: every 75 ms at first, then less often, down to every two
/// seconds.
///
/// Each pause is 1/24 of the time since the first ping, because the clocks' skew makes older
/// samples worth less: at any age, the latest half of that time holds the same number of samples.
/// With ±10 ms of jitter each way, the estimate's error is 0.9 ms after 1.3 s, 0.3 ms after 5 s,
/// and at most 0.7 ms from then on (simulated, root mean square, clocks 30 ppm apart). A burst of
/// sixteen pings, sixteen more within eight seconds and then one every four seconds left 0.9, 0.8
/// and 1.7 ms. The schedule takes 24 pings in the first two seconds and 80 in the next 46; its
/// final pace costs less than 120 bytes a second.
package struct ClockSchedule: Equatable, Sendable {
  /// The shortest pause: longer than a usual network's jitter, so that a ping is not delayed by the
  /// one before it.
  package static let shortestPause = Duration.milliseconds(75)
  /// The longest pause: well within the five seconds between two heartbeats.
  package static let longestPause = Duration.seconds(2)
  /// The time since the first ping, divided by this, is the pause.
  package static let pausesPerAge = 24

  /// After this time the first 24 pings are answered, unless the network is very slow.
  package static let settlingTime = Duration.seconds(2)

  /// When the next ping is due.
  package private(set) var nextPing: HostTime
  private var begun: HostTime

  /// Makes a schedule whose first ping is due at once.
  package init(from now: HostTime) {
    nextPing = now
    begun = now
  }

  /// Notes that a ping was sent; pings that a late wake-up missed are skipped.
  package mutating func pinged(at now: HostTime) {
    let pause = (now - begun) / Self.pausesPerAge
    nextPing = now + min(max(pause, Self.shortestPause), Self.longestPause)
  }

  /// Whether what the pings have found is good enough to be judged.
  package func isSettled(at now: HostTime) -> Bool { now - begun >= Self.settlingTime }

  /// Starts over: after a reconnect, or when the estimate had to start over.
  package mutating func restart(at now: HostTime) {
    self = ClockSchedule(from: now)
  }
}
