package import Vocabulary

/// Where a new entry goes.
package enum QueuePosition: Equatable, Sendable {
  /// Behind all others.
  case end
  /// Right behind the current one.
  case next
  /// Right behind that one.
  case after(EntryID)
}

/// What someone wants of the queue.
package enum QueueCommand: Equatable, Sendable {
  case insert([MediaItem], at: QueuePosition)
  case move(EntryID, to: QueuePosition)
  case remove(EntryID)
  /// Everything but the current entry goes.
  case clear
  /// Everyone goes on to this entry.
  case select(EntryID)
  /// Everyone goes on to the entry behind the one named, which was on when it was asked for; nothing
  /// happens if somebody with the same wish was quicker. Unnamed, whatever is on is meant.
  case next(from: EntryID? = nil)
  /// Everyone goes back to the entry before the one named, on the same terms.
  case previous(from: EntryID? = nil)
  case setRepeat(RepeatMode)
  /// Plays what is left in an order drawn from the seed.
  case shuffle(seed: UInt64)
  /// Puts back the order from before the shuffle; later additions stay behind it.
  case unshuffle
  /// Whether the next entry starts by itself when one ends.
  case setAutoAdvance(Bool)
}

/// What happened to the queue.
package enum QueueEvent: Equatable, Sendable {
  case inserted([QueueEntry], after: EntryID?)
  case moved(EntryID, after: EntryID?)
  case removed(EntryID)
  case cleared
  /// This entry is what everyone watches now; the activity's revision went up by one.
  case selected(EntryID)
  case repeatSet(RepeatMode)
  case shuffled([EntryID])
  case unshuffled
  case autoAdvanceSet(Bool)
}

/// What is watched, what was, and what comes: the shared queue of a session.
package struct Queue: Equatable, Sendable {
  package internal(set) var entries: [QueueEntry] = []
  /// The entry that is on; `nil` if what is on stands in no entry.
  package internal(set) var current: EntryID?
  package internal(set) var repeatMode = RepeatMode.off
  package internal(set) var isAutoAdvancing = true
  /// The order before a shuffle; `nil` while the order is the people's own.
  package internal(set) var unshuffledOrder: [EntryID]?
  /// The number of the next entry: an entry's identifier is never used again.
  package internal(set) var nextNumber = 1

  /// An empty queue.
  package init() {}

  /// Puts a queue together from a snapshot.
  package init(
    entries: [QueueEntry], current: EntryID?, repeatMode: RepeatMode, isAutoAdvancing: Bool,
    unshuffledOrder: [EntryID]?, nextNumber: Int
  ) {
    self.entries = entries
    self.current = current
    self.repeatMode = repeatMode
    self.isAutoAdvancing = isAutoAdvancing
    self.unshuffledOrder = unshuffledOrder
    self.nextNumber = nextNumber
  }

  /// The entry that is on.
  package var currentEntry: QueueEntry? { current.flatMap(entry) }

  /// The entry of that identifier.
  package func entry(_ id: EntryID) -> QueueEntry? {
    entries.first { $0.id == id }
  }

  func index(_ id: EntryID) -> Int? {
    entries.firstIndex { $0.id == id }
  }

  /// What comes after the current entry by itself, repeat mode and all.
  package var upNext: QueueEntry? {
    guard let currentEntry else { return nil }
    return repeatMode == .one ? currentEntry : neighbour(1)
  }

  /// The entry a step away; from end to start only where all repeats, or where nothing is current.
  package func neighbour(_ step: Int, from start: EntryID? = nil) -> QueueEntry? {
    guard !entries.isEmpty else { return nil }
    guard let start = start ?? current, let place = index(start) else {
      return step > 0 ? entries.first : entries.last
    }
    let wanted = place + step
    if entries.indices.contains(wanted) { return entries[wanted] }
    guard repeatMode == .all else { return nil }
    return step > 0 ? entries.first : entries.last
  }
}
