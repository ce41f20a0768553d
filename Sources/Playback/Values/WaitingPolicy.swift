public import Vocabulary

/// When, and for how long, the group waits for a participant; every wait has a limit.
public struct WaitingPolicy: Hashable, Sendable {
  /// The suspension reasons that the group waits for.
  public var reasons: Set<SuspensionReason>
  /// How many people may have the item for the group to wait for a reason; a reason that is absent
  /// has no limit.
  public var participantLimits: [SuspensionReason: Int]
  /// How long the group waits at most.
  public var maximumWait: Duration
  /// Whether a pause moves everyone to the frame at which the originator stopped.
  public var pauseSnapsToMediaTimeOfOriginator: Bool
  /// Whether a participant who joins a running item makes the others wait until it is ready.
  public var waitsForLateJoiners: Bool

  /// Makes a policy that waits for these reasons.
  public init(
    reasons: Set<SuspensionReason>, participantLimits: [SuspensionReason: Int] = [:],
    maximumWait: Duration = .seconds(60), pauseSnapsToMediaTimeOfOriginator: Bool = true,
    waitsForLateJoiners: Bool = false
  ) {
    self.reasons = reasons
    self.participantLimits = participantLimits
    self.maximumWait = maximumWait
    self.pauseSnapsToMediaTimeOfOriginator = pauseSnapsToMediaTimeOfOriginator
    self.waitsForLateJoiners = waitsForLateJoiners
  }

  /// Never waits: AVFoundation's documented default.
  public static let keepGoing = WaitingPolicy(reasons: [])
  /// Up to six people with the item wait half a minute for one whose player stalls.
  public static let together = WaitingPolicy(
    reasons: [.stallRecovery], participantLimits: [.stallRecovery: 6], maximumWait: .seconds(30))
}

/// Why a participant suspends coordinated playback; apps may define their own reasons.
///
/// The standard ones are those of AVFoundation's `AVCoordinatedPlaybackSuspension.Reason`.
public struct SuspensionReason: Hashable, Sendable {
  /// The reason as the protocol encodes it.
  public let text: String

  /// A standard reason, or one of an app's own.
  public init(_ text: String) {
    self.text = text
  }

  /// The player ran out of data.
  public static let stallRecovery = SuspensionReason("stallRecovery")
  /// An advertisement is playing.
  public static let playingInterstitial = SuspensionReason("playingInterstitial")
  /// A phone call or the system interrupted the audio.
  public static let audioSessionInterrupted = SuspensionReason("audioSessionInterrupted")
  /// The person has to log in, pay or answer a question.
  public static let userActionRequired = SuspensionReason("userActionRequired")
  /// The person is scrubbing.
  public static let userIsChangingCurrentTime = SuspensionReason("userIsChangingCurrentTime")
  /// The item or its rate cannot be played here.
  public static let coordinatedPlaybackNotPossible = SuspensionReason(
    "coordinatedPlaybackNotPossible")
}

/// Identifies one suspension of one participant.
package typealias SuspensionID = Int

/// A participant's absence from coordinated playback.
public struct Suspension: Hashable, Sendable {
  package let id: SuspensionID
  /// Why it is absent.
  public let reason: SuspensionReason
  /// Since when, in the group's time.
  public let since: Instant
  /// Whether the server imposed it because the player was not ready in time.
  ///
  /// The participant's next ready ends it.
  public let isImposed: Bool

  /// After this time a suspended person counts as away: the longest time a group may wait.
  package static let longestAbsence = Duration.seconds(600)

  /// Whether the participant is shown as away because the suspension is ten minutes old.
  public func isAway(at now: Instant) -> Bool { now >= since + Self.longestAbsence }

  package init(id: SuspensionID, reason: SuspensionReason, since: Instant, isImposed: Bool) {
    self.id = id
    self.reason = reason
    self.since = since
    self.isImposed = isImposed
  }
}
