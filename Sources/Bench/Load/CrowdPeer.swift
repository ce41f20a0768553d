import EventLoops
import Wire

/// One connection of a crowd, which counts what it gets, and reads it only while it has to.
///
/// Confined to its loop's thread.
final class CrowdPeer: ByteStreamDelegate {
  /// Lines that came since the beginning.
  private(set) var lineCount = 0
  /// Bytes that came since the beginning.
  private(set) var byteCount = 0
  private let stream: ByteStream
  private unowned let crowd: Crowd
  private var splitter: LineSplitter?
  private var listener: ((Span<UInt8>) -> Void)?

  init(_ stream: ByteStream, in crowd: Crowd) throws(UVError) {
    self.stream = stream
    self.crowd = crowd
    try stream.start(self)
  }

  /// Hands each line to `listener` from now on, until ``ignore()``.
  func listen(_ listener: @escaping (Span<UInt8>) -> Void) {
    splitter = LineSplitter(maximumLineBytes: 64 * 1024 * 1024)
    self.listener = listener
  }

  /// Only counts lines from now on.
  func ignore() {
    splitter = nil
    listener = nil
  }

  func write(_ bytes: SharedBytes) {
    do throws(UVError) {
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
    let lines = bytes.lineFeedCount
    lineCount += lines
    byteCount += bytes.count
    if splitter != nil { hand(bytes) }
    crowd.peer(self, received: lines)
  }

  private func hand(_ bytes: Span<UInt8>) {
    guard var splitter = splitter.take() else { return }
    splitter.split(bytes) { line in
      listener?(line)
    } onOverlongLine: {
    }
    // Unless it was told to ignore the rest meanwhile.
    if listener != nil { self.splitter = splitter }
  }

  func byteStreamDidEnd(_ stream: ByteStream) {
    crowd.peerEnded(self)
  }

  func byteStreamDidDrain(_ stream: ByteStream) {}

  func byteStream(_ stream: ByteStream, didFail error: UVError) {
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
