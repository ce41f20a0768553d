package import EventLoops
package import Vocabulary
internal import Wire

/// One peer that speaks in lines: bytes come in as lines, messages go out one write a turn.
///
/// Confined to its loop's thread. It lives, and holds its delegate, until it is closed: by
/// ``close()``, by the peer, or by itself when the peer does not read.
package final class LineConnection: ByteStreamDelegate {
  /// What the shell knows it by; a number, so that a delivery needs no search.
  package let id: PeerID
  /// What it reads from and writes to.
  package let stream: ByteStream
  private let list: FlushList
  private var delegate: (any LineConnectionDelegate)?
  private var splitter: LineSplitter
  private var outbound = OutboundQueue()
  private var state = State.open
  private var isMarked = false
  /// Whether the stream still has some of what it was handed.
  ///
  /// The stream knows; but to ask it at each message was to fetch it, and libuv's handle, from far away.
  private var isBackedUp = false

  private enum State {
    case open
    /// More waits than may; it closes when the turn ends, so that no caller is interrupted.
    case overflowing
    /// The last bytes are on their way; what still comes in is thrown away.
    case draining
    case closed
  }

  /// The most one write takes of a backlog: what it takes can be dropped no more.
  private static let batchBytes = 64 * 1024
  /// What is not urgent waits until so much of it does.
  ///
  /// A write costs some ten microseconds, and what it takes hardly anything: with half of this, a
  /// thousand who come at once cost each other twice as much. Half as much again gained nothing.
  private static let patientBytes = 32 * 1024
  /// One `writev` of ``ByteStream``.
  private static let batchCount = 256

  /// Begins to read the stream's lines; if it cannot, it closes the stream.
  ///
  /// - Throws: the system's error if the stream is broken already.
  package init(
    _ stream: ByteStream, id: PeerID, in list: FlushList, delegate: any LineConnectionDelegate
  ) throws(UVError) {
    self.stream = stream
    self.id = id
    self.list = list
    self.delegate = delegate
    splitter = list.freshSplitter
    do throws(UVError) {
      try stream.start(self)
    } catch {
      close()
      throw error
    }
  }

  /// Whether messages can still be enqueued.
  package var isOpen: Bool { state == .open }

  /// How many bytes wait for the peer, here and in the stream.
  package var waitingBytes: Int { outbound.byteCount + stream.queuedBytes }

  /// Queues a message, with its line ending, to be written when the turn ends, in order.
  ///
  /// If more waits than the limits allow, droppable messages go; if none are left, the connection
  /// closes when the turn ends, as ``CloseReason/slow(waitingBytes:)``. On a connection that is
  /// not open it does nothing.
  ///
  /// - Parameters:
  ///   - message: the bytes, shared with any other peers that get them.
  ///   - droppable: whether the peer can do without, as with reports that the next one replaces.
  ///   - patient: whether it need not be written before something else is; the caller sees to it
  ///     that something follows soon.
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

  /// Closes at once; what waits is lost, and the delegate hears no more.
  ///
  /// A second call does nothing.
  package func close() {
    guard state != .closed else { return }
    if state == .draining { list.drains.finish() }
    state = .closed
    // It may go with this, and call back here as it does: only after the access.
    let dropped = delegate
    delegate = nil
    outbound.removeAll()
    stream.close()
    withExtendedLifetime(dropped) {}
  }

  /// Closes once all that waits and `lastBytes` have left; the delegate hears no more.
  ///
  /// After the last byte it ends its direction and waits for the peer to end the other one; so
  /// TCP does not reset the connection over bytes the peer still had on their way, and lose our
  /// last ones with it. After the limits' drain time it closes in any case.
  package func close(after lastBytes: SharedBytes?) {
    guard state == .open else { return close() }
    if let lastBytes { _ = outbound.append(lastBytes, droppable: false, room: .max) }
    state = .draining
    // It may go with this, and call back here as it does: only after the access.
    let dropped = delegate
    delegate = nil
    splitter = LineSplitter(maximumLineBytes: 0)
    list.drains.add(self)
    // A reader that was paused would never see the peer's end.
    stream.resumeReading()
    mark()
    withExtendedLifetime(dropped) {}
  }

  /// Takes no more from the peer for now; lines of the chunk in hand are still told.
  package func pauseReading() {
    stream.pauseReading()
  }

  /// Takes from the peer again after ``pauseReading()``.
  package func resumeReading() {
    guard state == .open else { return }
    stream.resumeReading()
  }

  /// Writes what waits; called by the list when the turn ends.
  func flush() {
    isMarked = false
    switch state {
    case .open, .draining: writeOut()
    case .overflowing: endSlow()
    case .closed: break
    }
  }

  /// Splits what arrived into lines.
  package func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    guard state == .open else { return }
    list.counted.bytesReceived += bytes.count
    // Moved out meanwhile: what the delegate calls may come back here.
    var splitter = list.freshSplitter
    swap(&splitter, &self.splitter)
    splitter.split(bytes) { line in
      guard state == .open else { return }
      list.counted.linesReceived += 1
      delegate?.connection(self, didReceive: line)
    } onOverlongLine: {
      guard state == .open else { return }
      delegate?.connectionDidReceiveOverlongLine(self)
    }
    if state == .open { self.splitter = splitter }
  }

  /// Writes what still waits, for a peer that reads on, and closes.
  package func byteStreamDidEnd(_ stream: ByteStream) {
    if state == .open { writeOut() }
    end(.ended)
  }

  /// Goes on with the backlog when the turn ends.
  package func byteStreamDidDrain(_ stream: ByteStream) {
    isBackedUp = false
    mark()
  }

  /// Closes.
  package func byteStream(_ stream: ByteStream, didFail error: UVError) {
    end(.failed(error))
  }

  private func mark() {
    guard !isMarked else { return }
    isMarked = true
    list.mark(self)
  }

  /// Hands messages to the stream as long as it takes them at once; the rest waits here, where it
  /// can still be dropped.
  private func writeOut() {
    do throws(UVError) {
      while !isBackedUp, try writeBatch() {}
      if state == .draining, outbound.isEmpty { stream.finishWriting() }
    } catch {
      end(.failed(error))
    }
  }

  /// Hands on what one write takes; false if nothing is left to hand on.
  private func writeBatch() throws(UVError) -> Bool {
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

  /// Drops a peer that does not read: all that waits goes, but for a word on why.
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

/// Hears what happens on a ``LineConnection``, on its loop's thread, until it is closed.
///
/// Nothing is ever told from within a call to the connection: `enqueue` never calls back.
package protocol LineConnectionDelegate: AnyObject {
  /// A line arrived, without its ending; the bytes are valid during the call only.
  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>)

  /// A line over the limit was thrown away; the connection goes on, unless it is closed now.
  func connectionDidReceiveOverlongLine(_ connection: LineConnection)

  /// The connection has closed itself; told once, and not after `close()`.
  func connection(_ connection: LineConnection, didClose reason: CloseReason)
}

/// Why a connection closed that nobody here had closed.
package enum CloseReason: Equatable, Sendable {
  /// The peer said that it was done.
  case ended
  /// The connection broke.
  case failed(UVError)
  /// The peer did not read: this many bytes waited for it, over the limit.
  case slow(waitingBytes: Int)
}
