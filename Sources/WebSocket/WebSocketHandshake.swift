internal import Cryptography
package import HTTP
internal import Vocabulary

/// A client's request to speak WebSocket, found to be one (RFC 6455, 4.2).
///
/// Whether the path is right and the origin is welcome is the caller's to judge. No extension and
/// no subprotocol is granted, whatever the client offers.
package struct WebSocketHandshake: Equatable, Sendable {
  /// The site whose page asks; `nil` from clients that are no browsers.
  package let origin: String?
  /// The answer that turns the connection over; see ``HTTPResponse/Continuation/upgrades``.
  package let response: HTTPResponse

  /// The one version there is.
  private static let version = "13"
  /// What proves that this side speaks WebSocket, behind the client's key (RFC 6455, 1.3).
  private static let proof = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// Judges a request.
  package init(_ request: HTTPRequest) throws(WebSocketRefusal) {
    let fields = request.fields
    guard request.method == .get, request.version == .http11 else { throw .method }
    guard fields.words(of: "upgrade").contains("websocket"),
      fields.words(of: "connection").contains("upgrade")
    else { throw .noUpgrade }
    guard fields["sec-websocket-version"] == Self.version else { throw .version }
    guard let key = fields["sec-websocket-key"], Self.isKey(key) else { throw .key }
    guard fields.count(of: "origin") <= 1 else { throw .origin }
    // Behind a body, the first frame could begin anywhere.
    guard request.body.isEmpty else { throw .body }
    origin = fields["origin"]
    response = HTTPResponse(
      .switchingProtocols,
      [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", Self.acceptance(of: key))])
  }

  /// Whether a text is the Base64 of 16 bytes (RFC 4648, section 4).
  private static func isKey(_ text: String) -> Bool {
    guard text.utf8.count == 24, text.hasSuffix("=="),
      !text.utf8.contains(where: { "-_".utf8.contains($0) })
    else { return false }
    let letters = text.dropLast(2).replacing("+", with: "-").replacing("/", with: "_")
    return Base64URL.bytes(of: letters)?.count == 16
  }

  private static func acceptance(of key: String) -> String {
    let hash = Digest.sha1(of: Array((key + proof).utf8)).bytes
    // 20 bytes are 27 letters and one to fill.
    return Base64URL.text(of: hash).replacing("-", with: "+").replacing("_", with: "/") + "="
  }
}

/// Why a request is not turned over to WebSocket.
package enum WebSocketRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  case method
  case noUpgrade
  case version
  case key
  case origin
  case body

  /// The answer without its body; the connection goes on with HTTP.
  package var response: HTTPResponse {
    switch self {
    case .method: HTTPResponse(.methodNotAllowed, [("Allow", "GET")])
    case .noUpgrade: HTTPResponse(.upgradeRequired, [("Upgrade", "websocket")])
    case .version:
      HTTPResponse(
        .upgradeRequired, [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")])
    case .key, .origin, .body: HTTPResponse(.badRequest)
    }
  }

  /// A sentence for the client's developer: what is wrong, and what to do.
  package var description: String {
    switch self {
    case .method: "WebSocket begins with GET and HTTP/1.1."
    case .noUpgrade:
      "This address speaks WebSocket: send Connection: Upgrade and Upgrade: websocket."
    case .version: "The server speaks version 13 of WebSocket: send Sec-WebSocket-Version: 13."
    case .key: "Sec-WebSocket-Key is not the Base64 of 16 bytes."
    case .origin: "There is more than one Origin."
    case .body: "The request has a body: send it without."
    }
  }
}
