package import EventLoops

/// Remembers all that a stream told it.
package final class StreamRecorder: ByteStreamDelegate {
  /// The stream it listens to.
  package let stream: ByteStream
  /// All bytes that came, in order.
  package var received: [UInt8] = []
  /// How many bytes came; also counted when they are not kept.
  package var receivedCount = 0
  /// Whether bytes are kept, or only counted.
  package var keepsBytes = true
  /// Whether the other side ended.
  package var hasEnded = false
  /// How often all that was queued had left.
  package var drainCount = 0
  /// Why the stream closed itself, if it did; more than one would be a fault.
  package var errors: [UVError] = []
  /// Done after each of the above.
  package var onEvent: (ByteStream) -> Void = { _ in }

  /// Begins to read.
  package init(_ stream: ByteStream) throws {
    self.stream = stream
    try stream.start(self)
  }

  /// What came, as text.
  package var text: String { String(decoding: received, as: UTF8.self) }

  /// Remembers bytes.
  package func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    receivedCount += bytes.count
    if keepsBytes { for index in bytes.indices { received.append(bytes[index]) } }
    onEvent(stream)
  }

  /// Remembers the end.
  package func byteStreamDidEnd(_ stream: ByteStream) {
    hasEnded = true
    onEvent(stream)
  }

  /// Counts.
  package func byteStreamDidDrain(_ stream: ByteStream) {
    drainCount += 1
    onEvent(stream)
  }

  /// Remembers the error.
  package func byteStream(_ stream: ByteStream, didFail error: UVError) {
    errors.append(error)
    onEvent(stream)
  }
}

@available(*, unavailable)
extension StreamRecorder: Sendable {}
