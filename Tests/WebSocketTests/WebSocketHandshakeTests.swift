import HTTP
import Testing
import WebSocket

@Suite("Requests to speak WebSocket")
struct WebSocketHandshakeTests {
  /// RFC 6455's example (1.3), with what browsers add.
  private static let fields = [
    "Host": "example.org", "Connection": "keep-alive, Upgrade", "Upgrade": "WebSocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
    "Origin": "https://example.org", "Sec-WebSocket-Extensions": "permessage-deflate",
    "Sec-WebSocket-Protocol": "chat",
  ]

  /// What a server makes of the example with one field changed.
  private func handshake(
    _ line: String = "GET /ws HTTP/1.1", changing name: String = "X", to value: String? = "y"
  ) throws -> WebSocketHandshake {
    var fields = Self.fields
    fields[name] = value
    let text = line + "\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    var reader = HTTPRequestReader(limits: HTTPLimits(bodyBytes: 10))
    reader.receive(Array(text.utf8).span)
    return try WebSocketHandshake(try #require(try reader.next()))
  }

  @Test("the example is answered as in the example, without extensions")
  func accepts() throws {
    let handshake = try handshake()
    #expect(handshake.origin == "https://example.org")
    #expect(
      handshake.response
        == HTTPResponse(
          .switchingProtocols,
          [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")]))
    #expect(try self.handshake(changing: "Origin", to: nil).origin == nil)
  }

  @Test(
    "what is missing is told, with the status for it",
    arguments: [
      ("Connection", "keep-alive", WebSocketRefusal.noUpgrade, 426),
      ("Connection", "upgraded", .noUpgrade, 426), ("Connection", nil, .noUpgrade, 426),
      ("Upgrade", "h2c", .noUpgrade, 426), ("Upgrade", nil, .noUpgrade, 426),
      ("Sec-WebSocket-Version", "8", .version, 426), ("Sec-WebSocket-Version", nil, .version, 426),
      ("Sec-WebSocket-Version", "13, 8", .version, 426),
      ("Sec-WebSocket-Version", "013", .version, 426), ("Sec-WebSocket-Key", nil, .key, 400),
      ("Sec-WebSocket-Key", "", .key, 400),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ", .key, 400),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR==", .key, 400),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZSE=", .key, 400),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZSEh", .key, 400),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZS_ub25jZQ==", .key, 400),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ==", .key, 400),
      ("origin", "https://other.org", .origin, 400),
    ] as [(String, String?, WebSocketRefusal, Int)])
  func refuses(name: String, value: String?, refusal: WebSocketRefusal, status: Int) throws {
    #expect(throws: refusal) { try handshake(changing: name, to: value) }
    #expect(refusal.response.status.rawValue == status)
    #expect(refusal.description.hasSuffix("."))
  }

  @Test(
    "the first line has to be right",
    arguments: ["POST /ws HTTP/1.1", "HEAD /ws HTTP/1.1", "GET /ws HTTP/1.0"])
  func line(line: String) throws {
    #expect(throws: WebSocketRefusal.method) { try handshake(line) }
  }

  @Test("another version is answered with the right one")
  func version() {
    #expect(
      WebSocketRefusal.version.response
        == HTTPResponse(
          .upgradeRequired, [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]))
  }
}
