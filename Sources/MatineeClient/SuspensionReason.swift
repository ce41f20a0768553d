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

  init(_ reason: Playback.SuspensionReason) { rawValue = reason.text }

  var value: Playback.SuspensionReason { Playback.SuspensionReason(rawValue) }
}
