import HTTP
import Testing

@Suite("Requests are read as they arrive")
struct HTTPRequestReaderTests {
  private static let connection =
    head(
      "GET /one?a=1 HTTP/1.1", "Host: example.org:8443", "Accept:  text/html \t",
      "X-Empty:", "accept: image/png")
    + head("POST /two HTTP/1.1", "HOST: example.org", "Content-Length: 3") + "abc"
    + head("HEAD /three HTTP/1.0")

  @Test("in their order, whatever the pieces", arguments: [1, 2, 7, 50, 1_000])
  func pieces(size: Int) throws {
    let reading = Reading(
      Self.connection, inPiecesOf: size, limits: HTTPLimits(bodyBytes: 3))
    #expect(reading.summary == "/one /two /three")
    let one = try #require(reading.requests.first)
    #expect(one.method == .get && one.version == .http11 && one.target.query == "a=1")
    #expect(one.host == "example.org:8443")
    #expect(one.fields.all.map(\.name) == ["host", "accept", "x-empty", "accept"])
    #expect(one.fields["accept"] == "text/html, image/png")
    #expect(one.fields["x-empty"] == "" && one.fields["x-other"] == nil)
    #expect(reading.requests.map(\.body) == [[], Array("abc".utf8), []])
    #expect(reading.requests.map(\.keepsAlive) == [true, true, false])
  }

  @Test(
    "the connection goes on as the client says",
    arguments: [
      ("HTTP/1.1", "X: y", true), ("HTTP/1.1", "Connection: close", false),
      ("HTTP/1.1", "Connection: Foo, CLOSE", false), ("HTTP/1.1", "Connection: keep-alive", true),
      ("HTTP/1.0", "X: y", false), ("HTTP/1.0", "Connection: Keep-Alive", true),
    ])
  func keepsAlive(version: String, field: String, keepsAlive: Bool) throws {
    let reading = Reading(head("GET / \(version)", "Host: a", field))
    #expect(reading.requests.map(\.keepsAlive) == [keepsAlive])
  }

  @Test("what is behind a request for another protocol is left to that protocol")
  func upgrades() throws {
    var reader = HTTPRequestReader()
    let upgrade = head("GET /ws HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: websocket")
    reader.receive(Array((upgrade + "\u{1}\nframe").utf8).span)
    #expect(try reader.next()?.target.path == "/ws")
    #expect(try reader.takeRest() == Array("\u{1}\nframe".utf8))
    #expect(try reader.takeRest() == [])
  }

  @Test("one empty line before a request is skipped, and no second")
  func emptyLine() {
    let get = head("GET / HTTP/1.1", "Host: a")
    for size in [1, 1_000] {
      #expect(Reading("\r\n" + get + "\r\n" + get, inPiecesOf: size).summary == "/ /")
      #expect(Reading("\r\n\r\n" + get, inPiecesOf: size).summary == "400")
    }
  }

  @Test("a request that has begun is told from a connection that waits")
  func isAmidRequest() throws {
    var reader = HTTPRequestReader()
    #expect(!reader.isAmidRequest)
    reader.receive(Array("GET / HTTP/1.1\r\n".utf8).span)
    #expect(try reader.next() == nil)
    #expect(reader.isAmidRequest)
    reader.receive(Array("Host: a\r\n\r\n".utf8).span)
    #expect(try reader.next() != nil)
    #expect(!reader.isAmidRequest)
  }

