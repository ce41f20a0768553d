import Coordination
import ProtocolReading
import RightsTesting
import Wire

/// A request, by its name on the wire, and a code it is refused with.
struct Refusal: Hashable, Comparable, CustomStringConvertible {
  let request: String
  let code: ErrorCode

  init(_ request: Request, _ code: ErrorCode) {
    self.request = request.name
    self.code = code
  }

  private init(_ request: String, _ code: ErrorCode) {
    self.request = request
    self.code = code
  }

  var description: String { "\(request): \(code)" }

  static func < (left: Refusal, right: Refusal) -> Bool {
    (left.request, left.code.rawValue) < (right.request, right.code.rawValue)
  }

  /// What any request can be refused with, as the protocol says; not in the table.
  static let common: Set<ErrorCode> = [
    .invalidField, .unknownType, .rateLimited, .busy, .shuttingDown, .journalUnavailable,
    .journalFull,
    .unproved, .tooManyGuesses, .noPerson,
  ]

  /// What the protocol's table says; a code stands there with any of the request's rows.
  static func listed() throws -> Set<Refusal> {
    let rows = ProtocolArticle.rows(in: try ProtocolArticle().chapter("Refusals").introduction)
    var refusals: Set<Refusal> = []
    for row in rows {
      for request in names(row[0]) {
        for code in names(row[1]) {
          // A code that is none would be missing among those seen.
          if let code = ErrorCode(rawValue: code) { refusals.insert(Refusal(request, code)) }
        }
      }
    }
    return refusals
  }

  private static func names(_ cell: String) -> [String] {
    cell.split(separator: ",").map { $0.trimming { $0 == " " || $0 == "`" } }
  }
}

extension StringProtocol {
  fileprivate func trimming(_ isDropped: (Character) -> Bool) -> String {
    var text = self[...]
    while let first = text.first, isDropped(first) { text = text.dropFirst() }
    while let last = text.last, isDropped(last) { text = text.dropLast() }
    return String(text)
  }
}
