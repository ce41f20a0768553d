/// A request that a push service received.
package struct ReceivedPush: Equatable, Sendable, Decodable {
  package var method: String
  package var path: String
  /// The fields, with names in lower case.
  package var fields: [String: String]
  package var body: [UInt8]
  /// Whether it arrived over HTTP/2.
  package var isHTTP2: Bool
  /// The number of its connection, from 0.
  package var connection: Int
}

/// The reaction of a test's push service to a request.
package enum PushReply: Equatable, Sendable {
  /// Answers with this status.
  case answer(Int, fields: [String: String] = [:], body: String = "")
  /// Sends nothing, and keeps the connection open.
  case silence
  /// Closes the connection without an answer.
  case hangUp
  /// Starts an answer with this status, and closes the connection during its body.
  case halfAnAnswer(Int)
}
