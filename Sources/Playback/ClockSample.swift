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
