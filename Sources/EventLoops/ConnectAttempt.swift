internal import CLibuv
package import TLS
internal import Vocabulary

/// One attempt to connect to a TCP address or a Unix socket; results in a stream or an error.
///
/// Confined to its loop's thread. `completion` is called once, after the initializer has returned,
/// but not after ``cancel()`` or when the loop closes. The only time limit is the system's, two
/// minutes; for a shorter one, arm a ``LoopTimer`` and cancel.
@safe package final class ConnectAttempt {
  private let loop: EventLoop
  private let endpoint: String
  private let sendBufferBytes: Int
  private var completion: ((Result<ByteStream, EndpointError>) -> Void)?
  private var addresses: ArraySlice<SocketAddress> = []
  private var stream: ByteStream?
  private let host: String
  private let trust: TLSTrust?
  /// Ends a handshake that hangs.
  private var timer: LoopTimer?

  /// Resolves a name off the loop's thread, then tries its addresses one after another.
  ///
  /// - Parameters:
  ///   - host: a name or literal address.
  ///   - port: the port to connect to.
  ///   - sendBufferBytes: the requested size of the socket's send buffer.
  ///   - trust: secures the stream, and says which servers may answer; `nil` does not secure it.
  ///   - loop: the loop of the stream.
  ///   - completion: receives a connected stream, not started yet, or the error. Start the stream in
  ///     it.
  package init(
    host: String, port: UInt16, sendBufferBytes: Int = 64 * 1024, under trust: TLSTrust? = nil,
    on loop: EventLoop,
    completion: @escaping (Result<ByteStream, EndpointError>) -> Void
  ) throws(EndpointError) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.sendBufferBytes = sendBufferBytes
    self.completion = completion
    self.host = host
    self.trust = trust
    endpoint = endpointText(host: host, port: port)
    do throws(UVError) {
      try resolve(host, port)
    } catch {
      throw EndpointError(.connect, endpoint, error)
    }
  }

  /// Connects to the Unix socket at a path.
  ///
  /// - Throws: an error if the path exceeds the 107 bytes of a socket address. libuv 1.44 would
  ///   silently truncate it.
  package init(
    socketPath path: String, on loop: EventLoop,
    completion: @escaping (Result<ByteStream, EndpointError>) -> Void
  ) throws(EndpointError) {
    loop.preconditionOnLoop()
    self.loop = loop
    sendBufferBytes = 0
    (host, trust) = (path, nil)
    self.completion = completion
    endpoint = path
    do throws(UVError) {
      guard path.utf8.count <= Self.pathBytesMaximum else {
        throw UVError("connect", .nameTooLong)
      }
      let stream = try ByteStream(.pipe, on: loop)
      self.stream = stream
      unsafe uv_pipe_connect(beginRequest(), stream.pipe, path) { request, status in
        unsafe takeAttempt(fromConnect: request)?.didConnect(status)
      }
    } catch {
      throw EndpointError(.connect, path, error)
    }
  }

  /// `sizeof(sockaddr_un.sun_path)` minus the terminating zero (unix(7)).
  private static let pathBytesMaximum = 107

  /// Cancels the attempt; `completion` is not called any more.
  ///
  /// A second call does nothing.
  package func cancel() {
    loop.preconditionOnLoop()
    completion = nil
    stream?.close()
    stream = nil
    timer?.close()
    timer = nil
  }

  private func resolve(_ host: String, _ port: UInt16) throws(UVError) {
    let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
    unsafe request.initialize(to: uv_getaddrinfo_t())
    unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    var hints = unsafe SocketAddress.hints
    let status = unsafe uv_getaddrinfo(
      loop.raw, request,
      { request, status, list in
        let attempt = unsafe takeAttempt(fromResolve: request)
        let addresses = unsafe SocketAddress.all(in: list)
        unsafe uv_freeaddrinfo(list)
        attempt?.didResolve(addresses, status)
      }, host, String(port), &hints)
    guard status < 0 else { return }
    _ = unsafe takeAttempt(fromResolve: request)
    throw UVError("getaddrinfo", .init(status))
  }

  private func didResolve(_ found: [SocketAddress], _ status: Int32) {
    addresses = found[...]
    tryNext(after: UVError("getaddrinfo", status < 0 ? .init(status) : .unknownName))
  }

  private func tryNext(after failure: UVError) {
    guard completion != nil, !loop.isClosing else { return completion = nil }
    guard let address = addresses.popFirst() else {
      return finish(.failure(EndpointError(.connect, endpoint, failure)))
    }
    do throws(UVError) {
      let stream = try ByteStream(.tcp, on: loop)
      self.stream = stream
      let request = unsafe beginRequest()
      let status = unsafe address.withAddress {
        unsafe uv_tcp_connect(request, stream.tcp, $0) { request, status in
          unsafe takeAttempt(fromConnect: request)?.didConnect(status)
        }
      }
      guard status < 0 else { return }
      unsafe takeAttempt(fromConnect: request)?.didConnect(status)
    } catch {
      tryNext(after: error)
    }
  }

  private func didConnect(_ status: Int32) {
    guard let stream else { return }
    self.stream = nil
    guard completion != nil, !loop.isClosing else { return completion = nil }
    guard status == 0 else {
      stream.close()
      return tryNext(after: UVError("connect", .init(status)))
    }
    if sendBufferBytes > 0 { stream.setSocketOptions(sendBufferBytes: sendBufferBytes) }
    guard let trust else { return finish(.success(stream)) }
    secure(stream, under: trust)
  }

  /// The longest time that a handshake takes: some round trips, on a bad connection.
  private static let handshakeTime = Duration.seconds(15)

  private func secure(_ stream: ByteStream, under trust: TLSTrust) {
    self.stream = stream
    timer = LoopTimer(on: loop) { [weak self] in
      self?.stream?.close()
      self?.finish(error: .system(UVError("handshake", .timedOut)))
    }
    timer?.fire(at: loop.now + Self.handshakeTime)
    // The stream holds this attempt until then.
    stream.secure(under: trust, host: host) { error in
      if let error { return self.finish(error: error) }
      self.finish(.success(stream))
    }
  }

  private func finish(error: StreamError) {
    finish(.failure(EndpointError(.connect, endpoint, error)))
  }

  private func finish(_ result: Result<ByteStream, EndpointError>) {
    let completion = completion
    self.completion = nil
    stream = nil
    timer?.close()
    timer = nil
    completion?(result)
  }

  /// A request that keeps this attempt alive until its callback takes the reference back.
  private func beginRequest() -> UnsafeMutablePointer<uv_connect_t> {
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    unsafe request.initialize(to: uv_connect_t())
    unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    return unsafe request
  }
}

