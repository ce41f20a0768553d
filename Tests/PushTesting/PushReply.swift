/// What a push service of the tests' own does with a request.
package enum PushReply: Equatable, Sendable {
  /// Answers.
  case answer(Int, fields: [String: String] = [:], body: String = "")
  /// Says nothing, and keeps the connection.
  case silence
  /// Closes the connection instead of an answer.
  case hangUp
  /// Begins an answer, and closes the connection in the midst of its body.
  case halfAnAnswer(Int)
}
