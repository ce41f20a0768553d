/// When the group waits for a participant, and for how long: waiting always has an end.
package struct WaitingPolicy: Equatable, Sendable {
  /// The reasons of suspensions that the group waits out.
  package var reasons: Set<SuspensionReason>
  /// The largest group that still waits for a reason; absent means any size.
  package var participantLimits: [SuspensionReason: Int]
  /// How long the group waits at most before it goes on without the ones it waits for.
  package var maximumWait: Duration
  /// Whether everyone lands on the frame at which the one who paused stopped.
  package var pauseSnapsToOriginator: Bool
  /// Whether someone who joins while the item runs stops the others until they are ready.
  package var waitsForLateJoiners: Bool

  /// A policy.
  package init(
    reasons: Set<SuspensionReason>, participantLimits: [SuspensionReason: Int] = [:],
    maximumWait: Duration = .seconds(60), pauseSnapsToOriginator: Bool = true,
    waitsForLateJoiners: Bool = false
  ) {
    self.reasons = reasons
    self.participantLimits = participantLimits
    self.maximumWait = maximumWait
    self.pauseSnapsToOriginator = pauseSnapsToOriginator
    self.waitsForLateJoiners = waitsForLateJoiners
  }

  /// Nobody's trouble stops the others: AVFoundation's documented default.
  package static let keepGoing = WaitingPolicy(reasons: [])
  /// Up to six people wait for one whose player stalls.
  package static let together = WaitingPolicy(
    reasons: [.stallRecovery], participantLimits: [.stallRecovery: 6], maximumWait: .seconds(30))

  /// Whether a group of this size waits out this reason.
  package func waits(for reason: SuspensionReason, groupSize: Int) -> Bool {
    reasons.contains(reason) && groupSize <= participantLimits[reason] ?? .max
  }
}
