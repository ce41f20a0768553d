internal import EventLoops

/// Messages that wait to be written to one peer, in order.
///
/// The first stands in place, since a turn usually has one message for a peer; so neither an idle
/// peer nor an ordinary broadcast costs an allocation here.
struct OutboundQueue {
  /// How many bytes wait.
  private(set) var byteCount = 0
  private var rest: [Entry] = []
  /// Stands last, where the connection's small fields fill its last word.
  private var first: Entry?

  private struct Entry {
    let bytes: SharedBytes
    let isDroppable: Bool
  }

  /// What became of a message.
  enum Verdict: Equatable {
    /// It waits.
    case queued
    /// It waits, or not, but for want of room this many droppable messages went.
    case dropped(Int)
    /// There is no room for it though nothing droppable is left.
    case full
  }

  var isEmpty: Bool { first == nil }

  /// Queues a message if it fits into `room` bytes with those that wait.
  ///
  /// If it does not: a droppable one is dropped itself, since those before it are older promises;
  /// for any other, all droppable ones that wait make room.
  mutating func append(_ bytes: SharedBytes, droppable: Bool, room: Int) -> Verdict {
    if byteCount + bytes.count <= room {
      push(Entry(bytes: bytes, isDroppable: droppable))
      return .queued
    }
    if droppable { return .dropped(1) }
    let dropped = dropDroppable()
    guard byteCount + bytes.count <= room else { return .full }
    push(Entry(bytes: bytes, isDroppable: false))
    return .dropped(dropped)
  }

  /// Takes the message if it is the only one.
  mutating func takeOnly() -> SharedBytes? {
    guard rest.isEmpty, let only = first else { return nil }
    removeAll()
    return only.bytes
  }

  /// Takes messages from the front for one write: at most so many, and none beyond so many bytes.
  mutating func take(_ countMaximum: Int, bytes bytesMaximum: Int, into batch: inout [SharedBytes])
  {
    guard let head = first else { return }
    batch.append(head.bytes)
    var bytes = head.bytes.count
    var taken = 0
    while taken < rest.count, batch.count < countMaximum, bytes < bytesMaximum {
      batch.append(rest[taken].bytes)
      bytes += rest[taken].bytes.count
      taken += 1
    }
    guard taken < rest.count else { return removeAll() }
    byteCount -= bytes
    first = rest[taken]
    rest.removeFirst(taken + 1)
  }

  mutating func removeAll() {
    first = nil
    rest = []
    byteCount = 0
  }

  private mutating func push(_ entry: Entry) {
    byteCount += entry.bytes.count
    if first == nil {
      first = entry
    } else {
      rest.append(entry)
    }
  }

  private mutating func dropDroppable() -> Int {
    let all = (first.map { [$0] } ?? []) + rest
    removeAll()
    for entry in all where !entry.isDroppable { push(entry) }
    return all.count - (isEmpty ? 0 : rest.count + 1)
  }
}
