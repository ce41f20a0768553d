public import Vocabulary

/// Something of a session whose changes one can be told of.
///
/// In terms of messages a session is a bucket of its group, and these are the objects in it.
public struct SessionObject: Hashable, Sendable {
  /// The session.
  public let session: SessionID
  /// What of it.
  public let part: Part

  /// A part of a session.
  public init(_ part: Part, of session: SessionID) {
    self.part = part
    self.session = session
  }

  /// What of a session changes by itself; the raw values travel as `oi`.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// What is watched, where it stands, who is there.
    case state
    /// What comes next.
    case queue
  }

  /// The change of a session's part as those who follow it hear of it.
  public func change(
    _ kind: ObjectChange.Kind, group: GroupID, modified: Instant, appID: String,
    sender: UserID? = nil
  ) -> ObjectChange {
    ObjectChange(
      kind, of: kind == .bucketDeleted ? nil : part.rawValue, in: session.text,
      modified: modified, scope: .group(group), appID: appID, sender: sender)
  }
}

extension ReceivedMessage {
  /// The part of a session that changed, if that is what it tells.
  public var sessionObject: SessionObject? {
    guard let bucketID, let part = objectID.flatMap(SessionObject.Part.init) else { return nil }
    return SessionObject(part, of: SessionID(bucketID))
  }
}
