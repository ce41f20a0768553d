import EventLoops
import Wire

/// One connection of a crowd, which counts what it receives, and parses lines only while it has a
/// listener.
///
/// Over WebSocket, a text counts as a line. Confined to its loop's thread.
final class CrowdPeer: ByteStreamDelegate {
  /// Lines received since the beginning.
  private(set) var lineCount = 0
  /// Bytes received since the beginning.
  private(set) var byteCount = 0
  private let stream: ByteStream
  private let carriage: Carriage
  private unowned let crowd: Crowd
  /// The server's answer to the request for a WebSocket, as far as it has come; `nil` once it is
  /// whole.
  private var head: [UInt8]?
  private var frames = FrameReader()
  private var splitter: LineSplitter?
  private var listener: ((Span<UInt8>) -> Void)?

  init(_ stream: ByteStream, speaking carriage: Carriage, in crowd: Crowd) {
    self.stream = stream
    self.carriage = carriage
    self.crowd = crowd
  }

  /// Starts reading; tells the crowd once it may send.
  func start() throws(UVError) {
    try stream.start(self)
    switch carriage {
    case .lines: crowd.peerIsReady(self)
    case .frames:
      head = []
      send(SharedBytes(ClientWebSocket.request))
    }
  }

  /// Passes each line to `listener`, until ``ignore()``.
  func listen(_ listener: @escaping (Span<UInt8>) -> Void) {
    splitter = LineSplitter(maximumLineBytes: 64 * 1024 * 1024)
    self.listener = listener
  }

  /// Only counts lines from now on.
  func ignore() {
    splitter = nil
    listener = nil
  }

  /// Sends whole lines.
  func write(_ lines: SharedBytes) {
    switch carriage {
    case .lines: send(lines)
    case .frames: send(SharedBytes(ClientWebSocket.frames(of: lines.array)))
    }
  }

  private func send(_ bytes: SharedBytes) {
    do throws(StreamError) {
      try stream.write(bytes)
    } catch {
      crowd.stage.fail(.broken(error))
    }
  }

  func close() {
    ignore()
    stream.close()
  }

  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    byteCount += bytes.count
    if let head { return upgrade(head + bytes.indices.map { bytes[$0] }) }
    let lines =
      switch carriage {
      case .lines: countLines(bytes)
      case .frames: countTexts(bytes)
      }
    lineCount += lines
    crowd.peer(self, received: lines)
  }

  /// Takes in a part of the answer to the request for a WebSocket; nothing follows it, because the
  /// client speaks first.
  private func upgrade(_ head: [UInt8]) {
    guard head.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return self.head = head }
    self.head = nil
    let answer = String(decoding: head, as: UTF8.self)
    guard answer.hasPrefix("HTTP/1.1 101 ") else { return crowd.stage.fail(.refused(answer)) }
    crowd.peerIsReady(self)
  }

  private func countTexts(_ bytes: Span<UInt8>) -> Int {
    // Moved out and back, because a listener may change this peer.
    var frames = frames
    self.frames = FrameReader()
    defer { self.frames = frames }
    return frames.read(bytes, isListening: listener != nil) { listener?($0) }
  }

  private func countLines(_ bytes: Span<UInt8>) -> Int {
    guard var splitter = splitter.take() else { return bytes.lineFeedCount }
    splitter.split(bytes) { line in
      listener?(line)
    } onOverlongLine: {
    }
    // The listener may have called `ignore()` meanwhile.
    if listener != nil { self.splitter = splitter }
    return bytes.lineFeedCount
  }

  func byteStreamDidEnd(_ stream: ByteStream) {
    crowd.peerEnded(self)
  }

  func byteStream(_ stream: ByteStream, didFail error: StreamError) {
    crowd.peerEnded(self)
  }
}

@available(*, unavailable)
extension CrowdPeer: Sendable {}

extension Span<UInt8> {
  fileprivate var lineFeedCount: Int {
    var found = 0
    for index in indices where self[index] == UInt8(ascii: "\n") { found += 1 }
    return found
  }
}
