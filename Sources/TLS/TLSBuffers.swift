internal import CLibssl

/// The memory in which the sessions of one loop encrypt and decrypt, so that none needs its own.
///
/// A session uses it during one call only, and its caller takes the result before the next call.
/// Confined to its loop's thread.
@safe package final class TLSBuffers {
  /// What the session under way receives, as far as OpenSSL has not taken it.
  var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var output: UnsafeMutableRawBufferPointer
  private var outputCount = 0
  private let plaintext: UnsafeMutableRawBufferPointer
  private var plaintextCount = 0
  private let record: UnsafeMutableRawBufferPointer
  private var recordCount = 0

  /// One read of a stream, and a record of which OpenSSL held all but the end (RFC 8446, 5.2).
  private static let plaintextBytes = 64 * 1024 + 18 * 1024
  /// The longest content of a record (RFC 8446, 5.1).
  private static let recordBytes = 16 * 1024
  /// The usual size of a turn's writes to one peer, encrypted.
  private static let outputBytes = 80 * 1024

  package init() {
    unsafe output = .allocate(byteCount: Self.outputBytes, alignment: 64)
    unsafe plaintext = .allocate(byteCount: Self.plaintextBytes, alignment: 64)
    unsafe record = .allocate(byteCount: Self.recordBytes, alignment: 64)
  }

  deinit {
    unsafe output.deallocate()
    unsafe plaintext.deallocate()
    unsafe record.deallocate()
  }

  /// Passes what is to be sent to `body`, and forgets it.
  package func takeOutput<Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    guard outputCount > 0 else { return }
    let count = outputCount
    outputCount = 0
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: output[..<count])
    try unsafe body(bytes.assumingMemoryBound(to: UInt8.self).span)
    shrink()
  }

  /// Passes what was decrypted to `body`, and forgets it.
  package func takePlaintext(_ body: (Span<UInt8>) -> Void) {
    guard plaintextCount > 0 else { return }
    let count = plaintextCount
    plaintextCount = 0
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: plaintext[..<count])
    unsafe body(bytes.assumingMemoryBound(to: UInt8.self).span)
  }

  /// Forgets what was decrypted.
  func dropPlaintext() { plaintextCount = 0 }

  /// Lets OpenSSL decrypt into the free part; it returns how many bytes it wrote.
  func decrypt(_ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: plaintext[plaintextCount...])
    guard unsafe !free.isEmpty else { return 0 }
    let count = unsafe body(free)
    plaintextCount += count
    return count
  }

  /// Gathers a message in the record; false if it has no room for it.
  func gather(_ bytes: Span<UInt8>) -> Bool {
    guard unsafe bytes.count <= record.count - recordCount else { return false }
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe UnsafeMutableRawBufferPointer(rebasing: record[recordCount...]).copyMemory(from: bytes)
    }
    recordCount += bytes.count
    return true
  }

  /// Passes what was gathered to `body`, and forgets it.
  func takeGathered(
    _ body: (UnsafeRawBufferPointer) throws(TLSFault) -> Void
  ) throws(TLSFault) {
    let count = recordCount
    recordCount = 0
    try unsafe body(UnsafeRawBufferPointer(rebasing: record[..<count]))
  }

  /// What is to be sent.
  func append(_ bytes: UnsafeRawBufferPointer) {
    let needed = outputCount + bytes.count
    if unsafe needed > output.count { grow(to: needed) }
    unsafe UnsafeMutableRawBufferPointer(rebasing: output[outputCount...]).copyMemory(from: bytes)
    outputCount = needed
  }

  /// Takes up to `count` bytes of the input.
  func takeInput(into target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    let part = unsafe UnsafeRawBufferPointer(rebasing: input.prefix(count))
    guard let start = part.baseAddress else { return 0 }
    unsafe target.copyMemory(from: start, byteCount: part.count)
    unsafe input = UnsafeRawBufferPointer(rebasing: input[part.count...])
    return part.count
  }

  private func grow(to needed: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: unsafe max(needed, 2 * output.count), alignment: 64)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: output[..<outputCount]))
    unsafe output.deallocate()
    unsafe output = larger
  }

  /// Gives back what one large message needed.
  private func shrink() {
    guard unsafe output.count > 4 * Self.outputBytes, outputCount == 0 else { return }
    unsafe output.deallocate()
    unsafe output = .allocate(byteCount: Self.outputBytes, alignment: 64)
  }
}

@available(*, unavailable)
extension TLSBuffers: Sendable {}

/// OpenSSL's way to the bytes of a session (BIO_meth_new(3)): it reads the input of ``TLSBuffers``
/// and appends to their output, so a session keeps no buffers between calls.
enum TLSChannel {
  // BIO_FLAGS_RWS and BIO_FLAGS_SHOULD_RETRY (openssl/bio.h); Swift does not import the former.
  private static let retryFlags: Int32 = 0x07 | 0x08

  /// A channel for one session, which does not keep the buffers alive.
  static func make(to buffers: TLSBuffers) -> OpaquePointer? {
    guard let bio = unsafe BIO_new(method) else { return nil }
    unsafe BIO_set_data(bio, Unmanaged.passUnretained(buffers).toOpaque())
    unsafe BIO_set_init(bio, 1)
    return unsafe bio
  }

  private static func buffers(of bio: OpaquePointer?) -> TLSBuffers? {
    guard let data = unsafe BIO_get_data(bio) else { return nil }
    return unsafe Unmanaged<TLSBuffers>.fromOpaque(data).takeUnretainedValue()
  }

  /// Written once, before the first session, and only read afterwards.
  private nonisolated(unsafe) static let method: OpaquePointer? = {
    let method = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "matinee")
    unsafe BIO_meth_set_write_ex(method) { bio, bytes, count, written in
      guard let buffers = unsafe TLSChannel.buffers(of: bio) else { return 0 }
      unsafe buffers.append(UnsafeRawBufferPointer(start: bytes, count: count))
      unsafe written?.pointee = count
      return 1
    }
    unsafe BIO_meth_set_read_ex(method) { bio, bytes, count, read in
      guard let buffers = unsafe TLSChannel.buffers(of: bio), let bytes = unsafe bytes else {
        return 0
      }
      unsafe BIO_clear_flags(bio, retryFlags)
      let taken = unsafe buffers.takeInput(into: bytes, count)
      guard taken > 0 else {
        // Nothing is there yet; it is not the end.
        unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        return 0
      }
      unsafe read?.pointee = taken
      return 1
    }
    unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return unsafe method
  }()
}
