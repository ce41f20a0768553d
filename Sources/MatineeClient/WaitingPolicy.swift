import Playback

/// Why someone steps out of coordinated playback for a while; apps may have reasons of their own.
public struct SuspensionReason: Hashable, Sendable, RawRepresentable {
  /// The reason as it travels.
  public let rawValue: String

  /// A reason of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The player ran out of data.
  public static let stallRecovery = Self(rawValue: "stallRecovery")
  /// An advertisement is on.
  public static let playingInterstitial = Self(rawValue: "playingInterstitial")
  /// A phone call, or the system took the sound away.
  public static let audioSessionInterrupted = Self(rawValue: "audioSessionInterrupted")
  /// A login, a paywall, a question.
  public static let userActionRequired = Self(rawValue: "userActionRequired")
  /// The person is scrubbing.
  public static let userIsChangingCurrentTime = Self(rawValue: "userIsChangingCurrentTime")
  /// This item, or its rate, cannot be played here.
  public static let coordinatedPlaybackNotPossible = Self(
    rawValue: "coordinatedPlaybackNotPossible")

  var value: Playback.SuspensionReason { Playback.SuspensionReason(rawValue) }
}

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

  var value: Playback.WaitingPolicy {
    Playback.WaitingPolicy(
      reasons: Set(reasons.map(\.value)),
      participantLimits: Dictionary(
        uniqueKeysWithValues: participantLimits.map { ($0.key.value, $0.value) }),
      maximumWait: maximumWait, pauseSnapsToOriginator: pauseSnapsToOriginator)
  }
}
