public import Vocabulary

/// What everyone does from now on, and who brought it about.
public struct ActivityChange<Activity: GroupActivity>: Equatable, Sendable {
  /// What everyone does.
  public let activity: Activity
  /// How often it was changed, by anyone.
  public let revision: Int
  /// Who changed it; `nil` on joining, and where the queue went on by itself.
  public let by: ParticipantID?
}
