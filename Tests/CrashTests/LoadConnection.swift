import EventLoops

/// The connection of a peer that is written by hand, line by line; it may break at any time.
final class LoadConnection: ByteStreamDelegate {
  enum Link { case offline, connecting, online }

  private(set) var link = Link.offline
  private let loop: EventLoop
  /// Called to say hello.
  private let onOpen: () -> Void
  private let onLine: (String) -> Void
  private var attempt: ConnectAttempt?
  private var stream: ByteStream?
  private var buffer: [UInt8] = []

  init(on loop: EventLoop, onOpen: @escaping () -> Void, onLine: @escaping (String) -> Void) {
    self.loop = loop
    self.onOpen = onOpen
    self.onLine = onLine
  }

  func connect(to port: UInt16) throws(EndpointError) {
    link = .connecting
    attempt = try ConnectAttempt(host: "127.0.0.1", port: port, on: loop) { [weak self] result in
      self?.begin(result)
    }
  }

  private func begin(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    buffer = []
    do {
      let stream = try result.get()
      self.stream = stream
      try stream.start(self)
      onOpen()
    } catch {
      lose()
    }
  }

  /// Notes that the server has welcomed the peer.
  func noteWelcome() { link = .online }

  func say(_ line: String) {
    do throws(StreamError) { try stream?.write(SharedBytes(line + "\n")) } catch { lose() }
  }

  func lose() {
    stream?.close()
    attempt?.cancel()
    (stream, attempt, link) = (nil, nil, .offline)
    buffer = []
  }

  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    for index in bytes.indices where self.stream === stream {
      if bytes[index] != UInt8(ascii: "\n") {
        buffer.append(bytes[index])
      } else {
        let line = String(decoding: buffer, as: UTF8.self)
        buffer.removeAll(keepingCapacity: true)
        onLine(line)
      }
    }
  }

  func byteStreamDidEnd(_ stream: ByteStream) { lose() }
  func byteStreamDidDrain(_ stream: ByteStream) {}
  func byteStream(_ stream: ByteStream, didFail error: StreamError) { lose() }
}

@available(*, unavailable)
extension LoadConnection: Sendable {}
