/// Makes ``SharedBytes`` in memory that it always has.
///
/// Who has a line of its own for each of many peers makes them in one turn, and they all go as the turn
/// ends: more at once than an allocator has at hand. Here each is made behind the one before, and at the
/// front again as soon as that is free: so those places are used that the processor still has at hand. If
/// somebody holds the one whose turn it is, or the line is long, it is made anew and is no part of the
/// pool.
package struct SharedBytesPool {
  /// All of it made at first: memory of a busy moment, kept, would keep all from the system that was
  /// freed around it.
  private var row = (0..<Self.count).map { _ in
    SharedBytes.Storage.make(capacity: Self.bytesMaximum)
  }
  private var next = 0

  /// As many as wait for the end of a turn where five thousand peers are told something each second.
  private static let count = 256
  /// A Syncplay State with a name of a hundred letters.
  private static let bytesMaximum = 384

  /// A pool, all of whose memory is free; 100 kB.
  package init() {}

  /// Takes a copy of the bytes.
  package mutating func share(_ bytes: [UInt8]) -> SharedBytes {
    let place = isKnownUniquelyReferenced(&row[0]) ? 0 : next
    next = (place + 1) % Self.count
    guard bytes.count <= Self.bytesMaximum, isKnownUniquelyReferenced(&row[place]) else {
      return SharedBytes(bytes)
    }
    let storage = row[place]
    storage.fill(with: bytes)
    return SharedBytes(storage)
  }
}

@available(*, unavailable)
extension SharedBytesPool: Sendable {}
