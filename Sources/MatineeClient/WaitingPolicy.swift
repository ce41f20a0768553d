import Playback

/// When a group waits for someone, and for how long: waiting always has an end.
public struct WaitingPolicy: Hashable, Sendable {
  /// The reasons of suspensions that the group waits out.
  public var reasons: Set<SuspensionReason>
  /// The largest group that still waits for a reason; absent means any size.
  public var participantLimits: [SuspensionReason: Int] = [:]
  /// How long the group waits at most.
  public var maximumWait = Duration.seconds(60)
  /// Whether everyone lands on the frame at which the one who paused stopped.
  public var pauseSnapsToOriginator = true
  /// Whether someone who joins while the item runs stops the others until they are ready.
  public var waitsForLateJoiners = false

  /// A policy that waits out these reasons.
  public init(reasons: Set<SuspensionReason>) { self.reasons = reasons }

  /// Nobody's trouble stops the others.
  public static let keepGoing = WaitingPolicy(reasons: [])
  /// Up to six people wait half a minute for one whose player stalls.
  public static let together: WaitingPolicy = {
    var policy = WaitingPolicy(reasons: [.stallRecovery])
    policy.participantLimits = [.stallRecovery: 6]
    policy.maximumWait = .seconds(30)
    return policy
  }()

  init(_ policy: Playback.WaitingPolicy) {
    reasons = Set(policy.reasons.map { SuspensionReason($0) })
    participantLimits = Dictionary(
      uniqueKeysWithValues: policy.participantLimits.map { (SuspensionReason($0.key), $0.value) })
    maximumWait = policy.maximumWait
    pauseSnapsToOriginator = policy.pauseSnapsToOriginator
    waitsForLateJoiners = policy.waitsForLateJoiners
  }

  var value: Playback.WaitingPolicy {
    Playback.WaitingPolicy(
      reasons: Set(reasons.map(\.value)),
      participantLimits: Dictionary(
        uniqueKeysWithValues: participantLimits.map { ($0.key.value, $0.value) }),
      maximumWait: maximumWait, pauseSnapsToOriginator: pauseSnapsToOriginator,
      waitsForLateJoiners: waitsForLateJoiners)
  }
}
