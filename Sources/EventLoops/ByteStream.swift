internal import CLibuv
internal import SystemLibrary
package import TLS
internal import Vocabulary

/// A connected TCP socket, Unix socket, pipe or terminal: an ordered byte stream in each direction.
///
/// Confined to its loop's thread. ``TCPListener``, ``ConnectAttempt``, ``ChildProcess`` and
/// ``StandardInput`` make streams. libuv keeps a stream alive until ``close()``, and the stream
/// keeps its delegate until then.
@safe package final class ByteStream: LoopHandle {
  /// The loop to which it is confined.
  package let loop: EventLoop
  /// Whether ``close()`` was called, or the stream closed itself after an error.
  package var isClosed: Bool { phase == .closed }
  let handle: UnsafeMutablePointer<uv_stream_t>
  private var delegate: (any ByteStreamDelegate)?
  /// How often it asked the kernel to write; shows what coalescing saves.
  package var writeCalls: UInt32 { writeCallCount }
  /// Separate from ``writeCalls``, because each access to a `package` property is checked for
  /// exclusivity.
  private var writeCallCount: UInt32 = 0
  // Grouped so that they share one word.
  private var isReading = false
  /// Whether it is to read when nothing holds it up.
  private var wantsReading = false
  private var isResting = false
  /// Whether it has read as much as it may in one turn.
  private var hasReadItsPart = false
  private var hasEnded = false
  private var phase = Phase.open
  private var layer = SecurityLayer()
  /// Pays for the time that reading takes; `nil` if nobody does.
  private var account: ReadAccount?
  /// Receives the outcome of a client's handshake.
  private var onSecured: ((StreamError?) -> Void)?

  private enum Phase {
    case open
    /// Everything queued is still written, after the handshake if there is one; later writes are
    /// ignored.
    case finishing
    case closed
  }

  /// Makes an unconnected stream.
  init(_ kind: Kind, on loop: EventLoop) throws(UVError) {
    loop.preconditionOnLoop()
    self.loop = loop
    switch kind {
    case .tcp:
      let tcp = unsafe allocateHandle(uv_tcp_t.self)
      unsafe handle = UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_stream_t.self)
      unsafe uv_tcp_init(loop.raw, tcp)
    case .pipe:
      let pipe = unsafe allocateHandle(uv_pipe_t.self)
      unsafe handle = UnsafeMutableRawPointer(pipe).assumingMemoryBound(to: uv_stream_t.self)
      unsafe uv_pipe_init(loop.raw, pipe, 0)
    case .terminal(let descriptor):
      let terminal = unsafe allocateHandle(uv_tty_t.self)
      unsafe handle = UnsafeMutableRawPointer(terminal).assumingMemoryBound(to: uv_stream_t.self)
      let status = unsafe uv_tty_init(loop.raw, terminal, descriptor, 0)
      guard status == 0 else {
        unsafe terminal.deallocate()
        throw UVError("tty_init", .init(status))
      }
    }
    unsafe setOwner(self, of: handle)
  }

  /// The kind of libuv handle.
  enum Kind {
    case tcp
    case pipe
    case terminal(Int32)
  }

  /// Starts reading, and keeps the delegate until the stream is closed.
  ///
  /// - Throws: the system's error if the stream is closed or cannot be read.
  package func start(_ delegate: any ByteStreamDelegate) throws(UVError) {
    loop.preconditionOnLoop()
    guard !isClosed else { throw UVError("read_start", .canceled) }
    self.delegate = delegate
    wantsReading = true
    try UVError.check("read_start", startReading())
  }

  /// Stops reading for now.
  ///
  /// The kernel's buffers fill up, so the other side has to wait.
  package func pauseReading() {
    loop.preconditionOnLoop()
    wantsReading = false
    stopReading()
  }

  /// Reads again after ``pauseReading()``.
  package func resumeReading() {
    loop.preconditionOnLoop()
    guard delegate != nil else { return }
    wantsReading = true
    readAgain()
  }

  /// Closes the stream immediately.
  ///
  /// Unwritten bytes are lost, and the delegate receives no more calls.
  ///
  /// A second call does nothing. If unread bytes of the other side are left, TCP resets the
  /// connection, and the last bytes sent may be lost; see ``finishWriting()``.
  package func close() {
    loop.preconditionOnLoop()
    guard !isClosed else { return }
    phase = .closed
    // The delegate may be freed with this reference and call back here, so it is released after the
    // access.
    let dropped = (delegate, onSecured, account)
    delegate = nil
    onSecured = nil
    account = nil
    dropped.2?.remove(self)
    unsafe closeHandle(handle)
    withExtendedLifetime(dropped) {}
  }

  /// Ends the outgoing direction after everything queued is written; the other side then reads an
  /// end.
  ///
  /// Reading continues. Later writes are ignored.
  package func finishWriting() {
    loop.preconditionOnLoop()
    guard !ignoresWrites else { return }
    phase = .finishing
    // What waits for a handshake leaves first.
    if layer.heldBytes == 0 { endWriting() }
  }

  private func endWriting() {
    layer.end()
    writeSealed()
    if !isClosed { shutDown() }
  }

  /// Whether a write would be ignored because the stream is closed or finishing.
  var ignoresWrites: Bool { phase != .open }

  func countWriteCall() { writeCallCount &+= 1 }

  /// Closes the stream and reports the reason to the delegate, once.
  func fail(_ error: StreamError) {
    guard !isClosed else { return }
    let (delegate, onSecured) = (delegate, onSecured)
    close()
    onSecured?(error)
    delegate?.byteStream(self, didFail: error)
  }

  func tellDrained() { delegate?.byteStreamDidDrain(self) }

  private func stopReading() {
    guard isReading, !isClosed else { return }
    isReading = false
    unsafe uv_read_stop(handle)
  }

  /// Reads unless it is paused, and fails if it cannot.
  private func readAgain() {
    guard wantsReading, !isClosed else { return }
    let status = startReading()
    if status < 0 { fail(.system(UVError("read_start", .init(status)))) }
  }

  private func startReading() -> Int32 {
    guard !isReading, !isResting, !hasReadItsPart, !hasEnded else { return 0 }
    let status = unsafe uv_read_start(
      handle,
      { handle, _, buffer in
        guard let stream = unsafe owner(of: handle, as: ByteStream.self) else { return }
        let memory = unsafe stream.loop.readBuffer
        unsafe buffer?.pointee.base = memory.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe buffer?.pointee.len = memory.count
      },
      { handle, count, _ in
        unsafe owner(of: handle, as: ByteStream.self)?.measureRead(count)
      })
    isReading = status == 0
    return status
  }

  private func measureRead(_ count: Int) {
    guard let account else { return didRead(count) }
    let start = loop.now
    didRead(count)
    account.use(loop.now - start)
  }

  private func didRead(_ count: Int) {
    loop.aheadOfReads?()
    if count == EventLoop.readBufferBytes { endReadingThisTurn() }
    if count > 0 {
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count])
      unsafe take(bytes.assumingMemoryBound(to: UInt8.self).span)
    } else if count == Int(UV_EOF.rawValue) {
      hasEnded = true
      isReading = false
      if layer.isSecuring { return fail(.security(.ended)) }
      delegate?.byteStreamDidEnd(self)
    } else if count < 0 {
      fail(.system(UVError("read", .init(Int32(count)))))
    }
  }

  /// Leaves what else has arrived for the next turn.
  ///
  /// libuv fills the buffer of a stream up to 32 times in a row. The answers to all that would be
  /// written only afterwards, and no other stream would be read from meanwhile.
  private func endReadingThisTurn() {
    hasReadItsPart = true
    stopReading()
    loop.readNextTurn(self)
  }

  /// Reads what was left by the turn before, unless it is paused meanwhile.
  func beginTurn() {
    hasReadItsPart = false
    readAgain()
  }
}