@available(*, unavailable)
extension ConnectAttempt: Sendable {}

private func takeAttempt(
  fromConnect request: UnsafeMutablePointer<uv_connect_t>?
) -> ConnectAttempt? {
  guard let request = unsafe request else { return nil }
  defer { unsafe request.deallocate() }
  guard let data = unsafe request.pointee.data else { return nil }
  return unsafe Unmanaged<ConnectAttempt>.fromOpaque(data).takeRetainedValue()
}

private func takeAttempt(
  fromResolve request: UnsafeMutablePointer<uv_getaddrinfo_t>?
) -> ConnectAttempt? {
  guard let request = unsafe request else { return nil }
  defer { unsafe request.deallocate() }
  guard let data = unsafe request.pointee.data else { return nil }
  return unsafe Unmanaged<ConnectAttempt>.fromOpaque(data).takeRetainedValue()
}

/// Connects with retries, for a program that is still starting.
///
/// Confined to its loop's thread. It lives until it succeeds, gives up or is cancelled.
package final class PatientConnect {
  /// The address to connect to.
  package enum Destination: Equatable, Sendable {
    /// The Unix socket at a path.
    case socket(path: String)
    /// A name or literal address, and a port.
    case tcp(host: String, port: UInt16)
  }

  private let loop: EventLoop
  private let destination: Destination
  private let deadline: HostTime
  private var timer: LoopTimer?
  private var attempt: ConnectAttempt?
  private var completion: ((Result<ByteStream, EndpointError>) -> Void)?

  /// The time between two attempts.
  private static let interval = Duration.milliseconds(10)

  /// Starts the first attempt.
  ///
  /// - Parameters:
  ///   - destination: the address to connect to; it need not exist yet.
  ///   - patience: the time after which it gives up.
  ///   - loop: the loop of the stream.
  ///   - completion: receives a connected stream, not started yet, or the error of the last
  ///     attempt. Called once, and not after ``cancel()``.
  package init(
    to destination: Destination, within patience: Duration, on loop: EventLoop,
    completion: @escaping (Result<ByteStream, EndpointError>) -> Void
  ) {
    self.loop = loop
    self.destination = destination
    self.completion = completion
    deadline = loop.now + patience
    timer = LoopTimer(on: loop) { self.connect() }
    timer?.fire(at: loop.now)
  }

  /// Stops trying; a second call does nothing.
  package func cancel() {
    completion = nil
    timer?.close()
    timer = nil
    attempt?.cancel()
    attempt = nil
  }

  private func connect() {
    do throws(EndpointError) {
      attempt = try makeAttempt()
    } catch {
      finish(.failure(error))
    }
  }

  private func makeAttempt() throws(EndpointError) -> ConnectAttempt {
    let take: (Result<ByteStream, EndpointError>) -> Void = { [weak self] in self?.take($0) }
    return switch destination {
    case .socket(let path): try ConnectAttempt(socketPath: path, on: loop, completion: take)
    case .tcp(let host, let port):
      try ConnectAttempt(host: host, port: port, on: loop, completion: take)
    }
  }

  private func take(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    if case .failure = result, loop.now < deadline {
      timer?.fire(at: loop.now + Self.interval)
    } else {
      finish(result)
    }
  }

  private func finish(_ result: Result<ByteStream, EndpointError>) {
    let completion = completion
    cancel()
    completion?(result)
  }
}

@available(*, unavailable)
extension PatientConnect: Sendable {}
