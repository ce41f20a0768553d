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
  private var race: AddressRace?
  private var stream: ByteStream?
  private let host: String
  private let silent: String?
  private let trust: TLSTrust?
  /// The address that it has connected to, such as `127.0.0.1:80`; `nil` before.
  package private(set) var address: String?
  /// Ends a handshake that hangs.
  private var timer: LoopTimer?

  /// Resolves a name off the loop's thread, then connects to the first of its addresses that answers.
  ///
  /// - Parameters:
  ///   - host: a name or literal address.
  ///   - port: the port to connect to.
  ///   - silent: an address, as ``address`` has it, that goes last, because somebody there accepted an
  ///     attempt before and then said nothing.
  ///   - trust: secures the stream, and says which servers may answer; `nil` does not secure it.
  ///   - loop: the loop of the stream.
  ///   - completion: receives a connected stream, not started yet, or the error. Start the stream in
  ///     it.
  package init(
    host: String, port: UInt16, avoiding silent: String? = nil, under trust: TLSTrust? = nil,
    on loop: EventLoop,
    completion: @escaping (Result<ByteStream, EndpointError>) -> Void
  ) throws(EndpointError) {
    loop.preconditionOnLoop()
    self.loop = loop
    sendBufferBytes = 64 * 1024
    self.completion = completion
    self.host = host
    self.silent = silent
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
    (host, silent, trust) = (path, nil, nil)
    self.completion = completion
    endpoint = path
    do throws(UVError) {
      guard path.utf8.count <= Self.pathBytesMaximum else {
        throw UVError("connect", .nameTooLong)
      }
      let stream = try ByteStream(.pipe, on: loop)
      self.stream = stream
      let request = unsafe makeRequest(uv_connect_t(), of: self)
      unsafe uv_pipe_connect(request, stream.pipe, path) { request, status in
        unsafe takeOwner(of: request, as: ConnectAttempt.self)?.didConnectToSocket(status)
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
    race?.cancel()
    race = nil
    stream?.close()
    stream = nil
    timer?.close()
    timer = nil
  }

  private func resolve(_ host: String, _ port: UInt16) throws(UVError) {
    let request = unsafe makeRequest(uv_getaddrinfo_t(), of: self)
    var hints = unsafe SocketAddress.hints
    let status = unsafe uv_getaddrinfo(
      loop.raw, request,
      { request, status, list in
        let attempt = unsafe takeOwner(of: request, as: ConnectAttempt.self)
        let addresses = unsafe SocketAddress.all(in: list)
        unsafe uv_freeaddrinfo(list)
        attempt?.didResolve(addresses, status)
      }, host, String(port), &hints)
    guard status < 0 else { return }
    _ = unsafe takeOwner(of: request, as: ConnectAttempt.self)
    throw UVError("getaddrinfo", .init(status))
  }

  private func didResolve(_ found: [SocketAddress], _ status: Int32) {
    guard completion != nil, !loop.isClosing else { return completion = nil }
    let failure = UVError("getaddrinfo", status < 0 ? .init(status) : .unknownName)
    // The race holds this attempt until then.
    race = AddressRace(to: found, avoiding: silent, on: loop, orElse: failure) {
      self.didConnect($0)
    }
  }

  private func didConnect(_ result: Result<ByteStream, UVError>) {
    race = nil
    do throws(UVError) {
      let stream = try result.get()
      address = stream.peerAddress
      if sendBufferBytes > 0 { stream.setSocketOptions(sendBufferBytes: sendBufferBytes) }
      guard let trust else { return finish(.success(stream)) }
      secure(stream, under: trust)
    } catch {
      finish(.failure(EndpointError(.connect, endpoint, error)))
    }
  }

  private func didConnectToSocket(_ status: Int32) {
    guard let stream else { return }
    self.stream = nil
    guard completion != nil, !loop.isClosing else { return completion = nil }
    guard status < 0 else { return didConnect(.success(stream)) }
    stream.close()
    didConnect(.failure(UVError("connect", .init(status))))
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
}

@available(*, unavailable)
extension ConnectAttempt: Sendable {}
