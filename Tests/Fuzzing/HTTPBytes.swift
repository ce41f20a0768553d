import HTTP
import Vocabulary
import WebSocket

/// A server's side of HTTP/1.1, and what it makes of a request's fields.
///
/// An input is a byte, which tells in which pieces the connection arrives, and the connection.
final class HTTPBytes: FuzzTarget {
  static let name = "http"
  static let claim =
    "a connection is the same requests in any pieces, and no path leads out of a folder"

  private static let limits = HTTPLimits(headBytes: 2_000, targetBytes: 500, bodyBytes: 100)

  init() {}

  static func seeds() -> [[UInt8]] {
    let requests = [
      ["GET /a/%C3%A9?b=%20c HTTP/1.1", "Range: bytes=1-2", "If-Range: \"abc\""],
      ["GET http://b/ HTTP/1.1", "Range: bytes=-5", "If-None-Match: W/\"a,b\", \"c\""],
      ["POST / HTTP/1.1", "Content-Length: 3"], ["POST / HTTP/1.1", "Transfer-Encoding: chunked"],
      ["HEAD / HTTP/1.0", "Connection: keep-alive", "Accept-Encoding: gzip;q=0.5, *;q=0"],
      [
        "GET /ws HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ],
      ["OPTIONS * HTTP/1.1", "Expect: 100-continue", "Content-Length: 0"],
    ].map { lines in (lines + ["Host: a:1", "", ""]).joined(separator: "\r\n") }
    return (requests + [requests.joined(), "\r\n" + requests[0]]).flatMap { text in
      [0, 1, 7].map { [$0] + Array(text.utf8) }
    }
  }

  func check(_ input: [UInt8]) throws {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = try read(bytes, inPiecesOf: max(1, bytes.count))
    let pieces = try read(bytes, inPiecesOf: max(1, Int(first)))
    // What is read as it comes is never too much ahead.
    if case .tooMuchAhead = whole.fault { return }
    try require(whole.requests == pieces.requests, else: "pieces make other requests")
    try require(whole.fault == pieces.fault, else: "pieces make another fault")
    for request in whole.requests { try check(request) }
  }

  private func read(
    _ bytes: [UInt8], inPiecesOf size: Int
  ) throws -> (requests: [HTTPRequest], fault: HTTPFault?) {
    var reader = HTTPRequestReader(limits: Self.limits)
    var requests: [HTTPRequest] = []
    var rest = bytes[...]
    do throws(HTTPFault) {
      while !rest.isEmpty {
        reader.receive(Array(rest.prefix(size)).span)
        rest = rest.dropFirst(size)
        while let request = try reader.next() { requests.append(request) }
      }
    } catch {
      try require(error.status.rawValue >= 400, else: "\(error) is no refusal")
      return (requests, error)
    }
    return (requests, nil)
  }

  private func check(_ request: HTTPRequest) throws {
    let path = request.target.path
    try require(path == "*" || path.hasPrefix("/"), else: "\(path) begins elsewhere")
    let segments = path.utf8.split(separator: UInt8(ascii: "/"))
    try require(!segments.contains { $0.elementsEqual("..".utf8) }, else: "\(path) leads out")
    try require(!path.utf8.contains { $0 < 0x20 }, else: "\(path) has a control character")
    let size = 10
    let tag = EntityTag(of: request.body)
    if case .part(let bytes) = ByteRange(askedBy: request, size: size, tag: tag) {
      try require(
        !bytes.isEmpty && bytes.lowerBound >= 0 && bytes.upperBound <= size,
        else: "\(bytes) is no part of \(size) bytes")
    }
    _ = tag.isHeld(byClientWith: request.fields["if-none-match"])
    _ = ContentCoding(acceptedBy: request.fields["accept-encoding"])
    try checkHandshake(request)
  }

  private func checkHandshake(_ request: HTTPRequest) throws {
    let response: HTTPResponse
    do throws(WebSocketRefusal) {
      response = try WebSocketHandshake(request).response
    } catch {
      response = error.response
      try require(response.status.rawValue >= 400, else: "\(error) is no refusal")
    }
    let head = response.head(bodyBytes: 0, date: Instant(microseconds: 0), .closes)
    let lines = head.split(separator: UInt8(ascii: "\n"))
    // The first line, three fields of every answer, its own, and the empty line.
    try require(lines.count <= response.fields.count + 5, else: "a field ends its line")
  }
}
