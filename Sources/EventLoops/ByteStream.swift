internal import CLibuv
internal import Glibc

/// A connected TCP socket, Unix socket, pipe or terminal: an ordered byte stream in each direction.
///
/// Confined to its loop's thread. ``TCPListener``, ``ConnectAttempt``, ``ChildProcess`` and
/// ``StandardInput`` make streams. libuv keeps a stream alive until ``close()``, and the stream
/// keeps its delegate until then.
@safe package final class ByteStream: LoopHandle {
  /// The loop to which it is confined.
  package let loop: EventLoop
  /// Whether ``close()`` was called, or the stream closed itself after an error.
  package var isClosed: Bool { phase == .closed }
  let handle: UnsafeMutablePointer<uv_stream_t>
  private var delegate: (any ByteStreamDelegate)?
  /// How often it asked the kernel to write; shows what coalescing saves.
  package var writeCalls: UInt32 { writeCallCount }
  /// Separate from ``writeCalls``, because each access to a `package` property is checked for
  /// exclusivity.
  private var writeCallCount: UInt32 = 0
  // Grouped so that they share one word.
  private var isReading = false
  private var hasEnded = false
  private var phase = Phase.open

  private enum Phase {
    case open
    /// Everything queued is still written; later writes are ignored.
    case finishing
    case closed
  }

  /// Makes an unconnected stream.
  init(_ kind: Kind, on loop: EventLoop) throws(UVError) {
    loop.preconditionOnLoop()
    self.loop = loop
    switch kind {
    case .tcp:
      let tcp = unsafe allocateHandle(uv_tcp_t.self)
      unsafe handle = UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_stream_t.self)
      unsafe uv_tcp_init(loop.raw, tcp)
    case .pipe:
      let pipe = unsafe allocateHandle(uv_pipe_t.self)
      unsafe handle = UnsafeMutableRawPointer(pipe).assumingMemoryBound(to: uv_stream_t.self)
      unsafe uv_pipe_init(loop.raw, pipe, 0)
    case .terminal(let descriptor):
      let terminal = unsafe allocateHandle(uv_tty_t.self)
      unsafe handle = UnsafeMutableRawPointer(terminal).assumingMemoryBound(to: uv_stream_t.self)
      let status = unsafe uv_tty_init(loop.raw, terminal, descriptor, 0)
      guard status == 0 else {
        unsafe terminal.deallocate()
        throw UVError("tty_init", .init(status))
      }
    }
    unsafe setOwner(self, of: handle)
  }

  /// The kind of libuv handle.
  enum Kind {
    case tcp
    case pipe
    case terminal(Int32)
  }

  /// Starts reading, and keeps the delegate until the stream is closed.
  ///
  /// - Throws: the system's error if the stream is closed or cannot be read.
  package func start(_ delegate: any ByteStreamDelegate) throws(UVError) {
    loop.preconditionOnLoop()
    guard !isClosed else { throw UVError("read_start", .canceled) }
    self.delegate = delegate
    try UVError.check("read_start", startReading())
  }

  /// Stops reading for now.
  ///
  /// The kernel's buffers fill up, so the other side has to wait.
  package func pauseReading() {
    loop.preconditionOnLoop()
    guard isReading, !isClosed else { return }
    isReading = false
    unsafe uv_read_stop(handle)
  }

  /// Reads again after ``pauseReading()``.
  package func resumeReading() {
    loop.preconditionOnLoop()
    guard delegate != nil, !isClosed else { return }
    let status = startReading()
    if status < 0 { fail(UVError("read_start", .init(status))) }
  }

  /// Closes the stream immediately.
  ///
  /// Unwritten bytes are lost, and the delegate receives no more calls.
  ///
  /// A second call does nothing. If unread bytes of the other side are left, TCP resets the
  /// connection, and the last bytes sent may be lost; see ``finishWriting()``.
  package func close() {
    loop.preconditionOnLoop()
    guard !isClosed else { return }
    phase = .closed
    // The delegate may be freed with this reference and call back here, so it is released after the
    // access.
    let dropped = delegate
    delegate = nil
    unsafe closeHandle(handle)
    withExtendedLifetime(dropped) {}
  }

  /// Ends the outgoing direction after everything queued is written; the other side then reads an
  /// end.
  ///
  /// Reading continues. Later writes are ignored.
  package func finishWriting() {
    finish(thenClose: false)
  }

  /// Closes the stream once everything queued is written.
  ///
  /// Meant for pipes, which have no resets.
  package func closeWhenWritten() {
    finish(thenClose: true)
  }

  /// Whether a write would be ignored because the stream is closed or finishing.
  var ignoresWrites: Bool { phase != .open }

  func countWriteCall() { writeCallCount &+= 1 }

  /// Closes the stream and reports the reason to the delegate, once.
  func fail(_ error: UVError) {
    guard !isClosed else { return }
    let delegate = delegate
    close()
    delegate?.byteStream(self, didFail: error)
  }

  func tellDrained() {
    guard !isClosed else { return }
    delegate?.byteStreamDidDrain(self)
  }

  private func startReading() -> Int32 {
    guard !isReading, !hasEnded else { return 0 }
    let status = unsafe uv_read_start(
      handle,
      { handle, _, buffer in
        guard let stream = unsafe owner(of: handle, as: ByteStream.self) else { return }
        let memory = unsafe stream.loop.readBuffer
        unsafe buffer?.pointee.base = memory.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe buffer?.pointee.len = memory.count
      },
      { handle, count, _ in
        unsafe owner(of: handle, as: ByteStream.self)?.didRead(count)
      })
    isReading = status == 0
    return status
  }

  private func didRead(_ count: Int) {
    loop.aheadOfReads?()
    if count > 0 {
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count])
      unsafe delegate?.byteStream(self, didRead: bytes.assumingMemoryBound(to: UInt8.self).span)
    } else if count == Int(UV_EOF.rawValue) {
      hasEnded = true
      isReading = false
      delegate?.byteStreamDidEnd(self)
    } else if count < 0 {
      fail(UVError("read", .init(Int32(count))))
    }
  }

  private func finish(thenClose: Bool) {
    loop.preconditionOnLoop()
    guard !ignoresWrites else { return }
    phase = .finishing
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    unsafe request.initialize(to: uv_shutdown_t())
    unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let done: uv_shutdown_cb =
      thenClose
      ? { request, _ in unsafe takeStream(from: request)?.close() }
      : { request, _ in _ = unsafe takeStream(from: request) }
    let status = unsafe uv_shutdown(request, handle, done)
    // It fails only on a stream that is already broken.
    guard status < 0 else { return }
    _ = unsafe takeStream(from: request)
    if thenClose { close() }
  }
}

