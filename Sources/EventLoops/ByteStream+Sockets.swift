internal import CLibuv
internal import Glibc

extension ByteStream {
  /// Who is on the other side, as in `192.0.2.1:51000`; asked of the kernel at each call.
  package var peerAddress: String {
    guard !isClosed else { return "closed" }
    return peer?.text ?? "a local socket"
  }

  /// The same without the port; one of IPv4 as such, also where a socket of IPv6 listens.
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

  /// Takes a waiting connection over, with Nagle's algorithm off and its send buffer bounded.
  func accept(from listener: UnsafeMutablePointer<uv_tcp_t>, sendBufferBytes: Int) throws(UVError) {
    let server = unsafe UnsafeMutableRawPointer(listener).assumingMemoryBound(to: uv_stream_t.self)
    try UVError.check("accept", unsafe uv_accept(server, handle))
    setSocketOptions(sendBufferBytes: sendBufferBytes)
  }

  /// Sends small writes at once, and bounds what the kernel takes for a peer that does not read.
  ///
  /// Measured on Linux: with 64 KiB about 160 KB leave before a write has to wait; with the
  /// default of up to 4 MB, 3.9 MB. A connection that is already broken refuses these; its first
  /// read says so.
  func setSocketOptions(sendBufferBytes: Int) {
    unsafe uv_tcp_nodelay(tcp, 1)
    var bytes = Int32(clamping: sendBufferBytes)
    unsafe uv_send_buffer_size(asHandle(handle), &bytes)
  }

  /// Whether the process may open no more: the system always gives the lowest free descriptor, so
  /// that whoever has the highest one has the last one.
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
