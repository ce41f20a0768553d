import EventLoops
import Vocabulary

/// One connection through a ``DelayProxy``: client to proxy, and proxy to server.
final class Relay {
  private let proxy: DelayProxy
  private let near: ByteStream
  private let host: String
  private var ports: ArraySlice<UInt16>
  private var far: ByteStream?
  private var attempt: ConnectAttempt?
  private var upward: DelayLine?
  private var downward: DelayLine?

  /// - Parameter ports: the server's; the next one is for where nobody listens at the one before.
  init(
    _ near: ByteStream, to host: String, _ ports: [UInt16], by proxy: DelayProxy
  ) throws(EndpointError) {
    self.near = near
    self.proxy = proxy
    self.host = host
    self.ports = ports[...]
    try connect()
  }

  private func connect() throws(EndpointError) {
    guard let port = ports.popFirst() else { return end() }
    attempt = try ConnectAttempt(host: host, port: port, on: proxy.loop) { [weak self] result in
      self?.begin(result)
    }
  }

  private func begin(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    guard case .success(let far) = result else {
      do throws(EndpointError) { try connect() } catch { end() }
      return
    }
    self.far = far
    let end: () -> Void = { [weak self] in self?.end() }
    let upward = DelayLine(from: near, to: far, by: proxy, onEnd: end)
    let downward = DelayLine(
      from: far, to: near, by: proxy, onRead: { [proxy] in proxy.onServerBytes?($0) }, onEnd: end)
    (self.upward, self.downward) = (upward, downward)
    do throws(UVError) {
      try near.start(upward)
      try far.start(downward)
    } catch {
      self.end()
    }
  }

  func pause() {
    near.pauseReading()
    far?.pauseReading()
  }

  func resume() {
    near.resumeReading()
    far?.resumeReading()
  }

  /// Closes both connections at once; bytes on the way are lost.
  func close() {
    attempt?.cancel()
    attempt = nil
    near.close()
    far?.close()
    upward?.close()
    downward?.close()
    (upward, downward) = (nil, nil)
  }

  private func end() {
    close()
    proxy.forget(self)
  }
}

@available(*, unavailable)
extension Relay: Sendable {}

/// One direction of a ``Relay``: delays the bytes it reads and writes them in order.
final class DelayLine: ByteStreamDelegate {
  private let proxy: DelayProxy
  private let source: ByteStream
  private let target: ByteStream
  private let onRead: (Span<UInt8>) -> Void
  private let onEnd: () -> Void
  private var parcels: [(at: HostTime, bytes: SharedBytes?)] = []
  private var timer: LoopTimer?
  private var waitingBytes = 0

  /// The most bytes on the way before reading pauses; more than a session's snapshot has.
  private static let bytesMaximum = 1024 * 1024

  init(
    from source: ByteStream, to target: ByteStream, by proxy: DelayProxy,
    onRead: @escaping (Span<UInt8>) -> Void = { _ in }, onEnd: @escaping () -> Void
  ) {
    self.proxy = proxy
    self.source = source
    self.target = target
    self.onRead = onRead
    self.onEnd = onEnd
    timer = LoopTimer(on: proxy.loop) { [unowned self] in release() }
  }

  func close() {
    timer?.close()
    timer = nil
    parcels = []
  }

  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    onRead(bytes)
    add(SharedBytes(bytes))
    waitingBytes += bytes.count
    if waitingBytes > Self.bytesMaximum { source.pauseReading() }
  }

  func byteStreamDidEnd(_ stream: ByteStream) { add(nil) }

  func byteStream(_ stream: ByteStream, didFail error: StreamError) { onEnd() }

  private func add(_ bytes: SharedBytes?) {
    let departure = proxy.departure(at: proxy.loop.now)
    // A later chunk never leaves before an earlier one.
    parcels.append((max(departure, parcels.last?.at ?? departure), bytes))
    timer?.fire(at: parcels[0].at)
  }

  private func release() {
    let now = proxy.loop.now
    if proxy.heldUntil > now { return timer?.fire(at: proxy.heldUntil) ?? () }
    while let first = parcels.first, first.at <= now {
      parcels.removeFirst()
      guard let bytes = first.bytes else { return onEnd() }
      waitingBytes -= bytes.count
      do throws(StreamError) { try target.write(bytes) } catch { return onEnd() }
    }
    source.resumeReading()
    timer?.fire(at: parcels.first?.at)
  }
}

@available(*, unavailable)
extension DelayLine: Sendable {}
