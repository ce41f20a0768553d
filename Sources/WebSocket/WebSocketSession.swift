internal import CWslay

/// The server's side of a WebSocket connection, without a socket: bytes in, texts and bytes out.
///
/// wslay reads the frames and checks them (RFC 6455): masks, reserved bits and opcodes, fragments,
/// UTF-8, close codes. It answers pings and closes. After each call, send what ``takeOutput()``
/// has; once ``isOver``, close the connection behind it. Messages are sent around the session,
/// because ``WebSocketFrame/text(_:)`` makes one frame for everyone; none may follow once
/// ``isOpen`` is false. Confined to its loop's thread.
@safe package final class WebSocketSession {
  /// Whether messages may be sent.
  package private(set) var isOpen = true
  /// Whether nothing more is to be received: both sides have closed, or the client broke the rules.
  package private(set) var isOver = false
  /// The code with which the client closed by the rules; `nil` while it has not.
  package private(set) var clientCode: WebSocketCloseCode?
  private var output: [UInt8] = []
  private var context: wslay_event_context_ptr?
  /// What is received, as far as wslay has not taken it.
  private var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var gate = FrameGate()
  /// What the gate keeps until more arrives: less than a control frame.
  private var kept: [UInt8] = []
  /// How many bytes wait for the rest of their frame.
  package var keptBytes: Int { kept.count }
  private var deliver: ((Span<UInt8>) -> Void)?
  /// How many frames of the message under way have come; wslay keeps each until the last one.
  private var frames = 0
  private let maximumFrames: Int

  /// - Parameters:
  ///   - maximumBytes: the longest text that a client may send.
  ///   - maximumFrames: in how many frames it may do so.
  package init(maximumBytes: Int, maximumFrames: Int) {
    self.maximumFrames = maximumFrames
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard unsafe wslay_event_context_server_init(&context, Self.callbacks, this) == 0 else {
      preconditionFailure("wslay cannot make a session: it has no memory.")
    }
    unsafe wslay_event_config_set_max_recv_msg_length(context, UInt64(maximumBytes))
  }

  deinit {
    unsafe wslay_event_context_free(context)
  }

  /// Takes what arrived, and passes each text that is whole to the body.
  ///
  /// The body may close the session; then no more texts come.
  package func receive(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    guard !isOver else { return }
    guard !kept.isEmpty else { return read(bytes, body) }
    for index in bytes.indices { kept.append(bytes[index]) }
    let whole = kept
    kept = []
    read(whole.span, body)
  }

  private func read(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    let result = withoutActuallyEscaping(body) { body in
      deliver = body
      defer { deliver = nil }
      return unsafe bytes.withUnsafeBytes { bytes in
        unsafe input = unsafe bytes
        defer { unsafe input = UnsafeRawBufferPointer(start: nil, count: 0) }
        let result = unsafe wslay_event_recv(context)
        if unsafe wslay_event_get_read_enabled(context) == 1 { kept = unsafe Array(input) }
        return result
      }
    }
    if result != 0 {
      // wslay received bytes that are no valid frame, and would close without a code.
      fail(.protocolError)
    } else {
      settle()
    }
  }

  /// Sends a close, unless one was sent; the client is expected to answer it.
  ///
  /// - Parameter reason: for the client's developer.
  package func close(_ code: WebSocketCloseCode, reason: String = "") {
    guard isOpen else { return }
    isOpen = false
    output += WebSocketFrame.close(code, reason)
  }

  /// What is to be sent, in order; it is handed out once.
  package func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  /// Closes because of what the client sent, and no longer listens to it.
  private func fail(_ code: WebSocketCloseCode, reason: String = "") {
    close(code, reason: reason)
    isOver = true
    unsafe wslay_event_shutdown_read(context)
  }

  /// Takes over what wslay answers: pongs and closes, but nothing behind a close.
  private func settle() {
    // Also behind a close, so that the answers to a client that goes on do not gather.
    unsafe wslay_event_send(context)
    if unsafe wslay_event_get_close_sent(context) == 1 { isOpen = false }
    if !isOver, unsafe wslay_event_get_close_received(context) == 1 {
      clientCode = WebSocketCloseCode(
        rawValue: unsafe wslay_event_get_status_code_received(context))
    }
    // wslay reads no further behind a close, whoever is to blame for it.
    if unsafe wslay_event_get_read_enabled(context) == 0 { isOver = true }
  }

  /// Refuses a frame by its header.
  private func begin(_ frame: wslay_event_on_frame_recv_start_arg) {
    switch UInt32(frame.opcode) {
    case WSLAY_TEXT_FRAME.rawValue: frames = 1
    case WSLAY_CONTINUATION_FRAME.rawValue:
      frames += 1
      if frames > maximumFrames {
        fail(.policyViolation, reason: "a message has too many frames")
      }
    case WSLAY_BINARY_FRAME.rawValue:
      fail(.unsupportedData, reason: "only texts are understood")
    // Half a code, which wslay takes for none (RFC 6455, 5.5.1).
    case WSLAY_CONNECTION_CLOSE.rawValue where frame.payload_length == 1: fail(.protocolError)
    default: break
    }
  }

  private func end(opcode: UInt8, _ message: UnsafeBufferPointer<UInt8>) {
    if isOpen, opcode == WSLAY_TEXT_FRAME.rawValue { unsafe deliver?(message.span) }
  }
}

