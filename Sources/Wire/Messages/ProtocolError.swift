package import Vocabulary

/// An error in the protocol: a stable code with details.
package struct ProtocolError: Error, Equatable, Sendable {
  package var code: ErrorCode
  /// What is wrong, for people.
  package var message: String
  /// The wrong field.
  package var field: String?
  /// The limit that was reached.
  package var limit: Int?
  /// The cause, for example why a device is not eligible.
  package var reason: String?
  /// The conflicting session.
  package var session: SessionID?
  /// The activity's current revision.
  package var revision: Int?
  /// The number of the current timeline event.
  package var seq: Int?
  /// How long to wait before another try.
  package var retryAfter: Duration?

  /// Makes an error; the default message is the code's meaning.
  package init(
    _ code: ErrorCode, _ message: String? = nil, field: String? = nil, limit: Int? = nil,
    reason: String? = nil, session: SessionID? = nil, revision: Int? = nil,
    seq: Int? = nil, retryAfter: Duration? = nil
  ) {
    self.code = code
    self.message = message ?? code.meaning
    self.field = field
    self.limit = limit
    self.reason = reason
    self.session = session
    self.revision = revision
    self.seq = seq
    self.retryAfter = retryAfter
  }

  /// What to do, for people.
  package var advice: String {
    code == .pairingRefused && reason == Self.noCodes ? ErrorCode.noKey.advice : code.advice
  }

  /// The reason for which a server without access by keys refuses to make and take codes.
  package static let noCodes = "access"
}

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
