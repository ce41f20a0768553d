public import Vocabulary

/// A session that cannot go on without the person: whoever owns the windows brings its one to front.
public struct ForegroundRequest: Hashable, Sendable {
  /// The session.
  public let session: SessionID
  /// What it is about.
  public let title: String
  /// What the person is needed for, such as a login.
  public let reason: String
}
