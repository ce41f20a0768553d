package import Vocabulary

/// Identifies one suspension of one participant.
package typealias SuspensionID = Int

/// A participant's absence from coordinated playback.
package struct Suspension: Equatable, Sendable {
  package let id: SuspensionID
  package let reason: SuspensionReason
  package let since: Instant
  /// Whether the server imposed it at a barrier's deadline; the participant's next ready ends it.
  package let isImposed: Bool

  /// After this time a suspended person counts as away: the longest time a group may wait.
  package static let longestAbsence = Duration.seconds(600)

  /// Whether the participant is shown as away because the suspension is this old.
  package func isAway(at now: Instant) -> Bool { now >= since + Self.longestAbsence }

  package init(id: SuspensionID, reason: SuspensionReason, since: Instant, isImposed: Bool) {
    self.id = id
    self.reason = reason
    self.since = since
    self.isImposed = isImposed
  }
}