  @Test("requests sent ahead are answered in order, as far as they are bounded")
  func ahead() throws {
    let limits = HTTPLimits(headBytes: 100, aheadBytes: 100)
    let get = head("GET /1234567890 HTTP/1.1", "Host: a")  // 37 bytes
    #expect(get.utf8.count == 37)
    let all = Reading(String(repeating: get, count: 5), limits: limits)
    #expect(all.requests.count == 5 && all.fault == nil)
    let tooMany = Reading(String(repeating: get, count: 6), limits: limits)
    #expect(tooMany.requests.count == 5 && tooMany.fault == .tooMuchAhead(limit: 200))
    // The same requests, read as they are answered, are none too many.
    #expect(
      Reading(String(repeating: get, count: 600), inPiecesOf: 64, limits: limits).fault == nil)
  }

  @Test("behind a fault nothing is read, and the fault stays")
  func faultStays() throws {
    var reader = HTTPRequestReader()
    let get = head("GET / HTTP/1.1", "Host: a")
    reader.receive(Array((get + "nonsense\r\n\r\n" + get).utf8).span)
    #expect(try reader.next() != nil)
    #expect(throws: HTTPFault.self) { try reader.next() }
    reader.receive(Array(get.utf8).span)
    #expect(throws: HTTPFault.self) { try reader.next() }
  }
}

