package import Vocabulary

/// One exchange of timestamps between a client and the server.
///
/// NTP's on-wire formulas (RFC 5905, section 8), kept as the two one-way differences: each holds
/// the true offset plus or minus one delay, and no delay is negative. So every sample by itself
/// proves `−backward ≤ true offset ≤ forward`, however lopsided the route.
package struct ClockSample: Equatable, Sendable {
  /// Why four timestamps are no sample.
  package enum Flaw: Error, Equatable, Sendable {
    /// The reply arrived before the ping left: the two belong to different exchanges.
    case repliedBeforeAsked
    /// The server says it answered before it heard.
    case answeredBeforeHeard
    /// The server says it held the ping for longer than the whole exchange took.
    case heldLongerThanTheRoundTrip
  }

  /// t2 − t1, the server's clock less the client's: the true offset plus the way there.
  package let forward: Duration
  /// t4 − t3, the client's clock less the server's: the way back minus the true offset.
  package let backward: Duration
  /// The middle of the exchange on the client's clock.
  package let at: HostTime

  /// The two clocks tick in microseconds and are read apart, so a loopback exchange may come out
  /// as slightly less than nothing.
  private static let rounding = Duration.microseconds(50)

  /// Takes the four timestamps of a ping.
  ///
  /// - Parameters:
  ///   - asked: t1, when the client sent the ping.
  ///   - heard: t2, when the server got it; read then, not taken from an earlier turn of its loop.
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

  /// How far the server's clock is ahead of the client's, were both ways equally slow.
  package var offset: Duration { (forward - backward) / 2 }

  /// The time spent on the network, there and back, without the server's own work.
  ///
  /// ``offset`` is wrong by half of it at most.
  package var roundTrip: Duration { max(forward + backward, .zero) }
}
