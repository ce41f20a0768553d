import GroupSessions
import Vocabulary

/// Computes the commands that turn the queue into the playlist that a client sent; clients always
/// send the whole list.
///
/// Entries with the same name are kept, so that the current item and everyone's positions are kept.
struct PlaylistEdit: Equatable, Sendable {
  private let old: [QueueEntry]
  private let current: EntryID?
  private let limits: Limits
  private(set) var commands: [QueueCommand] = []
  /// The current entry if it is no longer in the list.
  ///
  /// It is removed from the queue only when another entry is current, because removing it now would
  /// move everyone to the next entry.
  private(set) var hidden: EntryID?

  init(of entries: [QueueEntry], current: EntryID?, limits: Limits = Limits()) {
    old = entries
    self.current = current
    self.limits = limits
  }

  /// A playlist entry as an item; the file name or URL is also the title that people see.
  static func media(_ file: String, limits: Limits = Limits()) -> MediaItem {
    MediaItem(title: file.truncated(toBytes: limits.titleBytes), url: file)
  }

  /// Computes the commands.
  ///
  /// - Parameters:
  ///   - files: the new list.
  ///   - all: the queue's entries in order, including those that are in no list.
  ///   - nextNumber: the number of the next new entry.
  ///   - openedFile: the name of the current file if somebody opened it by hand. It is placed after
  ///     the entry of the same name, so that the next entry follows it.
  mutating func replace(
    with files: [String], all: [EntryID], nextNumber: Int, openedFile: String? = nil
  ) {
    var unused: [String: [EntryID]] = [:]
    for entry in old.reversed() { unused[entry.media.url, default: []].append(entry.id) }
    var number = nextNumber
    var new: [MediaItem] = []
    let wanted = files.map { file -> EntryID in
      if let kept = unused[file]?.popLast() { return kept }
      new.append(Self.media(file, limits: limits))
      defer { number += 1 }
      return EntryID("e\(number)")
    }
    var order = all
    remove(old.map(\.id).filter { id in !wanted.contains(id) }, from: &order)
    if !new.isEmpty { commands.append(.insert(new, at: .end)) }
    order += (nextNumber..<number).map { EntryID("e\($0)") }
    arrange(wanted, in: &order)
    if let openedFile, let current, let place = files.firstIndex(of: openedFile) {
      commands.append(.move(current, to: .after(wanted[place])))
    }
  }

  private mutating func remove(_ gone: [EntryID], from order: inout [EntryID]) {
    for id in gone {
      guard id != current else {
        hidden = id
        continue
      }
      commands.append(.remove(id))
      order.removeAll { $0 == id }
    }
  }

  /// Moves each entry directly after its predecessor, with the moves that one pass from the front
  /// finds.
  private mutating func arrange(_ wanted: [EntryID], in order: inout [EntryID]) {
    var places = order.filter { wanted.contains($0) }
    for (before, id) in zip(wanted, wanted.dropFirst()) {
      guard let place = places.firstIndex(of: before) else { return }
      guard place + 1 == places.count || places[place + 1] != id else { continue }
      commands.append(.move(id, to: .after(before)))
      places.removeAll { $0 == id }
      places.insert(id, at: (places.firstIndex(of: before) ?? 0) + 1)
    }
  }
}
