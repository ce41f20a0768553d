/// An error whose code this version does not know, as a newer server may send.
///
/// It is a refusal like any other: only what to do about it is not known.
package struct UnknownError: Error, Equatable, Sendable {
  /// The code as it was written.
  package var code: String
  /// What was wrong, for a person.
  package var message: String
  /// Whether it was the server's last word before it closes the connection.
  package var isLast: Bool

  /// An error.
  package init(code: String, message: String, isLast: Bool = false) {
    self.code = code
    self.message = message
    self.isLast = isLast
  }
}
