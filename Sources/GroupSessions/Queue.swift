package import Vocabulary

/// Where a new or moved entry goes.
package enum QueuePosition: Equatable, Sendable {
  /// After all others.
  case end
  /// Directly after the current one.
  case next
  /// Directly after this one.
  case after(EntryID)
}

/// A command to the queue.
package enum QueueCommand: Equatable, Sendable {
  case insert([MediaItem], at: QueuePosition)
  case move(EntryID, to: QueuePosition)
  case remove(EntryID)
  /// Removes all entries but the current one.
  case clear
  /// Makes this entry current for everyone.
  case select(EntryID)
  /// Moves everyone to the entry after `from`, which was current when the person asked.
  ///
  /// It changes nothing if someone else already took the same step. Without `from` the current
  /// entry counts.
  case next(from: EntryID? = nil)
  /// Moves everyone to the entry before `from`, in the same way.
  case previous(from: EntryID? = nil)
  case setRepeat(RepeatMode)
  /// Puts the entries after the current one in a random order drawn from the seed.
  case shuffle(seed: UInt64)
  /// Restores the order from before the shuffle; entries added since stay after it.
  case unshuffle
  /// Sets whether the next entry starts by itself when one ends.
  case setAutoAdvance(Bool)
}

/// What happened to the queue.
package enum QueueEvent: Equatable, Sendable {
  case inserted([QueueEntry], after: EntryID?)
  case moved(EntryID, after: EntryID?)
  case removed(EntryID)
  case cleared
  /// This entry became current for everyone; the activity's revision went up by one.
  case selected(EntryID)
  case repeatSet(RepeatMode)
  case shuffled([EntryID])
  case unshuffled
  case autoAdvanceSet(Bool)
}

/// The shared queue of a session: the current entry and those before and after it.
package struct Queue: Equatable, Sendable {
  package private(set) var entries: [QueueEntry] = []
  /// The current entry; `nil` if the current media is not in the queue.
  package internal(set) var current: EntryID?
  package internal(set) var repeatMode = RepeatMode.off
  package internal(set) var isAutoAdvancing = true
  /// The order from before a shuffle; `nil` while the queue is not shuffled.
  package internal(set) var unshuffledOrder: [EntryID]?
  /// The number of the next new entry; identifiers are never reused.
  package internal(set) var nextNumber = 1
  /// How many bytes the entries take as JSON at most.
  private(set) var bytes = 0

  package init() {}

  /// Restores a queue from a snapshot.
  package init(
    entries: [QueueEntry], current: EntryID?, repeatMode: RepeatMode, isAutoAdvancing: Bool,
    unshuffledOrder: [EntryID]?, nextNumber: Int
  ) {
    self.entries = entries
    bytes = Self.bytes(of: entries)
    self.current = current
    self.repeatMode = repeatMode
    self.isAutoAdvancing = isAutoAdvancing
    self.unshuffledOrder = unshuffledOrder
    self.nextNumber = nextNumber
  }

  package var currentEntry: QueueEntry? { current.flatMap(entry) }

  package func entry(_ id: EntryID) -> QueueEntry? {
    entries.first { $0.id == id }
  }

  private static func bytes(of entries: some Sequence<QueueEntry>) -> Int {
    entries.reduce(0) { $0 + $1.byteBound }
  }

  mutating func insert(_ new: [QueueEntry], at index: Int) {
    bytes += Self.bytes(of: new)
    entries.insert(contentsOf: new, at: index)
  }

  /// Removes and returns an entry.
  @discardableResult
  mutating func removeEntry(at index: Int) -> QueueEntry {
    bytes -= entries[index].byteBound
    return entries.remove(at: index)
  }

  mutating func replaceEntry(at index: Int, with entry: QueueEntry) {
    bytes += entry.byteBound - entries[index].byteBound
    entries[index] = entry
  }

  /// Replaces all entries, by the same ones in another order or by some of them.
  mutating func replaceEntries(with new: [QueueEntry]) {
    bytes = Self.bytes(of: new)
    entries = new
  }

  func index(_ id: EntryID) -> Int? {
    entries.firstIndex { $0.id == id }
  }

  /// The entry that follows the current one by itself, according to the repeat mode.
  package var upNext: QueueEntry? {
    guard let currentEntry else { return nil }
    return repeatMode == .one ? currentEntry : neighbour(1)
  }

  /// The entry some steps away; it wraps around only in repeat mode `all` or if nothing is current.
  package func neighbour(_ step: Int, from start: EntryID? = nil) -> QueueEntry? {
    guard !entries.isEmpty else { return nil }
    guard let start = start ?? current, let index = index(start) else {
      return step > 0 ? entries.first : entries.last
    }
    let wanted = index + step
    if entries.indices.contains(wanted) { return entries[wanted] }
    guard repeatMode == .all else { return nil }
    return step > 0 ? entries.first : entries.last
  }
}
