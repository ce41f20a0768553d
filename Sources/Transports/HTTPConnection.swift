package import EventLoops
package import HTTP
internal import Vocabulary

/// A connection by HTTP/1.1, whose requests are answered one after the other.
///
/// Confined to its loop's thread. It lives, and keeps its delegate, until it is closed or becomes
/// another protocol's.
package final class HTTPConnection: ByteStreamDelegate, Backlogged {
  package let stream: ByteStream
  private let list: HTTPConnectionList
  private var delegate: (any HTTPConnectionDelegate)?
  private var reader: HTTPRequestReader
  private var phase = Phase.waiting
  /// Guards against answers that nest as deep as requests are sent ahead.
  private var isTakingRequests = false
  /// What is still to be sent of the answer under way, if it is sent in pieces.
  private var content: (any HTTPContent)?
  /// Whether a piece of it is being fetched.
  private var isFetching = false
  /// When it is closed if nothing happens until then.
  private(set) var deadline: HostTime
  /// Whether it closes as soon as the answer under way is sent.
  private var isFinishing = false

  private enum Phase {
    /// The next request is not whole.
    case waiting
    /// The delegate has a request to answer.
    case asked(isHead: Bool, keepsAlive: Bool)
    /// The answer waits for the client to read it.
    case answering(keepsAlive: Bool)
    /// All is sent; the client is waited for, because TCP would reset the connection otherwise.
    case draining
    case closed
  }

  /// Starts reading requests; closes the stream if that fails.
  ///
  /// - Throws: the system's error if the stream is already broken.
  package init(
    _ stream: ByteStream, in list: HTTPConnectionList, delegate: any HTTPConnectionDelegate
  ) throws(UVError) {
    self.stream = stream
    self.list = list
    self.delegate = delegate
    reader = HTTPRequestReader(limits: list.limits.requests)
    deadline = list.loop.now + list.limits.requestTime
    do throws(UVError) {
      try stream.start(self)
    } catch {
      stream.close()
      throw error
    }
    list.add(self)
  }

  /// Whether it may be closed without taking anything from its client that a new connection does not
  /// give: it waits for a request, or its client has not read for a while what it asked for.
  var isIdle: Bool {
    switch phase {
    case .waiting: !reader.isAmidRequest
    case .answering: content != nil && deadline < list.loop.now + list.limits.mediaTime / 2
    case .asked, .draining, .closed: false
    }
  }

  /// Answers the request that the delegate was given; to `HEAD`, and if nothing was modified, only the
  /// head is sent.
  ///
  /// Does nothing if there is no request to answer.
  package func answer(_ response: HTTPResponse, _ content: SharedBytes? = nil) {
    guard case .asked(let isHead, let keepsAlive) = phase else { return }
    let head = response.head(
      bodyBytes: content?.count ?? 0, date: WallClock.read(), keepsAlive ? .keepsAlive : .closes)
    let isHeadOnly = isHead || response.status == .notModified
    let batch = [SharedBytes(head)] + (isHeadOnly ? [] : [content].compactMap(\.self))
    phase = .answering(keepsAlive: keepsAlive)
    wait(list.limits.sendTime)
    guard write(batch) else { return }
    stream.pauseReading()
    sendNextPiece()
  }

  /// Answers with a content that is sent piece by piece, as fast as the client reads; to `HEAD`, only
  /// the head is sent.
  ///
  /// Does nothing if there is no request to answer; closes if the connection finishes, because a
  /// film may take hours.
  package func answer(_ response: HTTPResponse, streaming content: any HTTPContent) {
    guard case .asked(let isHead, let keepsAlive) = phase else { return }
    guard !isFinishing else { return close() }
    let head = response.head(
      bodyBytes: content.count, date: WallClock.read(), keepsAlive ? .keepsAlive : .closes)
    phase = .answering(keepsAlive: keepsAlive)
    stream.pauseReading()
    guard write([SharedBytes(head)]) else { return }
    if !isHead { self.content = content }
    sendNextPiece()
  }

  /// Sends the next piece once the client has read the one before it.
  ///
  /// Only one is fetched at a time, because two threads would give them in any order.
  private func sendNextPiece() {
    guard case .answering = phase, stream.queuedBytes == 0, !isFetching else { return }
    guard let content else { return goOn() }
    wait(list.limits.mediaTime)
    isFetching = true
    content.next { [weak self] piece in self?.send(piece) }
  }

  private func send(_ piece: HTTPPiece) {
    isFetching = false
    guard case .answering = phase else { return }
    switch piece {
    case .bytes(let bytes):
      if write([bytes]) { sendNextPiece() }
    case .last(let bytes):
      content = nil
      wait(list.limits.sendTime)
      if write([bytes]) { sendNextPiece() }
    // The length was promised, so only the end of the connection says that it is not kept.
    case .failed: close()
    }
  }

  /// Answers that the connection speaks another protocol from here on, and lets go of the stream.
  ///
  /// - Returns: what the client has sent in that protocol already; `nil` if the connection broke, or
  ///   the client sent more than may wait.
  package func upgrade(_ response: HTTPResponse) -> [UInt8]? {
    guard case .asked = phase else { return nil }
    guard write([SharedBytes(response.head(bodyBytes: 0, date: WallClock.read(), .upgrades))])
    else { return nil }
    do throws(HTTPFault) {
      let rest = try reader.takeRest()
      leave()
      return rest
    } catch {
      close()
      return nil
    }
  }

  /// Closes immediately; the delegate receives no more calls but that it is closed.
  ///
  /// A second call does nothing.
  package func close() {
    if case .closed = phase { return }
    stream.close()
    leave()
  }

  /// Closes, because players and browsers ask again for what they lack.
  func overflow() { close() }

  /// Closes as soon as the answer under way is sent; at once if there is none, and soon if the client
  /// does not read it.
  package func finish() {
    isFinishing = true
    deadline = min(deadline, list.loop.now + list.limits.drainTime)
    switch phase {
    case .waiting: close()
    case .asked(let isHead, _): phase = .asked(isHead: isHead, keepsAlive: false)
    // A film may take hours.
    case .answering where content != nil: close()
    case .answering: phase = .answering(keepsAlive: false)
    case .draining, .closed: break
    }
  }

  // MARK: The stream

  package func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    switch phase {
    case .draining, .closed: return
    case .waiting, .asked, .answering: reader.receive(bytes)
    }
    takeRequests()
  }

  package func byteStreamDidEnd(_ stream: ByteStream) { close() }

  package func byteStreamDidDrain(_ stream: ByteStream) {
    list.backlogs.note(0, for: self)
    if case .answering = phase { sendNextPiece() }
  }

  package func byteStream(_ stream: ByteStream, didFail error: StreamError) { close() }

  package func byteStreamDidSecure(_ stream: ByteStream) {}

  // MARK: Requests and answers

  /// Passes on the requests that are whole, each once the one before it is answered.
  private func takeRequests() {
    guard !isTakingRequests else { return }
    isTakingRequests = true
    defer { isTakingRequests = false }
    while case .waiting = phase {
      do throws(HTTPFault) {
        guard let request = try reader.next() else { return }
        phase = .asked(isHead: request.method == .head, keepsAlive: request.keepsAlive)
        wait(list.limits.sendTime)
        delegate?.connection(self, didReceive: request)
      } catch {
        phase = .asked(isHead: false, keepsAlive: false)
        answer(
          HTTPResponse(error.status, [("Content-Type", "text/plain")]),
          SharedBytes("\(error)\n"))
      }
    }
  }

  /// Goes on after an answer was sent.
  private func goOn() {
    guard case .answering(let keepsAlive) = phase else { return }
    stream.resumeReading()
    guard keepsAlive else {
      phase = .draining
      wait(list.limits.drainTime)
      return stream.finishWriting()
    }
    phase = .waiting
    wait(list.limits.idleTime)
    takeRequests()
  }

  /// Closes the connection after that time if nothing happens until then; soon if it finishes.
  private func wait(_ time: Duration) {
    deadline = list.loop.now + (isFinishing ? min(time, list.limits.drainTime) : time)
  }

  /// Sends the batch; false if the connection is closed then.
  private func write(_ batch: [SharedBytes]) -> Bool {
    do throws(StreamError) {
      try stream.write(batch)
    } catch {
      close()
      return false
    }
    // What waits stays in memory whole until the last byte of it is written.
    list.backlogs.note(stream.queuedBytes, for: self)
    list.backlogs.dropExcess()
    if case .closed = phase { return false }
    return true
  }

  private func leave() {
    phase = .closed
    content = nil
    list.backlogs.note(0, for: self)
    list.remove(self)
    // The delegate may be freed with this reference and call back here, so it is released after the
    // access.
    let dropped = delegate
    delegate = nil
    dropped?.connectionDidLeave(self)
  }
}

@available(*, unavailable)
extension HTTPConnection: Sendable {}

/// A content that is sent in pieces.
package protocol HTTPContent: AnyObject {
  /// How many bytes it has.
  var count: Int { get }

  /// Gives the next piece on the loop's thread; before this returns, it gives only
  /// ``HTTPPiece/failed``.
  func next(_ give: @escaping (HTTPPiece) -> Void)
}

/// What comes next of a content.
package enum HTTPPiece: Sendable {
  case bytes(SharedBytes)
  case last(SharedBytes)
  /// It cannot be read any more.
  case failed
}

/// Receives the requests of an ``HTTPConnection``, on its loop's thread.
package protocol HTTPConnectionDelegate: AnyObject {
  /// A request came in; the next one waits for ``HTTPConnection/answer(_:_:)`` or
  /// ``HTTPConnection/upgrade(_:)``.
  func connection(_ connection: HTTPConnection, didReceive request: HTTPRequest)

  /// The connection is closed, or speaks another protocol; called once.
  func connectionDidLeave(_ connection: HTTPConnection)
}
