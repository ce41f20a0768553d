internal import CLibuv

/// Accepts TCP connections on one address.
///
/// Confined to its loop's thread. libuv holds it until ``close()``, and it holds its delegate.
@safe package final class TCPListener: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_tcp_t>
  private let sendBufferBytes: Int
  private var delegate: (any TCPListenerDelegate)?

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - host: a name or literal address. `::` means all addresses of both families. Resolving a
  ///     name blocks, so listen at start-up only.
  ///   - port: zero lets the system choose a free one: see ``localPort``.
  ///   - backlog: how many connections may wait for the loop; the system may cap it lower.
  ///   - sendBufferBytes: what to ask for as each accepted socket's send buffer. Without a bound
  ///     the kernel takes 4 MB for a peer that never reads before anybody notices.
  ///   - delegate: told of each connection.
  /// - Throws: an error that says which address, and what to do.
  package init(
    host: String, port: UInt16, backlog: Int = 1024, sendBufferBytes: Int = 64 * 1024,
    on loop: EventLoop, delegate: any TCPListenerDelegate
  ) throws(EndpointError) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.sendBufferBytes = sendBufferBytes
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

  /// The port it listens on, as the system chose it if it was asked to; zero once closed.
  package var localPort: UInt16 { localAddress?.port ?? 0 }

  /// The address it listens on, as in `[::1]:4000`.
  package var localEndpoint: String { localAddress?.text ?? "closed" }

  /// Stops listening; accepted streams live on.
  ///
  /// A second call does nothing.
  package func close() {
    loop.preconditionOnLoop()
    guard delegate != nil else { return }
    // It may go with this, and call back here as it does: only after the access.
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
  /// Each address gets a new handle: libuv makes the socket for the first family it is given.
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
    // libuv keeps "address in use" from the bind for the listen.
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
      let isLast = stream.hasLastDescriptor
      delegate.listener(self, didAccept: stream)
      if isLast { delegate.listener(self, didFail: UVError("accept", .tooManyOpenFiles)) }
    } catch {
      delegate.listener(self, didFail: error)
    }
  }
}

@available(*, unavailable)
extension TCPListener: Sendable {}

/// Hears of the connections a ``TCPListener`` accepts, on its loop's thread.
package protocol TCPListenerDelegate: AnyObject {
  /// Somebody connected; the stream reads once it is started, and lives until it is closed.
  func listener(_ listener: TCPListener, didAccept stream: ByteStream)

  /// A connection could not be accepted; the listener goes on.
  ///
  /// ``UVError/Code/tooManyOpenFiles`` comes once the last descriptor is taken: from then on libuv
  /// lets in and hangs up on whoever comes, since otherwise the loop would spin on them, and tells
  /// nobody of each.
  func listener(_ listener: TCPListener, didFail error: UVError)
}
