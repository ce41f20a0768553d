public import Vocabulary

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
