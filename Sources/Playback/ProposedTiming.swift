package import Vocabulary

/// The state that a participant proposes for an item; it applies only if the group has none yet.
package struct ProposedTiming: Equatable, Sendable {
  package var mediaTime: MediaTime
  /// The rate to run at; `nil` proposes a pause.
  package var rate: Rate?

  package init(mediaTime: MediaTime, rate: Rate? = nil) {
    self.mediaTime = mediaTime
    self.rate = rate
  }
}
