public import GroupSessions
public import Vocabulary

/// What a group watches, what it watched, and what comes.
public struct QueueState: Hashable, Sendable {
  /// The entries, in the order they come.
  public let entries: [QueueEntry]
  /// The entry that is on; `nil` if what is on stands in none.
  public let current: EntryID?
  /// What follows an entry.
  public let repeatMode: RepeatMode
  /// Whether the order was drawn by lot.
  public let isShuffled: Bool
  /// Whether the next entry starts by itself when one ends.
  public let isAutoAdvancing: Bool

  /// The entry that is on.
  public var currentEntry: QueueEntry? { entries.first { $0.id == current } }

  init(_ queue: GroupSessions.Queue) {
    entries = queue.entries
    current = queue.current
    repeatMode = queue.repeatMode
    isShuffled = queue.unshuffledOrder != nil
    isAutoAdvancing = queue.isAutoAdvancing
  }
}
