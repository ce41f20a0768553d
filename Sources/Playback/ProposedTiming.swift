package import Vocabulary

/// Where someone who brings an item thinks it should stand; counts only if the group has no state
/// for the item yet.
package struct ProposedTiming: Equatable, Sendable {
  package var mediaTime: MediaTime
  /// The rate it should run at; `nil` proposes a pause.
  package var rate: Rate?

  /// A proposal.
  package init(mediaTime: MediaTime, rate: Rate? = nil) {
    self.mediaTime = mediaTime
    self.rate = rate
  }
}