@available(*, unavailable)
extension ByteStream: Sendable {}

/// Frees a finished shutdown request and takes back its reference to the stream.
private func takeStream(from request: UnsafeMutablePointer<uv_shutdown_t>?) -> ByteStream? {
  guard let request = unsafe request else { return nil }
  defer { unsafe request.deallocate() }
  guard let data = unsafe request.pointee.data else { return nil }
  return unsafe Unmanaged<ByteStream>.fromOpaque(data).takeRetainedValue()
}

/// Receives the events of a ``ByteStream``, on its loop's thread, and none after its `close()`.
package protocol ByteStreamDelegate: AnyObject {
  /// Bytes arrived. They are valid only during the call, so copy what is needed later.
  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>)

  /// The other side sends no more, but may still read. Nothing more is read after this.
  func byteStreamDidEnd(_ stream: ByteStream)

  /// The kernel has taken everything that was queued.
  func byteStreamDidDrain(_ stream: ByteStream)

  /// The stream failed and has closed itself.
  func byteStream(_ stream: ByteStream, didFail error: UVError)
}

extension ByteStream {
  /// The address of the other side, such as `192.0.2.1:51000`; each call asks the kernel.
  package var peerAddress: String {
    guard !isClosed else { return "closed" }
    return peer?.text ?? "a local socket"
  }

  /// The address without the port.
  ///
  /// An IPv4 peer of an IPv6 socket is shown as IPv4.
  package var peerHost: String {
    guard !isClosed else { return "closed" }
    guard let host = peer?.host else { return "a local socket" }
    let mapped = "::ffff:"
    return host.hasPrefix(mapped) && host.contains(".")
      ? String(host.dropFirst(mapped.count)) : host
  }

  private var peer: SocketAddress? {
    unsafe SocketAddress { address, size in unsafe uv_tcp_getpeername(tcp, address, size) }
  }

  /// Accepts a waiting connection, disables Nagle's algorithm and bounds the send buffer.
  func accept(from listener: UnsafeMutablePointer<uv_tcp_t>, sendBufferBytes: Int) throws(UVError) {
    let server = unsafe UnsafeMutableRawPointer(listener).assumingMemoryBound(to: uv_stream_t.self)
    try UVError.check("accept", unsafe uv_accept(server, handle))
    setSocketOptions(sendBufferBytes: sendBufferBytes)
  }

  /// Disables Nagle's algorithm, and bounds how much the kernel takes for a peer that does not
  /// read.
  ///
  /// Measured on Linux: with 64 KiB about 160 KB leave before a write has to wait, and with the
  /// default of up to 4 MB, 3.9 MB. These calls fail on a connection that is already broken; its
  /// first read reports that.
  func setSocketOptions(sendBufferBytes: Int) {
    unsafe uv_tcp_nodelay(tcp, 1)
    var bytes = Int32(clamping: sendBufferBytes)
    unsafe uv_send_buffer_size(asHandle(handle), &bytes)
  }

  /// Whether this is the process's last free descriptor.
  ///
  /// The system always assigns the lowest free one, so the highest one is assigned last.
  var hasLastDescriptor: Bool {
    var descriptor: Int32 = -1
    var limit = rlimit()
    guard unsafe uv_fileno(asHandle(handle), &descriptor) == 0,
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    else { return false }
    return UInt64(descriptor) + 1 >= UInt64(limit.rlim_cur)
  }

  var tcp: UnsafeMutablePointer<uv_tcp_t> {
    unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_tcp_t.self)
  }

  var pipe: UnsafeMutablePointer<uv_pipe_t> {
    unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_pipe_t.self)
  }
}