// MARK: Shares of the loop's time

extension ByteStream {
  /// Lets an account pay for reading, until the stream is closed.
  func read(atCostOf account: ReadAccount) {
    guard !isClosed else { return }
    self.account = account
  }

  /// Reads nothing until ``wake()``, whatever is paused or resumed meanwhile.
  func rest() {
    isResting = true
    stopReading()
  }

  /// Reads again after ``rest()`` unless reading is paused.
  func wake() {
    isResting = false
    readAgain()
  }
}

// MARK: Security

extension ByteStream {
  /// Whether what is sent and received is encrypted.
  package var isSecured: Bool { layer.isSecured }

  /// Lets the peer's first byte decide whether the stream is secured.
  func wait(under security: StreamSecurity) { layer.wait(under: security) }

  /// Secures a connected stream as a client, before it is started.
  ///
  /// - Parameter completion: receives why it failed; `nil` once the server has proved itself. Start
  ///   the stream in it, because the server may already have sent something.
  func secure(
    under trust: TLSTrust, host: String, completion: @escaping (StreamError?) -> Void
  ) {
    onSecured = completion
    let session = TLSSession(callingUnder: trust, host: host, in: loop.tlsBuffers)
    layer.begin(session)
    do throws(TLSFault) {
      try session.start()
    } catch {
      return fail(.security(error))
    }
    writeSealed()
    wantsReading = true
    readAgain()
  }

