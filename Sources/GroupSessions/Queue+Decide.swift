import Vocabulary

extension Queue {
  /// Decides a command that changes the queue itself; the session decides the choice of an entry.
  func decide(_ command: QueueCommand, by id: ParticipantID, limit: Int) throws(SessionRejection)
    -> [QueueEvent]
  {
    switch command {
    case .insert(let media, let position):
      guard !media.isEmpty else { return [] }
      guard entries.count + media.count <= limit else { throw .queueFull(limit: limit) }
      let new = media.enumerated().map { offset, media in
        QueueEntry(id: Queue.identifier(nextNumber + offset), media: media, addedBy: id)
      }
      return [.inserted(new, after: try anchor(position))]
    case .move(let entry, let position):
      _ = try found(entry)
      let anchor = try anchor(position)
      return anchor == entry ? [] : [.moved(entry, after: anchor)]
    case .remove(let entry):
      _ = try found(entry)
      return [.removed(entry)]
    case .clear:
      return entries.contains { $0.id != current } ? [.cleared] : []
    case .setRepeat(let mode):
      return mode == repeatMode ? [] : [.repeatSet(mode)]
    case .shuffle(let seed):
      return entries.count < 2 ? [] : [.shuffled(shuffledOrder(seed: seed))]
    case .unshuffle:
      return unshuffledOrder == nil ? [] : [.unshuffled]
    case .setAutoAdvance(let isOn):
      return isOn == isAutoAdvancing ? [] : [.autoAdvanceSet(isOn)]
    case .select, .next, .previous:
      return []
    }
  }

  /// The entry that the command makes current; `nil` if it does not change the current one.
  func selection(of command: QueueCommand) throws(SessionRejection) -> QueueEntry? {
    switch command {
    case .select(let id): return try found(id)
    case .next(let from): return try step(1, from: from)
    case .previous(let from): return try step(-1, from: from)
    case .remove(let id) where id == current:
      // The current entry is removed, so everyone moves to the next one, if there is one.
      return neighbour(1).flatMap { $0.id == id ? nil : $0 }
    default: return nil
    }
  }

  /// The entry one step from `start`; `nil` if someone else already took the same step.
  private func step(_ step: Int, from start: EntryID?) throws(SessionRejection) -> QueueEntry? {
    if let start { _ = try found(start) }
    guard let entry = neighbour(step, from: start) else { throw .noSuchNeighbour }
    return entry.id == current && start ?? current != current ? nil : entry
  }

  private func found(_ id: EntryID) throws(SessionRejection) -> QueueEntry {
    guard let entry = entry(id) else { throw .unknownEntry }
    return entry
  }

  /// The entry that a position comes after; `nil` for the front of the queue.
  private func anchor(_ position: QueuePosition) throws(SessionRejection) -> EntryID? {
    switch position {
    case .end: entries.last?.id
    case .next: current ?? nil
    case .after(let id): try found(id).id
    }
  }

  /// The current entry first, then the others in a random order drawn from the seed.
  private func shuffledOrder(seed: UInt64) -> [EntryID] {
    var generator = SplitMix64(seed: seed)
    var rest = entries.map(\.id).filter { $0 != current }
    rest.shuffle(using: &generator)
    return [current].compactMap(\.self) + rest
  }

  static func identifier(_ number: Int) -> EntryID { EntryID("e\(number)") }
}

extension Queue {
  /// Applies an event.
  mutating func evolve(_ event: QueueEvent) {
    switch event {
    case .inserted(let new, let anchor):
      nextNumber += new.count
      insert(new, at: insertionIndex(after: anchor))
      unshuffledOrder?.append(contentsOf: new.map(\.id))
    case .moved(let id, let anchor):
      guard let from = index(id) else { return }
      let entry = removeEntry(at: from)
      insert([entry], at: insertionIndex(after: anchor))
    case .removed(let id):
      remove(id)
    case .cleared:
      replaceEntries(with: entries.filter { $0.id == current })
      unshuffledOrder = nil
    case .selected(let id):
      current = id
    case .repeatSet(let mode):
      repeatMode = mode
    case .shuffled(let order):
      unshuffledOrder = unshuffledOrder ?? entries.map(\.id)
      reorder(order)
    case .unshuffled:
      reorder(unshuffledOrder ?? [])
      unshuffledOrder = nil
    case .autoAdvanceSet(let isOn):
      isAutoAdvancing = isOn
    }
  }

  /// Makes media current: its entry if the queue has one, else a new entry after the current one.
  mutating func play(_ media: MediaItem?, addedBy id: ParticipantID?) {
    guard let media else { return current = nil }
    let isCurrent = currentEntry?.media.item == media.item
    let index = isCurrent ? current.flatMap(index) : nil
    if let index = index ?? entries.firstIndex(where: { $0.media.item == media.item }) {
      let old = entries[index]
      // The new description of the media replaces the old one.
      replaceEntry(
        at: index, with: QueueEntry(id: old.id, media: media, addedBy: old.addedBy))
      current = old.id
    } else {
      let entry = QueueEntry(id: Queue.identifier(nextNumber), media: media, addedBy: id)
      evolve(.inserted([entry], after: current))
      current = entry.id
    }
  }

  private func insertionIndex(after anchor: EntryID?) -> Int {
    anchor.flatMap(index).map { $0 + 1 } ?? 0
  }

  private mutating func remove(_ id: EntryID) {
    if let index = index(id) { removeEntry(at: index) }
    unshuffledOrder?.removeAll { $0 == id }
    if current == id { current = nil }
  }

  private mutating func reorder(_ order: [EntryID]) {
    let byID = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
    let known = order.compactMap { byID[$0] }
    let listed = Set(order)
    replaceEntries(with: known + entries.filter { !listed.contains($0.id) })
  }
}
