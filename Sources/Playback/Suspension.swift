package import Vocabulary

/// Names one suspension of one participant.
package typealias SuspensionID = Int

/// One participant's absence from coordinated playback.
package struct Suspension: Equatable, Sendable {
  package let id: SuspensionID
  package let reason: SuspensionReason
  package let since: Instant
  /// Whether the server made it because a barrier came due; the participant's next ready ends it.
  package let isImposed: Bool

  /// After so long a person has gone, and forgot to say so: longer than any doorbell, and as long
  /// as a group may wait for anybody.
  package static let longestAbsence = Duration.seconds(600)

  /// Whether whoever stepped out so long ago is to be shown as away.
  package func isAway(at now: Instant) -> Bool { now >= since + Self.longestAbsence }

  /// An absence that began at that instant.
  package init(id: SuspensionID, reason: SuspensionReason, since: Instant, isImposed: Bool) {
    self.id = id
    self.reason = reason
    self.since = since
    self.isImposed = isImposed
  }
}