@available(*, unavailable)
extension WebSocketSession: Sendable {}

/// wslay's way to the bytes of a session.
extension WebSocketSession {
  /// Written once, before the first session, and only read afterwards.
  private nonisolated(unsafe) static let callbacks: UnsafeMutablePointer<wslay_event_callbacks> = {
    let callbacks = UnsafeMutablePointer<wslay_event_callbacks>.allocate(capacity: 1)
    unsafe callbacks.initialize(to: wslay_event_callbacks())
    unsafe callbacks.pointee.recv_callback = { context, target, count, _, session in
      let taken = unsafe WebSocketSession.of(session).takeInput(into: target, count)
      if taken == 0 { unsafe wslay_event_set_error(context, CInt(WSLAY_ERR_WOULDBLOCK.rawValue)) }
      return taken == 0 ? -1 : taken
    }
    unsafe callbacks.pointee.send_callback = { _, bytes, count, _, session in
      unsafe WebSocketSession.of(session).answer(UnsafeRawBufferPointer(start: bytes, count: count))
      return count
    }
    unsafe callbacks.pointee.on_frame_recv_start_callback = { _, frame, session in
      guard let frame = unsafe frame?.pointee else { return }
      unsafe WebSocketSession.of(session).begin(frame)
    }
    unsafe callbacks.pointee.on_msg_recv_callback = { _, message, session in
      guard let message = unsafe message?.pointee else { return }
      let bytes = unsafe UnsafeBufferPointer(start: message.msg, count: message.msg_length)
      unsafe WebSocketSession.of(session).end(opcode: message.opcode, bytes)
    }
    return unsafe callbacks
  }()

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> WebSocketSession {
    guard let pointer = unsafe pointer else {
      preconditionFailure("wslay has lost its session.")
    }
    return unsafe Unmanaged<WebSocketSession>.fromOpaque(pointer).takeUnretainedValue()
  }

  private func answer(_ bytes: UnsafeRawBufferPointer) {
    if isOpen { unsafe output += bytes }
  }

  private func takeInput(into target: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    let part = unsafe UnsafeRawBufferPointer(
      rebasing: input.prefix(gate.pass(input, atMost: count)))
    guard let target = unsafe target, let start = part.baseAddress else { return 0 }
    unsafe UnsafeMutableRawPointer(target).copyMemory(from: start, byteCount: part.count)
    unsafe input = UnsafeRawBufferPointer(rebasing: input[part.count...])
    return part.count
  }
}
