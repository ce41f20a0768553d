/// An error from a newer server, with a code that this version does not know.
///
/// It is handled like any refusal, except that there is no advice.
package struct UnknownError: Error, Equatable, Sendable {
  /// The code's text.
  package var code: String
  /// What is wrong, for people.
  package var message: String
  /// Whether it is the last message before the server closes the connection.
  package var isLast: Bool

  package init(code: String, message: String, isLast: Bool = false) {
    self.code = code
    self.message = message
    self.isLast = isLast
  }
}
