public import Vocabulary

/// What is known of a message besides its value: GroupActivities' `MessageContext`.
public struct MessageContext: Hashable, Sendable {
  /// Who sent it.
  public let source: ParticipantID
  /// Its number among the session's events, the same for everyone; `nil` for an unreliable one.
  public let seq: Int?
  /// How many messages, of whatever type, went missing right before this one because this reader was
  /// too slow; zero is what to expect.
  public let missedBefore: Int
}
