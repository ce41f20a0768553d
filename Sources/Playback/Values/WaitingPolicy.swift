/// When the group waits for a participant, and for how long: waiting always has an end.
public struct WaitingPolicy: Hashable, Sendable {
  /// The reasons of suspensions that the group waits out.
  public var reasons: Set<SuspensionReason>
  /// The largest group that still waits for a reason; absent means any size.
  public var participantLimits: [SuspensionReason: Int]
  /// How long the group waits at most before it goes on without the ones it waits for.
  public var maximumWait: Duration
  /// Whether everyone lands on the frame at which the one who paused stopped.
  public var pauseSnapsToOriginator: Bool
  /// Whether someone who joins while the item runs stops the others until they are ready.
  public var waitsForLateJoiners: Bool

  /// A policy that waits out these reasons.
  public init(
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
  public static let keepGoing = WaitingPolicy(reasons: [])
  /// Up to six people wait half a minute for one whose player stalls.
  public static let together = WaitingPolicy(
    reasons: [.stallRecovery], participantLimits: [.stallRecovery: 6], maximumWait: .seconds(30))

  /// Whether a group of this size waits out this reason.
  package func waits(for reason: SuspensionReason, groupSize: Int) -> Bool {
    reasons.contains(reason) && groupSize <= participantLimits[reason] ?? .max
  }
}

/// Why someone steps out of coordinated playback for a while; apps may have reasons of their own.
///
/// The standard ones are those of AVFoundation's `AVCoordinatedPlaybackSuspension.Reason`.
public struct SuspensionReason: Hashable, Sendable {
  /// The reason as it travels.
  public let text: String

  /// A reason with this text.
  public init(_ text: String) {
    self.text = text
  }

  /// The player ran out of data.
  public static let stallRecovery = SuspensionReason("stallRecovery")
  /// An advertisement is on.
  public static let playingInterstitial = SuspensionReason("playingInterstitial")
  /// A phone call, or the system took the sound away.
  public static let audioSessionInterrupted = SuspensionReason("audioSessionInterrupted")
  /// A login, a paywall, a question.
  public static let userActionRequired = SuspensionReason("userActionRequired")
  /// The person is scrubbing.
  public static let userIsChangingCurrentTime = SuspensionReason("userIsChangingCurrentTime")
  /// This item, or its rate, cannot be played here.
  public static let coordinatedPlaybackNotPossible = SuspensionReason(
    "coordinatedPlaybackNotPossible")
}
