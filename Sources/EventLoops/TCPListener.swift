internal import CLibuv

/// Accepts TCP connections on one address.
///
/// Confined to its loop's thread. libuv keeps it alive until ``close()``, and it keeps its
/// delegate.
@safe package final class TCPListener: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_tcp_t>
  private let sendBufferBytes: Int
  private let sparesDescriptors: Bool
  private var delegate: (any TCPListenerDelegate)?
  /// How the streams that it accepts from now on are secured; `nil` secures none.
  package var security: StreamSecurity?

  /// How many descriptors a crowd of connections leaves to what else a server opens: files, a
  /// database, connections to other servers, and those of whoever asks how it is.
  package static let sparedDescriptors = 8

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - host: a name or literal address. `::` means all addresses of both families. Resolving a
  ///     name blocks, so call this only at start-up.
  ///   - port: zero lets the system choose a free port; see ``localPort``.
  ///   - backlog: how many connections may wait for the loop; the system may cap it lower.
  ///   - sendBufferBytes: the requested send buffer of each accepted socket. By default the kernel
  ///     takes 4 MB for a peer that never reads before a write waits.
  ///   - sparesDescriptors: whether it accepts no connection that takes one of the last
  ///     ``sparedDescriptors``.
  ///   - security: how the streams that it accepts are secured; `nil` secures none.
  ///   - delegate: receives each connection.
  /// - Throws: an error that names the address and says what to do.
  package init(
    host: String, port: UInt16, backlog: Int = 1024, sendBufferBytes: Int = 64 * 1024,
    sparesDescriptors: Bool = false, security: StreamSecurity? = nil, on loop: EventLoop,
    delegate: any TCPListenerDelegate
  ) throws(EndpointError) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.security = security
    self.sendBufferBytes = sendBufferBytes
    self.sparesDescriptors = sparesDescriptors
    self.delegate = delegate
    do throws(UVError) {
      unsafe handle = try Self.boundHandle(host, port, on: loop)
    } catch {
      throw EndpointError(.listen, endpointText(host: host, port: port), error)
    }
    unsafe setOwner(self, of: handle)
    do throws(UVError) {
      try listen(backlog)
    } catch {
      close()
      throw EndpointError(.listen, endpointText(host: host, port: port), error)
    }
  }

  /// The port it listens on, also if the system chose it; zero once closed.
  package var localPort: UInt16 { localAddress?.port ?? 0 }

  /// The address it listens on, such as `[::1]:4000`.
  package var localEndpoint: String { localAddress?.text ?? "closed" }

  /// Stops listening; accepted streams stay open.
  ///
  /// A second call does nothing.
  package func close() {
    loop.preconditionOnLoop()
    guard delegate != nil else { return }
    // The delegate may be freed with this reference and call back here, so it is released after the
    // access.
    let dropped = delegate
    delegate = nil
    unsafe closeHandle(handle)
    withExtendedLifetime(dropped) {}
  }

  private var localAddress: SocketAddress? {
    guard delegate != nil else { return nil }
    return unsafe SocketAddress { address, size in
      unsafe uv_tcp_getsockname(handle, address, size)
    }
  }

  /// A handle bound to the first of the host's addresses that this machine has.
  ///
  /// Each address gets a new handle, because libuv creates the socket for the first family it is
  /// given.
  private static func boundHandle(
    _ host: String, _ port: UInt16, on loop: EventLoop
  ) throws(UVError) -> UnsafeMutablePointer<uv_tcp_t> {
    var failure = UVError("getaddrinfo", .unknownName)
    for address in try SocketAddress.resolve(host: host, port: port, on: loop) {
      let handle = unsafe allocateHandle(uv_tcp_t.self)
      unsafe uv_tcp_init(loop.raw, handle)
      let status = unsafe address.withAddress { unsafe uv_tcp_bind(handle, $0, 0) }
      if status == 0 { return unsafe handle }
      unsafe closeHandle(handle)
      failure = UVError("bind", .init(status))
    }
    throw failure
  }

  private func listen(_ backlog: Int) throws(UVError) {
    let status = unsafe uv_listen(
      UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self),
      Int32(clamping: backlog)
    ) { handle, status in
      unsafe owner(of: handle, as: TCPListener.self)?.connectionArrived(status)
    }
    // libuv defers "address in use" of the bind to the listen.
    try UVError.check("bind", status)
  }

  private func connectionArrived(_ status: Int32) {
    guard let delegate else { return }
    do throws(UVError) {
      try UVError.check("accept", status)
      let stream = try ByteStream(.tcp, on: loop)
      do throws(UVError) {
        try unsafe stream.accept(from: handle, sendBufferBytes: sendBufferBytes)
      } catch {
        stream.close()
        throw error
      }
      if sparesDescriptors, stream.hasDescriptor(amongLast: Self.sparedDescriptors) {
        stream.close()
        throw UVError("accept", .tooManyOpenFiles)
      }
      if let security { stream.wait(under: security) }
      let isLast = stream.hasDescriptor(amongLast: 1)
      delegate.listener(self, didAccept: stream)
      if isLast { delegate.listener(self, didFail: UVError("accept", .tooManyOpenFiles)) }
    } catch {
      delegate.listener(self, didFail: error)
    }
  }
}

@available(*, unavailable)
extension TCPListener: Sendable {}

/// Receives the connections of a ``TCPListener``, on its loop's thread.
package protocol TCPListenerDelegate: AnyObject {
  /// A peer connected. The stream reads once it is started, and lives until it is closed.
  func listener(_ listener: TCPListener, didAccept stream: ByteStream)

  /// A connection could not be accepted; the listener continues.
  ///
  /// ``UVError/Code/tooManyOpenFiles`` is reported for each connection that is closed to spare a
  /// descriptor, and once the last one is in use. From then on libuv accepts and immediately closes
  /// each new connection without reporting it, because otherwise the loop would spin on it.
  func listener(_ listener: TCPListener, didFail error: UVError)
}
