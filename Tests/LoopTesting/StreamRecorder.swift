package import EventLoops

/// Records the events of a stream.
package final class StreamRecorder: ByteStreamDelegate {
  /// The recorded stream.
  package let stream: ByteStream
  /// All received bytes, in order.
  package var received: [UInt8] = []
  /// How many bytes were received, including those not kept.
  package var receivedCount = 0
  /// Whether bytes are kept or only counted.
  package var keepsBytes = true
  /// Whether the other side ended its direction.
  package var hasEnded = false
  /// How often everything queued was written.
  package var drainCount = 0
  /// Why the stream closed itself; more than one error would be a fault.
  package var errors: [StreamError] = []
  /// Called after each event.
  package var onEvent: (ByteStream) -> Void = { _ in }

  /// Starts reading.
  package init(_ stream: ByteStream) throws {
    self.stream = stream
    try stream.start(self)
  }

  /// The received bytes as text.
  package var text: String { String(decoding: received, as: UTF8.self) }

  /// Records bytes.
  package func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    receivedCount += bytes.count
    if keepsBytes { for index in bytes.indices { received.append(bytes[index]) } }
    onEvent(stream)
  }

  /// Records the end.
  package func byteStreamDidEnd(_ stream: ByteStream) {
    hasEnded = true
    onEvent(stream)
  }

  /// Counts a drain.
  package func byteStreamDidDrain(_ stream: ByteStream) {
    drainCount += 1
    onEvent(stream)
  }

  /// Records the error.
  package func byteStream(_ stream: ByteStream, didFail error: StreamError) {
    errors.append(error)
    onEvent(stream)
  }
}

@available(*, unavailable)
extension StreamRecorder: Sendable {}