@Suite("Requests that are not read")
struct HTTPRefusalTests {
  /// What is sent, and the status of the answer, which comes however the bytes are cut.
  private static let cases: [(what: String, text: String, status: Int)] = [
    // Lines.
    ("a line feed alone", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
    ("a line feed alone behind a field", "GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
    ("a line feed alone at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
    ("a carriage return alone", "GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n", 400),
    ("a folded field", head("GET / HTTP/1.1", "Host: a", "X: y", " z"), 400),
    ("a folded first field", head("GET / HTTP/1.1", " Host: a"), 400),
    ("a null byte", head("GET / HTTP/1.1", "Host: a", "X: \0"), 400),
    ("a control character", head("GET / HTTP/1.1", "Host: a", "X: \u{7F}"), 400),
    ("TLS", "\u{16}\u{3}\u{1}", 400),
    ("a line of the native protocol", "{\"type\":\"hello\"}\r\n", 400),
    // The first line.
    ("no version", head("GET /", "Host: a"), 400),
    ("two spaces", head("GET  / HTTP/1.1", "Host: a"), 400),
    ("a space in the address", head("GET /a b HTTP/1.1", "Host: a"), 400),
    ("a tab for a space", head("GET\t/ HTTP/1.1", "Host: a"), 400),
    ("a space behind the version", head("GET / HTTP/1.1 ", "Host: a"), 400),
    ("a version of letters", head("GET / HTTP/x.y", "Host: a"), 400),
    ("another protocol", head("GET / RTSP/1.0", "Host: a"), 400),
    ("an address beyond ASCII", head("GET /é HTTP/1.1", "Host: a"), 400),
    ("HTTP/0.9", head("GET / HTTP/0.9", "Host: a"), 505),
    ("HTTP/1.2", head("GET / HTTP/1.2", "Host: a"), 505),
    ("the preface of HTTP/2", head("PRI * HTTP/2.0"), 505),
    ("an unknown method", head("BREW / HTTP/1.1", "Host: a"), 501),
    ("a method in lowercase", head("get / HTTP/1.1", "Host: a"), 501),
    ("a method of no use here", head("TRACE / HTTP/1.1", "Host: a"), 501),
    ("a tunnel", head("CONNECT a:1 HTTP/1.1", "Host: a:1"), 501),
    ("a method that never ends", String(repeating: "G", count: 30), 501),
    // Fields.
    ("a space before the colon", head("GET / HTTP/1.1", "Host: a", "X : y"), 400),
    ("no colon", head("GET / HTTP/1.1", "Host: a", "X"), 400),
    ("no name", head("GET / HTTP/1.1", "Host: a", ": y"), 400),
    ("a name in quotes", head("GET / HTTP/1.1", "Host: a", "\"X\": y"), 400),
    ("no host", head("GET / HTTP/1.1"), 400),
    ("two hosts", head("GET / HTTP/1.1", "Host: a", "Host: a"), 400),
    ("a host with a user", head("GET / HTTP/1.1", "Host: a@b"), 400),
    ("a host with a path", head("GET / HTTP/1.1", "Host: a/b"), 400),
    // Bodies, in which requests are smuggled.
    (
      "two lengths",
      head("POST / HTTP/1.1", "Host: a", "Content-Length: 0", "Transfer-Encoding: chunked"), 400
    ),
    (
      "two lengths the other way",
      head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Content-Length: 0"), 400
    ),
    (
      "one length twice",
      head("POST / HTTP/1.1", "Host: a", "Content-Length: 0", "Content-Length: 0"),
      400
    ),
    ("lengths in a list", head("POST / HTTP/1.1", "Host: a", "Content-Length: 0, 0"), 400),
    ("a length with a sign", head("POST / HTTP/1.1", "Host: a", "Content-Length: +1"), 400),
    ("a negative length", head("POST / HTTP/1.1", "Host: a", "Content-Length: -1"), 400),
    ("a length of letters", head("POST / HTTP/1.1", "Host: a", "Content-Length: 0x1"), 400),
    ("no length", head("POST / HTTP/1.1", "Host: a", "Content-Length:"), 400),
    (
      "a length beyond numbers",
      head("POST / HTTP/1.1", "Host: a", "Content-Length: 99999999999999999999"), 400
    ),
    (
      "a length beyond memory",
      head("POST / HTTP/1.1", "Host: a", "Content-Length: 9999999999999999999"), 413
    ),
    ("a long body", head("POST / HTTP/1.1", "Host: a", "Content-Length: 11"), 413),
    ("a body in chunks", head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked"), 411),
    ("another coding", head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: zip"), 400),
    (
      "chunks of another coding",
      head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: gzip, chunked"), 501
    ),
    (
      "a coding of chunks",
      head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked, gzip"), 400
    ),
    (
      "chunks twice",
      head(
        "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
      400
    ),
    ("a hidden coding", head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: xchunked"), 400),
    (
      "a body that waits",
      head("POST / HTTP/1.1", "Host: a", "Content-Length: 5", "Expect: 100-continue"), 417
    ),
  ]

  @Test("each gets its status, however it is cut", arguments: cases)
  func refuses(what: String, text: String, status: Int) {
    for size in [1, 3, 10_000] {
      let reading = Reading(text, inPiecesOf: size, limits: HTTPLimits(bodyBytes: 10))
      #expect(reading.summary == "\(status)", "\(what) in pieces of \(size)")
      #expect(reading.fault?.description.hasSuffix(".") == true)
    }
  }

  @Test("a limit is what is still allowed")
  func limits() {
    let limits = HTTPLimits(headBytes: 200, fields: 3, targetBytes: 50)
    let summary = { (text: String) in Reading(text, limits: limits).summary }
    let path = { (count: Int) in "/" + String(repeating: "p", count: count - 1) }
    #expect(summary(head("GET \(path(50)) HTTP/1.1", "Host: a")) == path(50))
    #expect(summary(head("GET \(path(51)) HTTP/1.1", "Host: a")) == "414")
    #expect(summary(head("GET / HTTP/1.1", "Host: a", "B: b", "C: c")) == "/")
    #expect(summary(head("GET / HTTP/1.1", "Host: a", "B: b", "C: c", "D: d")) == "431")
    let fixed = head("GET / HTTP/1.1", "Host: a", "B: ").utf8.count
    let value = { (count: Int) in String(repeating: "b", count: count - fixed) }
    #expect(summary(head("GET / HTTP/1.1", "Host: a", "B: " + value(200))) == "/")
    #expect(summary(head("GET / HTTP/1.1", "Host: a", "B: " + value(201))) == "431")
  }

  @Test("what can only become too long is refused before it ends")
  func refusesEarly() {
    let endless = String(repeating: "a", count: 70_000)
    #expect(Reading("GET /" + endless).summary == "414")
    #expect(Reading("GET / HTTP/1.1\r\nX: " + endless).summary == "431")
    #expect(
      Reading("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 102)).summary == "431")
  }
}
