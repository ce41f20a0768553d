internal import CLibuv
internal import TLS

extension ByteStream {
  /// How many bytes wait for the kernel to take them; zero while the stream keeps up.
  package var queuedBytes: Int {
    isClosed ? 0 : unsafe uv_stream_get_write_queue_size(handle) + heldBytes
  }

  /// Writes the bytes immediately if the kernel takes them, and queues the rest.
  ///
  /// Does nothing on a closed or finishing stream.
  ///
  /// - Throws: the system's error if the other side is gone; close the stream then.
  package func write(_ bytes: SharedBytes) throws(StreamError) {
    loop.preconditionOnLoop()
    guard !ignoresWrites, bytes.count > 0 else { return }
    if !isPlain, try seals([bytes]) { return try writeOutput() }
    try writeAsIs(bytes)
  }

  func writeAsIs(_ bytes: SharedBytes) throws(StreamError) {
    let count = bytes.count
    guard unsafe uv_stream_get_write_queue_size(handle) == 0 else {
      return try queue([bytes], from: 0)
    }
    var piece = unsafe bytes.piece(from: 0)
    countWriteCall()
    let written = try withExtendedLifetime(bytes) { () throws(StreamError) in
      try Self.bytesWritten(unsafe uv_try_write(handle, &piece, 1))
    }
    if written < count { try queue([bytes], from: written) }
  }

  /// Writes several byte strings in order, with one system call per 256 of them.
  ///
  /// Does nothing on a closed or finishing stream.
  ///
  /// - Throws: the system's error if the other side is gone; close the stream then.
  package func write(_ batch: [SharedBytes]) throws(StreamError) {
    loop.preconditionOnLoop()
    if !ignoresWrites, !isPlain, try seals(batch[...]) { return try writeOutput() }
    var rest = batch[...]
    while !rest.isEmpty, !ignoresWrites {
      let part = rest.prefix(EventLoop.piecesMaximum)
      rest = rest.dropFirst(part.count)
      guard queuedBytes == 0 else {
        try queue(part, from: 0)
        continue
      }
      countWriteCall()
      let count = gather(part, from: 0)
      let written = try withExtendedLifetime(part) { () throws(StreamError) in
        try Self.bytesWritten(
          unsafe uv_try_write(handle, loop.pieces.baseAddress, UInt32(count)))
      }
      try queueUnwritten(part, written: written)
    }
  }

  /// The byte count of a `uv_try_write`: zero if the kernel's buffer is full.
  private static func bytesWritten(_ status: Int32) throws(StreamError) -> Int {
    if UVError.Code(status) == .again { return 0 }
    if status < 0 { throw .system(UVError("write", .init(status))) }
    return Int(status)
  }

  /// Writes what a session has encrypted: from its place if the kernel takes it, and copies the
  /// rest.
  func writeOutput() throws(StreamError) {
    try loop.tlsBuffers.takeOutput { (bytes) throws(StreamError) in
      guard !isClosed else { return }
      guard unsafe uv_stream_get_write_queue_size(handle) == 0 else {
        return try queue([SharedBytes(bytes)], from: 0)
      }
      countWriteCall()
      let written = try unsafe bytes.withUnsafeBytes { (bytes) throws(StreamError) in
        let base = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        var piece = unsafe uv_buf_t(
          base: base?.assumingMemoryBound(to: CChar.self), len: bytes.count)
        return try Self.bytesWritten(unsafe uv_try_write(handle, &piece, 1))
      }
      guard written < bytes.count else { return }
      try queue([SharedBytes(bytes.extracting(written...))], from: 0)
    }
  }

  private func queueUnwritten(_ part: ArraySlice<SharedBytes>, written: Int) throws(StreamError) {
    var offset = written
    for (index, bytes) in zip(part.indices, part) {
      if offset < bytes.count { return try queue(part[index...], from: offset) }
      offset -= bytes.count
    }
  }

  /// Lets libuv write the bytes once the kernel takes them; `offset` applies to the first string.
  private func queue(_ part: ArraySlice<SharedBytes>, from offset: Int) throws(StreamError) {
    let request = loop.spareWrites.popLast() ?? WriteRequest()
    request.stream = self
    request.bytes = Array(part)
    let count = gather(part, from: offset)
    countWriteCall()
    let status = unsafe uv_write(
      request.begin(), handle, loop.pieces.baseAddress, UInt32(count)
    ) { raw, status in
      unsafe WriteRequest.end(raw)?.finish(status)
    }
    guard status < 0 else { return }
    _ = unsafe WriteRequest.end(request.raw)
    request.stream = nil
    request.bytes = []
    throw .system(UVError("write", .init(status)))
  }

  private func gather(_ part: ArraySlice<SharedBytes>, from offset: Int) -> Int {
    var offset = offset
    var count = 0
    for bytes in part {
      unsafe loop.pieces[count] = bytes.piece(from: offset)
      offset = 0
      count += 1
    }
    return count
  }
}

extension SharedBytes {
  /// libuv's view of the bytes from an offset on.
  ///
  /// libuv only reads them, although its type is mutable.
  fileprivate func piece(from offset: Int) -> uv_buf_t {
    let bytes = unsafe buffer
    let base = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress).map {
      unsafe ($0 + offset).assumingMemoryBound(to: CChar.self)
    }
    return unsafe uv_buf_t(base: base, len: bytes.count - offset)
  }
}

extension ByteStream {
  /// Ends the outgoing direction, once everything queued is written.
  func shutDown() {
    let request = unsafe makeRequest(uv_shutdown_t(), of: self)
    let status = unsafe uv_shutdown(request, handle) { request, _ in
      _ = unsafe takeOwner(of: request, as: ByteStream.self)
    }
    // It fails only on a stream that is already broken.
    if status < 0 { _ = unsafe takeOwner(of: request, as: ByteStream.self) }
  }
}

/// A write that could not complete immediately: libuv's request and the bytes it points into.
@safe final class WriteRequest {
  let raw: UnsafeMutablePointer<uv_write_t> = .allocate(capacity: 1)
  var bytes: [SharedBytes] = []
  var stream: ByteStream?

  init() {
    unsafe raw.initialize(to: uv_write_t())
  }

  deinit {
    unsafe raw.deallocate()
  }

  /// Gives libuv a reference to this request; ``end(_:)`` takes it back.
  func begin() -> UnsafeMutablePointer<uv_write_t> {
    unsafe raw.pointee.data = Unmanaged.passRetained(self).toOpaque()
    return unsafe raw
  }

  static func end(_ raw: UnsafeMutablePointer<uv_write_t>?) -> WriteRequest? {
    guard let data = unsafe raw?.pointee.data else { return nil }
    return unsafe Unmanaged<WriteRequest>.fromOpaque(data).takeRetainedValue()
  }

  /// Releases the bytes, returns to the loop's spare requests, and informs the stream.
  func finish(_ status: Int32) {
    guard let stream else { return }
    self.stream = nil
    bytes = []
    if stream.loop.spareWrites.count < EventLoop.spareWritesMaximum {
      stream.loop.spareWrites.append(self)
    }
    if status < 0 {
      stream.fail(.system(UVError("write", .init(status))))
    } else if stream.queuedBytes == 0 {
      stream.tellDrained()
    }
  }
}

@available(*, unavailable)
extension WriteRequest: Sendable {}
