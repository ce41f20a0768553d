/// Bytes made once and never changed, which any number of writes share by reference.
///
/// One allocation holds the count and the bytes; a copy of this value is one more reference.
/// Sendable, unchecked: the storage is written only before its first reference is handed out, or again
/// by a ``SharedBytesPool`` that alone is left to hold it.
@safe package struct SharedBytes: @unchecked Sendable {
  private let storage: Storage

  /// Bytes that were put there already.
  init(_ storage: Storage) {
    self.storage = storage
  }

  /// Takes a copy of the bytes.
  package init(_ bytes: Span<UInt8>) {
    unsafe storage = .make(capacity: bytes.count) { target in
      for index in bytes.indices { unsafe target[index] = bytes[index] }
      return bytes.count
    }
  }

  /// Takes a copy of the bytes.
  package init(_ bytes: [UInt8]) {
    storage = .make(capacity: bytes.count)
    storage.fill(with: bytes)
  }

  /// The text in UTF-8.
  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Bytes written straight into their final place, at most `capacity` of them.
  package init(capacity: Int, writing write: (inout OutputSpan<UInt8>) -> Void) {
    unsafe storage = .make(capacity: capacity) { target in
      var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
      write(&output)
      return unsafe output.finalize(for: target)
    }
  }

  /// How many bytes there are.
  ///
  /// Read through the pointer: `header` would be checked for exclusivity at each delivery.
  package var count: Int {
    unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0.pointee }
  }

  /// The bytes, copied out.
  package var array: [UInt8] { unsafe Array(buffer) }

  /// The bytes in place: valid as long as this value or a copy of it lives.
  var buffer: UnsafeBufferPointer<UInt8> {
    unsafe storage.withUnsafeMutablePointers { count, bytes in
      unsafe UnsafeBufferPointer(start: bytes, count: count.pointee)
    }
  }

  /// How many bytes there are, and the bytes.
  final class Storage: ManagedBuffer<Int, UInt8> {
    static func make(capacity: Int) -> Storage {
      unsafe unsafeDowncast(Storage.create(minimumCapacity: capacity) { _ in 0 }, to: Storage.self)
    }

    /// Puts these bytes in the place of those that were here; the caller has seen to it that they fit,
    /// and that nobody else holds them.
    func fill(with bytes: [UInt8]) {
      unsafe withUnsafeMutablePointers { count, target in
        unsafe count.pointee = bytes.count
        unsafe bytes.withUnsafeBufferPointer { source in
          guard let start = source.baseAddress else { return }
          unsafe target.update(from: start, count: source.count)
        }
      }
    }

    static func make(
      capacity: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) -> Storage {
      let storage = make(capacity: capacity)
      unsafe storage.withUnsafeMutablePointers { count, bytes in
        unsafe count.pointee = unsafe fill(.init(start: bytes, count: capacity))
      }
      return storage
    }
  }
}

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
