/// Why a request is not read; the connection is closed behind the answer.
///
/// Behind a fault nobody can tell where the next request begins, and guessing is how requests are
/// smuggled (RFC 9112, 11.2).
package enum HTTPFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is not HTTP, or can be understood in two ways.
  case malformed(String)
  /// It has a body without saying how long it is.
  case noLength
  case bodyTooLong(limit: Int)
  case targetTooLong(limit: Int)
  case headTooLong(limit: Int)
  case tooManyFields(limit: Int)
  /// More requests were sent ahead than may wait.
  case tooMuchAhead(limit: Int)
  /// The client waits for leave to send the body.
  case expectation
  case unknownMethod
  /// A coding of the body other than `chunked`.
  case unknownCoding
  case unknownVersion

  /// The status of the answer.
  package var status: HTTPStatus {
    switch self {
    case .malformed: .badRequest
    case .noLength: .lengthRequired
    case .bodyTooLong: .contentTooLarge
    case .targetTooLong: .targetTooLong
    case .headTooLong, .tooManyFields: .fieldsTooLarge
    case .tooMuchAhead: .tooManyRequests
    case .expectation: .expectationFailed
    case .unknownMethod, .unknownCoding: .notImplemented
    case .unknownVersion: .versionNotSupported
    }
  }

  /// A sentence for the client's developer: what is wrong, and what to do.
  package var description: String {
    switch self {
    case .malformed(let reason): "This is not a request of HTTP/1.1: \(reason)."
    case .noLength: "The body has no length: send Content-Length."
    case .bodyTooLong(let limit): "The body is longer than the allowed \(limit) bytes."
    case .targetTooLong(let limit): "The address is longer than the allowed \(limit) bytes."
    case .headTooLong(let limit): "The head is longer than the allowed \(limit) bytes."
    case .tooManyFields(let limit): "The head has more than the allowed \(limit) fields."
    case .tooMuchAhead(let limit):
      "More than \(limit) bytes of requests wait for an answer: wait for it, then send the next."
    case .expectation: "Send the body without Expect; it is short."
    case .unknownMethod: "The server does not know this method."
    case .unknownCoding: "The server does not know this Transfer-Encoding: send Content-Length."
    case .unknownVersion: "The server speaks HTTP/1.1 and HTTP/1.0."
    }
  }
}

/// How much one client may ask at once.
package struct HTTPLimits: Equatable, Sendable {
  /// Bytes of a head, from the method to the empty line: browsers with many cookies send 8 KiB.
  package var headBytes: Int
  /// Fields of a head: browsers send 20.
  package var fields: Int
  /// Bytes of a request's target: the longest link is an invitation of 2 KiB.
  package var targetBytes: Int
  /// Bytes of a body; nothing that is served today takes one.
  package var bodyBytes: Int
  /// Bytes of requests that a client may send ahead of the answers, beyond the one that is read: a
  /// read of a stream.
  package var aheadBytes: Int

  package init(
    headBytes: Int = 16 * 1024, fields: Int = 100, targetBytes: Int = 4 * 1024,
    bodyBytes: Int = 0, aheadBytes: Int = 64 * 1024
  ) {
    self.headBytes = headBytes
    self.fields = fields
    self.targetBytes = targetBytes
    self.bodyBytes = bodyBytes
    self.aheadBytes = aheadBytes
  }

  /// What may wait in a reader.
  var waitingBytes: Int { headBytes + bodyBytes + aheadBytes }
}
