package import Vocabulary

/// What a decision needs to know of the moment and is not worth keeping as an event.
package struct PlaybackConditions: Equatable, Sendable {
  /// The slowest participant's one-way delay, its 95th percentile as far as known.
  package var slowestDelay: Duration
  /// The one-way delay of whoever commands, which bounds the error of that participant's clock.
  package var originatorDelay: Duration
  package var limits: Limits

  /// Conditions with nothing measured yet.
  package init(
    slowestDelay: Duration = .zero, originatorDelay: Duration = .zero, limits: Limits = Limits()
  ) {
    self.slowestDelay = slowestDelay
    self.originatorDelay = originatorDelay
    self.limits = limits
  }

  /// What a player needs to start: measured for mpv 0.5 ms, for browsers 15 ms; and the jitter.
  private static let startCost = Duration.milliseconds(40)

  /// How far ahead a common start lies, so that the slowest hears of it in time.
  package var lead: Duration {
    (slowestDelay + Self.startCost).clamped(to: limits.shortestLead...limits.longestLead)
  }

  /// How long a barrier waits for players that have the item loaded.
  package var preparation: Duration {
    (slowestDelay * 8).clamped(to: limits.shortestPreparation...limits.longestPreparation)
  }

  /// Whether the frame at which whoever commands stopped says anything: one whose clock is poor
  /// does not know where the group was.
  package var believesOriginator: Bool { originatorDelay <= limits.clockTolerance }

  /// How far from the server's position an originator's stop is believed.
  package var pauseTolerance: Duration { slowestDelay * 2 + limits.pauseTolerance }
}
