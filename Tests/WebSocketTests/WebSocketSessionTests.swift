import Testing
import WebSocket
import WebSocketTesting

@Suite("WebSocket without a socket")
struct WebSocketSessionTests {
  private static func check(_ wire: WireCase) {
    for size in [1, 3, 10_000] {
      #expect(
        Conversation.events(wire.bytes, inPiecesOf: size) == wire.events,
        "\(wire.what), in pieces of \(size)")
    }
  }

  @Test("texts", arguments: WireCase.texts)
  func texts(wire: WireCase) { Self.check(wire) }

  @Test("fragments of texts", arguments: WireCase.fragments)
  func fragments(wire: WireCase) { Self.check(wire) }

  @Test("what is UTF-8, and what is not", arguments: WireCase.utf8)
  func utf8(wire: WireCase) { Self.check(wire) }

  @Test("pings, pongs, and what is reserved", arguments: WireCase.control)
  func control(wire: WireCase) { Self.check(wire) }

  @Test("closes", arguments: WireCase.closes)
  func closes(wire: WireCase) { Self.check(wire) }

  @Test("a close of the server's is answered, and nothing is taken or said meanwhile")
  func serverCloses() {
    let conversation = Conversation()
    let session = conversation.session
    session.close(.goingAway, reason: "the server stops")
    session.close(.normal)
    conversation.takeOutput()
    #expect(!session.isOpen && !session.isOver)
    conversation.receive(.text("late") + .ping("x"))
    #expect(!session.isOver && session.clientCode == nil)
    conversation.receive(.close(1001))
    #expect(session.isOver && session.clientCode == .goingAway)
    #expect(conversation.events == ["close 1001 the server stops"])
  }

  @Test("who closes while a text is read gets no further one")
  func closesWithin() {
    let session = WebSocketSession(maximumBytes: 100, maximumFrames: 1)
    var count = 0
    session.receive((.text("a") + .text("b")).span) { _ in
      count += 1
      session.close(.policyViolation)
    }
    #expect(count == 1)
    #expect(session.takeOutput() == [0x88, 2, 0x03, 0xF0] && session.takeOutput() == [])
  }

  @Test("a client that breaks the rules is told once, and not heard again")
  func breaks() {
    let conversation = Conversation()
    conversation.receive(.frame(.reserved) + .text("a"))
    conversation.receive(.text("b") + .close(1000))
    #expect(conversation.events == ["close 1002"])
    #expect(conversation.session.clientCode == nil)
  }

  @Test("a close without a code is told from none")
  func code() {
    let conversation = Conversation()
    #expect(conversation.session.clientCode == nil)
    conversation.receive(.frame(.close))
    #expect(conversation.session.clientCode == WebSocketCloseCode.none)
  }

  @Test("a close that breaks the rules has no code", arguments: [1, 3, 100])
  func brokenClose(size: Int) {
    let conversation = Conversation()
    conversation.receive(.frame(.close, [0x03, 0xE8, 0xFF]), inPiecesOf: size)
    #expect(conversation.session.isOver && conversation.session.clientCode == nil)
  }

  @Test("less than a control frame is kept for later, whatever is sent", arguments: WireCase.all)
  func keeps(wire: WireCase) {
    // A control frame has at most 2 bytes of header, 4 of mask and 125 of payload.
    for size in [1, 3, 10_000] {
      let conversation = Conversation()
      conversation.receive(
        wire.bytes + [UInt8](repeating: 0x81, count: 1_000), inPiecesOf: size)
      #expect(conversation.mostKept < 131, "\(wire.what), in pieces of \(size)")
    }
  }
}

@Suite("Frames of the server")
struct WebSocketFrameTests {
  @Test(
    "the header has the shortest length",
    arguments: [
      (0, [0x81, 0]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]),
      (65_535, [0x81, 126, 0xFF, 0xFF]), (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] as [(Int, [UInt8])])
  func header(count: Int, header: [UInt8]) {
    #expect(WebSocketFrame.textHeader(bytes: count) == header)
    let payload = [UInt8](repeating: 7, count: count)
    #expect(WebSocketFrame.text(payload.span) == header + payload)
  }

  @Test("a reason is cut between letters")
  func reason() {
    let session = WebSocketSession(maximumBytes: 100, maximumFrames: 1)
    session.close(.normal, reason: String(repeating: "é", count: 70))
    let output = session.takeOutput()
    #expect(output.count == 4 + 122 && output[1] == 124)
    #expect(String(validating: output.dropFirst(4), as: UTF8.self) != nil)
  }
}
