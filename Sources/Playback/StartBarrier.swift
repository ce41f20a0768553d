package import Vocabulary

/// A start that waits until everyone is prepared, so that all begin together.
///
/// It always ends: with the last ready report; at `due`, when those who are not ready get
/// suspended; or at `patience`, if the policy waits for their suspensions.
package struct StartBarrier: Equatable, Sendable {
  /// The position everyone starts from.
  package var from: MediaTime
  /// The rate everyone starts at.
  package var rate: Rate
  /// When those who are not ready count as stalled; `nil` while nobody is attached.
  package var due: Instant?
  /// When the group stops waiting for suspended participants; `nil` while nobody is attached.
  package var patience: Instant?

  package init(from: MediaTime, rate: Rate, due: Instant?, patience: Instant?) {
    self.from = from
    self.rate = rate
    self.due = due
    self.patience = patience
  }

  /// Whether nobody is attached, so that the item stands still until the first one attaches.
  package var isFrozen: Bool { due == nil }
}
