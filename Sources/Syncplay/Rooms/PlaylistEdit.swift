import GroupSessions
import Vocabulary

/// What turns the queue into a playlist as a client wants it: it always sends the whole of it.
///
/// Entries of the same name are kept, so that what is on goes on and everybody's places stand.
struct PlaylistEdit: Equatable, Sendable {
  private let old: [QueueEntry]
  private let current: EntryID?
  private let limits: Limits
  private(set) var commands: [QueueCommand] = []
  /// The entry that is on and no longer in the list: it leaves the queue when something else is on,
  /// for taking it away would take everybody to what follows.
  private(set) var hidden: EntryID?

  init(of entries: [QueueEntry], current: EntryID?, limits: Limits = Limits()) {
    old = entries
    self.current = current
    self.limits = limits
  }

  /// An entry of a playlist: a name, or a URL, which is what people see as its title, too.
  static func media(_ file: String, limits: Limits = Limits()) -> MediaItem {
    MediaItem(title: file.truncated(toBytes: limits.titleBytes), url: file)
  }

  /// Finds the commands.
  ///
  /// - Parameters:
  ///   - files: the list as it is to be.
  ///   - all: the queue's entries in order, with those that stand in no list.
  ///   - nextNumber: the number of the next new entry.
  ///   - openedFile: what is on by hand; it stands behind the entry of the same name, so that what
  ///     follows is the one after that.
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

  /// Each entry right behind the one before it, moving as few as a walk from the front finds.
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
