package import Vocabulary

/// A start that waits: everyone prepares, and all begin together.
///
/// It always ends: with the last ready report, at `due` without those who are not ready, or, where
/// the policy waits for their reason, at `patience` whatever happens.
package struct StartBarrier: Equatable, Sendable {
  /// The place everyone starts from.
  package var from: MediaTime
  /// The rate everyone starts at.
  package var rate: Rate
  /// When those who are not ready are taken to have stalled; `nil` while nobody is attached.
  package var due: Instant?
  /// When the group starts without the ones it waits for; `nil` while nobody is attached.
  package var patience: Instant?

  /// A barrier with these deadlines.
  package init(from: MediaTime, rate: Rate, due: Instant?, patience: Instant?) {
    self.from = from
    self.rate = rate
    self.due = due
    self.patience = patience
  }

  /// Nobody is watching, so time must not run on: the first one back starts from here.
  package var isFrozen: Bool { due == nil }
}
