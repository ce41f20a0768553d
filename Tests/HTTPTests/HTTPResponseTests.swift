import HTTP
import Testing
import Vocabulary

@Suite("Heads of answers")
struct HTTPResponseTests {
  /// RFC 9110's example of a date, and half a second.
  private static let date = Instant(microseconds: 784_111_777_500_000)

  private func text(
    _ response: HTTPResponse, bodyBytes: Int = 0, _ continuation: HTTPResponse.Continuation
  ) -> String {
    String(
      decoding: response.head(bodyBytes: bodyBytes, date: Self.date, continuation), as: UTF8.self)
  }

  @Test("an answer says when it is, how long, and what becomes of the connection")
  func writes() {
    let response = HTTPResponse(.ok, [("Content-Type", "text/html; charset=utf-8")])
    #expect(
      text(response, bodyBytes: 1234, .keepsAlive)
        == head(
          "HTTP/1.1 200 OK", "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Connection: keep-alive",
          "Content-Length: 1234", "Content-Type: text/html; charset=utf-8"))
    #expect(text(HTTPResponse(.notFound), .closes).contains("\r\nConnection: close\r\n"))
  }

  @Test("an answer that never has a body says no length")
  func bodiless() {
    let upgrade = HTTPResponse(.switchingProtocols, [("Upgrade", "websocket")])
    #expect(
      text(upgrade, .upgrades)
        == head(
          "HTTP/1.1 101 Switching Protocols", "Date: Sun, 06 Nov 1994 08:49:37 GMT",
          "Connection: Upgrade", "Upgrade: websocket"))
    #expect(!text(HTTPResponse(.notModified), .keepsAlive).contains("Content-Length"))
  }

  @Test("a value does not end its line")
  func splitting() {
    let response = HTTPResponse(.ok, [("Location", "/a\r\nSet-Cookie: b\u{0}")])
    #expect(text(response, .closes).hasSuffix("\r\nLocation: /a  Set-Cookie: b \r\n\r\n"))
  }

  @Test(
    "dates have two digits, four, and the right weekday",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
  func dates(seconds: Int64, text: String) {
    #expect(Instant(microseconds: seconds * 1_000_000).httpDate == text)
  }

  @Test("browsers are told to run and show the page's own files only")
  func security() throws {
    let fields = Dictionary(SecurityFields.all.map { ($0.name, $0.value) }) { $1 }
    #expect(
      fields["Content-Security-Policy"]
        == "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "media-src 'self' blob: https:; img-src 'self' data: blob: https:; manifest-src 'self'; "
        + "worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'")
    #expect(fields["X-Content-Type-Options"] == "nosniff")
    #expect(fields["Referrer-Policy"] == "no-referrer")
    #expect(fields["Cross-Origin-Opener-Policy"] == "same-origin")
    #expect(fields["Cross-Origin-Resource-Policy"] == "same-origin")
    #expect(fields["Permissions-Policy"]?.contains("camera=(), ") == true)
  }

  @Test("the frame of a message has no network and an origin of its own")
  func frame() throws {
    let fields = Dictionary(SecurityFields.frame.map { ($0.name, $0.value) }) { $1 }
    #expect(
      fields["Content-Security-Policy"]
        == "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        + "img-src data:; font-src data:; media-src data:; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'self'; sandbox allow-scripts")
    #expect(SecurityFields.frame.map(\.name) == SecurityFields.all.map(\.name))
  }
}
