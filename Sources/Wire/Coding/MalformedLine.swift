import JSON
import Vocabulary

/// What is said to the sender of a line that is no message.
package struct MalformedLine: Error, Equatable, Sendable {
  /// The request's id, where it could be read: even a bad request gets its one answer.
  package let request: RequestID?
  package let error: ProtocolError

  /// A line that is no message, for this reason.
  package init(request: RequestID?, error: ProtocolError) {
    self.request = request
    self.error = error
  }
}

extension ProtocolError {
  /// The error that a flaw of a line is to its sender.
  init(_ flaw: DecodingFlaw) {
    switch flaw {
    case .tooLong(field: "", let limit): self.init(.lineTooLong, limit: limit)
    case .notJSON, .wrongType(field: "", _): self.init(.notJSON, flaw.description)
    case .tooLong(let field, let limit):
      self.init(.invalidField, flaw.description, field: field, limit: limit)
    case .missing(let field), .wrongType(let field, _), .outOfRange(let field, _):
      self.init(.invalidField, flaw.description, field: field)
    }
  }

  /// The error that a type nobody knows is to its sender.
  static func unknownType(_ type: String) -> ProtocolError {
    ProtocolError(.unknownType, "there is no message of the type '\(type)'", field: "type")
  }
}

extension JSONObject {
  /// The message's type; long enough for every one there is, and short enough to be told back.
  func messageType() throws(DecodingFlaw) -> String {
    try string("type", maximum: 64)
  }

  /// The request's id if it is one, whatever else is wrong with the line.
  func readableRequestID() -> RequestID? {
    do throws(DecodingFlaw) { return try requestID() } catch { return nil }
  }
}
