package import Vocabulary

/// An error as it stands on the wire: a stable code, and what to know and do about this one.
package struct ProtocolError: Error, Equatable, Sendable {
  package var code: ErrorCode
  /// What was wrong, for a person.
  package var message: String
  /// The field that was wrong.
  package var field: String?
  /// The bound that was met.
  package var limit: Int?
  /// The reason behind the code, such as why a device is not eligible.
  package var reason: String?
  /// The session that is in the way.
  package var session: SessionID?
  /// The revision the activity has now.
  package var revision: Int?
  /// The number of the timeline event that stands now.
  package var seq: Int?
  /// When trying again makes sense.
  package var retryAfter: Duration?

  /// An error; without a message of its own it says what its code means.
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
}
