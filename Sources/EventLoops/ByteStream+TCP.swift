internal import CLibuv
internal import SystemLibrary

// Streams over TCP: the other side's address, and the options of the socket.

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

  /// Whether its descriptor is one of the last that the process may have.
  ///
  /// The system always assigns the lowest free one, so the highest ones are assigned last.
  package func hasDescriptor(amongLast count: Int) -> Bool {
    var descriptor: Int32 = -1
    guard !isClosed, unsafe uv_fileno(asHandle(handle), &descriptor) == 0,
      let limit = descriptorLimits()
    else { return false }
    return UInt64(descriptor) + UInt64(count) >= UInt64(limit.rlim_cur)
  }

  var tcp: UnsafeMutablePointer<uv_tcp_t> {
    unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_tcp_t.self)
  }

  var pipe: UnsafeMutablePointer<uv_pipe_t> {
    unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_pipe_t.self)
  }
}
