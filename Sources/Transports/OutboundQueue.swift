internal import EventLoops

/// The messages that wait to be written to one peer, in order.
///
/// The first one is stored inline. A turn usually has one message per peer, so neither an idle peer
/// nor an ordinary broadcast needs an allocation.
struct OutboundQueue {
  private(set) var byteCount = 0
  private var rest: [Entry] = []
  /// Declared last, so that the connection's small fields fill its last word.
  private var first: Entry?

  private struct Entry {
    let bytes: SharedBytes
    let isDroppable: Bool
  }

  /// The result of queueing a message.
  enum Verdict: Equatable {
    /// The message waits.
    case queued
    /// This many droppable messages were dropped, either earlier ones or the message itself.
    case dropped(Int)
    /// There is no room, and nothing droppable is left.
    case full
  }

  var isEmpty: Bool { first == nil }

  /// Queues a message if it fits into `room` bytes together with those that wait.
  ///
  /// If it does not fit and is droppable, it is dropped itself, because the earlier messages were
  /// accepted first. If it is not droppable, all waiting droppable messages are dropped.
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

  mutating func takeOnly() -> SharedBytes? {
    guard rest.isEmpty, let only = first else { return nil }
    removeAll()
    return only.bytes
  }

  /// Takes messages from the front for one write: up to a count, and until a number of bytes is
  /// reached.
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
