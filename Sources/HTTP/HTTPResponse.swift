package import Vocabulary

/// The head of an answer (RFC 9112, section 4); the body follows it on the connection.
package struct HTTPResponse: Equatable, Sendable {
  package var status: HTTPStatus
  /// All but those that ``head(bodyBytes:date:_:)`` adds.
  package var fields: [(name: String, value: String)]

  package init(_ status: HTTPStatus, _ fields: [(name: String, value: String)] = []) {
    self.status = status
    self.fields = fields
  }

  package static func == (left: HTTPResponse, right: HTTPResponse) -> Bool {
    left.status == right.status && left.fields.elementsEqual(right.fields, by: ==)
  }

  /// What becomes of the connection behind an answer.
  package enum Continuation: String, Equatable, Sendable {
    /// The client may send its next request; clients of HTTP/1.0 have to be told.
    case keepsAlive = "keep-alive"
    /// The server closes it.
    case closes = "close"
    /// It speaks another protocol, which the fields name.
    case upgrades = "Upgrade"
  }

  /// The head as bytes, with the empty line.
  ///
  /// - Parameters:
  ///   - bodyBytes: how long the body is; to `HEAD`, how long it would be to `GET`.
  ///   - date: now.
  package func head(
    bodyBytes: Int, date: Instant, _ continuation: Continuation
  ) -> [UInt8] {
    var head = Head()
    head.line("HTTP/1.1 \(status.rawValue) \(status.phrase)")
    head.field("Date", date.httpDate)
    head.field("Connection", continuation.rawValue)
    if !status.isBodiless { head.field("Content-Length", String(bodyBytes)) }
    for field in fields { head.field(field.name, field.value) }
    head.line("")
    return head.bytes
  }
}

/// The bytes of a head under way.
private struct Head {
  private(set) var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(1024)
  }

  mutating func line(_ text: String) {
    bytes += text.utf8
    bytes += [.carriageReturn, .lineFeed]
  }

  /// Nothing in a value ends its line, wherever the value is from (RFC 9110, 5.5).
  mutating func field(_ name: String, _ value: String) {
    bytes += name.utf8
    bytes += [.colon, .space]
    bytes += value.utf8.lazy.map { $0 < 0x20 || $0 == 0x7F ? .space : $0 }
    bytes += [.carriageReturn, .lineFeed]
  }
}

extension Instant {
  /// The instant as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
  package var httpDate: String {
    let (day, microseconds) = calendarDay
    let seconds = Int(microseconds / 1_000_000)
    let weekday = Self.weekdays[day.weekday - 1]
    let month = Self.months[day.month - 1]
    return "\(weekday), \(digits(day.day)) \(month) \(digits(day.year, 4)) "
      + "\(digits(seconds / 3600)):\(digits(seconds / 60 % 60)):\(digits(seconds % 60)) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private func digits(_ number: Int, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
