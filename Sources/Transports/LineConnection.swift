package import EventLoops
package import TLS
package import Vocabulary
package import WebSocket
package import Wire

/// A peer connection with a line protocol: bytes arrive as lines, and messages leave in one write
/// per turn.
///
/// A WebSocket carries each line as a text message; what is sent then consists of frames.
///
/// Confined to its loop's thread. It lives, and keeps its delegate, until it is closed: by
/// ``close()``, by the peer, or by itself if the peer does not read.
package final class LineConnection: ByteStreamDelegate, Backlogged {
  /// The peer's number, by which the shell finds the peer without a search.
  package let id: PeerID
  package let stream: ByteStream
  /// The peer's address if a proxy passes on what it says; `nil` if it is connected itself.
  private let forwardedHost: String?
  private let list: FlushList
  private var delegate: (any LineConnectionDelegate)?
  private var splitter: LineSplitter
  /// What reads frames in place of lines; `nil` for lines.
  private let webSocket: WebSocketSession?
  private var outbound = OutboundQueue()
  private var state = State.open
  private var isMarked = false
  /// Whether the rest of the bytes being split is of use.
  private var keepsRest = true
  /// Whether the stream still has unwritten bytes.
  ///
  /// Cached here, because asking the stream for each message fetches it and libuv's handle from
  /// distant memory.
  private var isBackedUp = false
  /// Whether ``Backlogs`` counts what waits for it.
  private var isCounted = false

  private enum State {
    case open
    /// The backlog exceeds the limit. It closes at the end of the turn, so that no caller is
    /// interrupted.
    case overflowing
    /// The last bytes are being sent; incoming bytes are discarded.
    case draining
    case closed
  }

  /// The most one write takes of a backlog, because written messages can no longer be dropped.
  private static let batchBytes = 64 * 1024
  /// Non-urgent messages are held until this many bytes are queued.
  ///
  /// A write costs some ten microseconds, almost regardless of its size. With half of this value, a
  /// thousand peers that join at once cost each other twice as much; 48 KiB gained nothing more.
  private static let patientBytes = 32 * 1024
  /// The buffers of one `writev` of ``ByteStream``.
  private static let batchCount = 256

  /// Starts reading lines from the stream; closes the stream if that fails.
  ///
  /// - Parameters:
  ///   - stream: the stream.
  ///   - id: the peer's number.
  ///   - list: writes what waits for the peer at the end of each turn.
  ///   - webSocket: reads frames in place of lines.
  ///   - forwardedHost: the peer's address if a proxy passes on what it says.
  ///   - delegate: receives the lines.
  /// - Throws: the system's error if the stream is already broken.
  package init(
    _ stream: ByteStream, id: PeerID, in list: FlushList,
    through webSocket: WebSocketSession? = nil, for forwardedHost: String? = nil,
    delegate: any LineConnectionDelegate
  ) throws(UVError) {
    self.stream = stream
    self.forwardedHost = forwardedHost
    self.id = id
    self.list = list
    self.webSocket = webSocket
    self.delegate = delegate
    splitter = list.freshSplitter
    do throws(UVError) {
      try stream.start(self)
    } catch {
      close()
      throw error
    }
  }

  /// The peer's address without a port.
  package var host: String { forwardedHost ?? stream.peerHost }

  /// Whether what is sent has to consist of a WebSocket's frames.
  package var carriesFrames: Bool { webSocket != nil }

  /// How the peer's lines end.
  package var lineEnding: LineEnding { list.lineEnding }

  /// Whether messages can still be queued.
  package var isOpen: Bool { state == .open }

  /// Whether it is one of a list.
  package func isOn(_ list: FlushList) -> Bool { self.list === list }

  /// How many bytes wait for the peer, here and in the stream.
  package var waitingBytes: Int { outbound.byteCount + stream.queuedBytes }

  /// Queues a message, including its line ending, to be written in order at the end of the turn.
  ///
  /// If the backlog exceeds the limits, droppable messages are dropped. If there are none, the
  /// connection closes at the end of the turn as ``CloseReason/slow(waitingBytes:)``. Does nothing
  /// on a connection that is not open.
  ///
  /// - Parameters:
  ///   - message: the bytes, shared with other recipients.
  ///   - droppable: whether the peer can do without it, as with a report that the next one
  ///     replaces.
  ///   - patient: whether it may wait for a later message; the caller ensures that one follows
  ///     soon.
  package func enqueue(
    _ message: SharedBytes, droppable: Bool = false, patient: Bool = false
  ) {
    guard state == .open else { return }
    let limits = list.limits
    let bound =
      droppable
      ? min(limits.droppableBytesMaximum, limits.backlogBytesMaximum) : limits.backlogBytesMaximum
    let room = bound - (isBackedUp ? stream.queuedBytes : 0)
    switch outbound.append(message, droppable: droppable, room: room) {
    case .queued: if patient, outbound.byteCount < Self.patientBytes { return }
    case .dropped(let count): list.counted.messagesDropped += count
    case .full: state = .overflowing
    }
    mark()
  }

  /// Closes immediately.
  ///
  /// Waiting messages are lost, and the delegate receives no more calls.
  ///
  /// A second call does nothing.
  package func close() {
    guard state != .closed else { return }
    if state == .draining { list.drains.finish() }
    state = .closed
    // The delegate may be freed with this reference and call back here, so it is released after the
    // access.
    let dropped = delegate
    delegate = nil
    outbound.removeAll()
    stream.close()
    countBacklog()
    withExtendedLifetime(dropped) {}
  }

  /// Closes once all waiting messages and `lastBytes` are sent; the delegate receives no more
  /// calls.
  ///
  /// After the last byte it ends its direction and waits for the peer to end the other one.
  /// Otherwise TCP would reset the connection because of bytes from the peer still in flight, and
  /// our last bytes could be lost. After the drain time it closes in any case.
  package func close(after lastBytes: SharedBytes?) {
    guard state == .open else { return close() }
    if let lastBytes { _ = outbound.append(lastBytes, droppable: false, room: .max) }
    if let webSocket {
      webSocket.close(.normal)
      let lastFrames = SharedBytes(webSocket.takeOutput())
      _ = outbound.append(lastFrames, droppable: false, room: .max)
    }
    state = .draining
    // The delegate may be freed with this reference and call back here, so it is released after the
    // access.
    let dropped = delegate
    delegate = nil
    splitter = LineSplitter(maximumLineBytes: 0)
    list.drains.add(self)
    // A paused reader would never see the peer's end.
    stream.resumeReading()
    mark()
    withExtendedLifetime(dropped) {}
  }

  /// Writes what waits, and secures what follows as a server.
  ///
  /// Call it for a line that asks for it. What the peer sent behind that line, before it could know
  /// the answer, is dropped, because anybody on the way may have put it there (RFC 3207, 6).
  package func startTLS(as identity: TLSIdentity) {
    guard state == .open else { return }
    writeOut()
    guard state == .open else { return }
    splitter = list.freshSplitter
    keepsRest = false
    stream.startTLS(as: identity)
  }

  /// Stops reading for now; lines already read are still delivered.
  package func pauseReading() {
    stream.pauseReading()
  }

  /// Reads again after ``pauseReading()``.
  package func resumeReading() {
    guard state == .open else { return }
    stream.resumeReading()
  }

  /// Writes the waiting messages; the list calls it at the end of the turn.
  func flush() {
    isMarked = false
    switch state {
    case .open, .draining: writeOut()
    case .overflowing: endSlow()
    case .closed: break
    }
    countBacklog()
  }

  func overflow() {
    isCounted = false
    switch state {
    case .open:
      state = .overflowing
      mark()
    // Its flush is about to tell it, and whoever serves it.
    case .overflowing: break
    case .draining, .closed: close()
    }
  }

  private func countBacklog() {
    let isWaiting = isBackedUp && state != .closed
    guard isWaiting || isCounted else { return }
    isCounted = isWaiting
    list.backlogs.note(isWaiting ? waitingBytes : 0, for: self)
  }

  /// Splits the bytes into lines, or reads the frames' messages.
  package func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    guard state == .open else { return }
    list.counted.bytesReceived += bytes.count
    if let webSocket { return receive(bytes, through: webSocket) }
    // Moved out, because the delegate's code may call back here.
    var splitter = list.freshSplitter
    swap(&splitter, &self.splitter)
    keepsRest = true
    splitter.split(bytes) { line in
      guard state == .open, keepsRest else { return }
      list.counted.linesReceived += 1
      delegate?.connection(self, didReceive: line)
    } onOverlongLine: {
      guard state == .open else { return }
      delegate?.connectionDidReceiveOverlongLine(self)
    }
    if state == .open, keepsRest { self.splitter = splitter }
  }

  private func receive(_ bytes: Span<UInt8>, through webSocket: WebSocketSession) {
    webSocket.receive(bytes) { message in hear(message) }
    guard state == .open else { return }
    if webSocket.isOver { return endFrames() }
    let answer = webSocket.takeOutput()
    if !answer.isEmpty { enqueue(SharedBytes(answer)) }
  }

  private func hear(_ message: Span<UInt8>) {
    guard state == .open else { return }
    list.counted.linesReceived += 1
    delegate?.connection(self, didReceive: message)
  }

  /// Sends the last frame, and closes.
  private func endFrames() {
    let delegate = delegate
    close(after: nil)
    delegate?.connection(self, didClose: .ended)
  }

  /// Writes the waiting messages, because the peer may still read, and closes.
  package func byteStreamDidEnd(_ stream: ByteStream) {
    if state == .open { writeOut() }
    end(.ended)
  }

  /// Continues with the backlog at the end of the turn.
  package func byteStreamDidDrain(_ stream: ByteStream) {
    isBackedUp = false
    mark()
  }

  package func byteStream(_ stream: ByteStream, didFail error: StreamError) {
    end(.failed(error))
  }

  package func byteStreamDidSecure(_ stream: ByteStream) {
    delegate?.connectionDidSecure(self)
  }

  private func mark() {
    guard !isMarked else { return }
    isMarked = true
    list.mark(self)
  }

  /// Hands messages to the stream while it writes them immediately; the others wait here, where
  /// they can still be dropped.
  private func writeOut() {
    do throws(StreamError) {
      while !isBackedUp, try writeBatch() {}
      if state == .draining, outbound.isEmpty { stream.finishWriting() }
    } catch {
      end(.failed(error))
    }
  }

  /// Hands one batch to the stream; false if nothing is left.
  private func writeBatch() throws(StreamError) -> Bool {
    defer { isBackedUp = stream.queuedBytes > 0 }
    if let only = outbound.takeOnly() {
      list.counted.countSent(bytes: only.count, messages: 1)
      try stream.write(only)
      return false
    }
    let before = outbound.byteCount
    outbound.take(Self.batchCount, bytes: Self.batchBytes, into: &list.batch)
    guard !list.batch.isEmpty else { return false }
    defer { list.batch.removeAll(keepingCapacity: true) }
    list.counted.countSent(bytes: before - outbound.byteCount, messages: list.batch.count)
    try stream.write(list.batch)
    return true
  }

  /// Drops a peer that does not read: replaces its waiting messages by the reason.
  private func endSlow() {
    let reason = CloseReason.slow(waitingBytes: waitingBytes)
    guard let word = list.lastWordToSlow else { return end(reason) }
    let delegate = delegate
    outbound.removeAll()
    state = .open
    close(after: word)
    delegate?.connection(self, didClose: reason)
  }

  private func end(_ reason: CloseReason) {
    let delegate = delegate
    close()
    delegate?.connection(self, didClose: reason)
  }
}

@available(*, unavailable)
extension LineConnection: Sendable {}

/// Receives the events of a ``LineConnection``, on its loop's thread, until it is closed.
///
/// It is never called from within a call to the connection; `enqueue` does not call back.
package protocol LineConnectionDelegate: AnyObject {
  /// A line arrived, without its ending; the bytes are valid only during the call.
  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>)

  /// An overlong line was discarded; the connection continues unless it is closed now.
  func connectionDidReceiveOverlongLine(_ connection: LineConnection)

  /// What is sent and received is encrypted from here on.
  func connectionDidSecure(_ connection: LineConnection)

  /// The connection has closed itself; called once, and not after `close()`.
  func connection(_ connection: LineConnection, didClose reason: CloseReason)
}

extension LineConnectionDelegate {
  package func connectionDidSecure(_ connection: LineConnection) {}
}

/// Why a connection closed without a call to `close`.
package enum CloseReason: Equatable, Sendable {
  /// The peer ended the connection.
  case ended
  case failed(StreamError)
  /// The peer did not read, and this many bytes waited for it, more than the limit.
  case slow(waitingBytes: Int)
}