  /// Secures what follows as a server, in a protocol that begins without; the next byte from the
  /// peer is its first of TLS.
  package func startTLS(as identity: TLSIdentity) {
    loop.preconditionOnLoop()
    guard layer.isPlain, !isClosed else { return }
    layer.begin(TLSSession(answeringAs: identity, in: loop.tlsBuffers))
  }

  /// Takes messages to send; false if they are sent as they are.
  func seals(_ batch: ArraySlice<SharedBytes>) throws(StreamError) -> Bool {
    do throws(TLSFault) {
      return try !layer.send(batch)
    } catch {
      throw .security(error)
    }
  }

  /// Whether ``seals(_:)`` is worth a call.
  var isPlain: Bool { layer.isPlain }

  /// How many bytes wait for the end of a handshake.
  var heldBytes: Int { layer.isPlain ? 0 : layer.heldBytes }

  /// Takes what arrived.
  private func take(_ bytes: Span<UInt8>) {
    if layer.isPlain { return deliver(bytes) }
    do throws(TLSFault) {
      let arrival = try layer.receive(bytes) { loop.tlsBuffers }
      if case .plaintext = arrival {
        writeHeld()
        return deliver(bytes)
      }
      let before = queuedBytes
      writeSealed()
      try layer.countUnread(queuedBytes - before, behind: before)
      if case .established = arrival { becomeSecured() }
      loop.tlsBuffers.takePlaintext { deliver($0) }
      if layer.hasEnded, !isClosed, !hasEnded {
        pauseReading()
        hasEnded = true
        delegate?.byteStreamDidEnd(self)
      }
    } catch {
      endUnsecured(error)
    }
  }

  private func deliver(_ bytes: Span<UInt8>) {
    delegate?.byteStream(self, didRead: bytes)
  }

  private func becomeSecured() {
    let completion = onSecured
    onSecured = nil
    completion?(nil)
    if delegate == nil { pauseReading() }
    delegate?.byteStreamDidSecure(self)
    writeHeld()
  }

  /// Writes what waited for the handshake, and ends if it waited for that.
  private func writeHeld() {
    guard layer.heldBytes > 0, !isClosed else { return }
    do throws(StreamError) {
      let plain: [SharedBytes]
      do throws(TLSFault) {
        plain = try layer.takeHeld()
      } catch {
        throw .security(error)
      }
      for bytes in plain { try writeAsIs(bytes) }
      try writeOutput()
    } catch {
      return fail(error)
    }
    if phase == .finishing {
      endWriting()
    } else if queuedBytes == 0 {
      tellDrained()
    }
  }

  /// Sends what a session has made; a failure closes the stream.
  private func writeSealed() {
    guard !layer.isPlain else { return }
    do throws(StreamError) {
      try writeOutput()
    } catch {
      fail(error)
    }
  }

  /// Tells the peer why, as far as that can be told, and closes.
  private func endUnsecured(_ fault: TLSFault) {
    do throws(StreamError) {
      try writeOutput()
      if fault == .plaintext, let lastWords = layer.lastWords { try writeAsIs(lastWords) }
    } catch {
      // Then nobody hears it.
    }
    fail(.security(fault))
  }
}

@available(*, unavailable)
extension ByteStream: Sendable {}
