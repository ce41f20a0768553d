/// Immutable bytes, which any number of writes share by reference.
///
/// One allocation holds the count and the bytes; copying this value adds a reference. Unchecked
/// `Sendable`: the storage is written only before it is shared, or by a ``SharedBytesPool`` that
/// holds the only reference.
@safe package struct SharedBytes: @unchecked Sendable {
  private let storage: Storage

  /// Wraps filled storage.
  init(_ storage: Storage) {
    self.storage = storage
  }

  /// Copies the bytes.
  package init(_ bytes: Span<UInt8>) {
    unsafe storage = .make(capacity: bytes.count) { target in
      for index in bytes.indices { unsafe target[index] = bytes[index] }
      return bytes.count
    }
  }

  /// Copies the bytes.
  package init(_ bytes: [UInt8]) {
    storage = .make(capacity: bytes.count)
    storage.fill(with: bytes)
  }

  /// Encodes the text as UTF-8.
  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Writes at most `capacity` bytes directly into their final place.
  package init(capacity: Int, writing write: (inout OutputSpan<UInt8>) -> Void) {
    unsafe storage = .make(capacity: capacity) { target in
      var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
      write(&output)
      return unsafe output.finalize(for: target)
    }
  }

  /// The number of bytes.
  ///
  /// Read through the pointer, because an access to `header` would be checked for exclusivity at
  /// each delivery.
  package var count: Int {
    unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0.pointee }
  }

  /// A copy of the bytes.
  package var array: [UInt8] { unsafe Array(buffer) }

  /// The bytes in place, valid while this value or a copy of it lives.
  var buffer: UnsafeBufferPointer<UInt8> {
    unsafe storage.withUnsafeMutablePointers { count, bytes in
      unsafe UnsafeBufferPointer(start: bytes, count: count.pointee)
    }
  }

  /// The number of bytes, followed by the bytes.
  final class Storage: ManagedBuffer<Int, UInt8> {
    static func make(capacity: Int) -> Storage {
      unsafe unsafeDowncast(Storage.create(minimumCapacity: capacity) { _ in 0 }, to: Storage.self)
    }

    /// Replaces the content.
    ///
    /// The caller ensures that the bytes fit and that nobody else holds a reference.
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

/// Makes ``SharedBytes`` in preallocated memory.
///
/// A sender with a separate line for each of many peers makes all of them in one turn, and all are
/// freed at its end: more than the allocator keeps ready. The pool uses its slots in order, and
/// returns to the first slot as soon as that one is free, so that it reuses memory that is still in
/// the processor's cache. If the next slot is still in use, or the bytes are too long, they are
/// allocated outside the pool.
package struct SharedBytesPool {
  /// All slots are allocated at the start.
  ///
  /// Memory from a busy moment, kept for later, would prevent the system from reclaiming what was
  /// freed around it.
  private var row = (0..<Self.count).map { _ in
    SharedBytes.Storage.make(capacity: Self.bytesMaximum)
  }
  private var next = 0

  /// The lines that wait for the end of a turn when five thousand peers are each sent one per
  /// second.
  private static let count = 256
  /// The size of a playback state as JSON, with a name of a hundred letters.
  private static let bytesMaximum = 384

  /// A pool of free slots; takes 100 kB.
  package init() {}

  /// Copies the bytes.
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
