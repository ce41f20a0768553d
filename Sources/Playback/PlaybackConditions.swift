package import Vocabulary

/// The measured delays and the limits that a decision depends on, and what the session says of its
/// items; they are not worth an event.
package struct PlaybackConditions: Equatable, Sendable {
  /// The slowest participant's one-way delay: the largest known 95th percentile.
  package var slowestDelay: Duration
  /// The commanding participant's one-way delay, which bounds the error of its clock.
  package var originatorDelay: Duration
  package var limits: Limits
  /// The item whose timeline is not dropped to make room for another; `nil` if there is none.
  package var keptItem: ItemID?

  /// Makes conditions; without arguments, those before anything is measured.
  package init(
    slowestDelay: Duration = .zero, originatorDelay: Duration = .zero, limits: Limits = Limits()
  ) {
    self.slowestDelay = slowestDelay
    self.originatorDelay = originatorDelay
    self.limits = limits
  }

  /// What a player needs to start (mpv 0.5 ms, browsers 15 ms, both measured), plus jitter.
  private static let startCost = Duration.milliseconds(40)

  /// How far in the future a common start lies, so that the slowest participant hears of it in
  /// time.
  package var lead: Duration {
    (slowestDelay + Self.startCost).clamped(to: limits.shortestLead...limits.longestLead)
  }

  /// How long a barrier waits for players that have already loaded the item.
  package var preparation: Duration {
    (slowestDelay * 8).clamped(to: limits.shortestPreparation...limits.longestPreparation)
  }

  /// Whether to use the frame at which the originator stopped.
  ///
  /// A participant whose clock is poor does not know where the group was.
  package var believesOriginator: Bool { originatorDelay <= limits.clockTolerance }

  /// How far from the server's position an originator's stop may lie.
  package var pauseTolerance: Duration { slowestDelay * 2 + limits.pauseTolerance }
}
