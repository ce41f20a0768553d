public import Vocabulary

/// An object on the server that people can follow without taking part.
///
/// In the terms of messages, a group and each of its sessions are buckets, and these are their
/// objects.
public enum ServerObject: Hashable, Sendable {
  /// A part of a session; it ends with the session.
  case part(SessionPart, of: SessionID)
  /// An app's own object; it ends when it is removed, and with its group.
  case own(ObjectID, of: GroupID)

  /// The change of the object as its subscribers get it; the group is the one that the object belongs
  /// to.
  package func change(
    _ kind: ObjectChange.Kind, group: GroupID, modified: Instant, appID: String
  ) -> ObjectChange {
    let (bucket, object) =
      switch self {
      case .part(let part, let session): (session.text, part.rawValue)
      case .own(let id, let group): (group.text, id.text)
      }
    return ObjectChange(
      kind, of: kind == .bucketDeleted ? nil : object, in: bucket, modified: modified,
      scope: .group(group), appID: appID)
  }
}

/// The parts of a session that change independently; the raw values are sent as `oi`.
public enum SessionPart: String, Hashable, Sendable, CaseIterable {
  /// What is watched, where it stands, who is there.
  case state
  /// What comes next.
  case queue
}

extension ServerObject: Comparable {
  /// Parts of sessions first; each kind sorted by its bucket and its name.
  public static func < (left: ServerObject, right: ServerObject) -> Bool {
    switch (left, right) {
    case (.part(let left, let one), .part(let right, let other)):
      (one.text, left.rawValue) < (other.text, right.rawValue)
    case (.own(let left, let one), .own(let right, let other)): (one, left) < (other, right)
    case (.part, .own): true
    case (.own, .part): false
    }
  }
}

extension ReceivedMessage {
  /// The object that changed, if it is a part of a session or an app's own.
  public var serverObject: ServerObject? {
    guard let bucketID, let objectID else { return nil }
    if let sourceGroup, sourceGroup.text == bucketID {
      return .own(ObjectID(objectID), of: sourceGroup)
    }
    return SessionPart(rawValue: objectID).map { .part($0, of: SessionID(bucketID)) }
  }

  /// Whether an object is over: it was deleted, or its bucket was.
  package func ends(_ object: ServerObject) -> Bool {
    switch (change, object) {
    case (.objectDeleted, _): serverObject == object
    case (.bucketDeleted, .part(_, let session)):
      bucketID == session.text && sourceGroup?.text != bucketID
    case (.bucketDeleted, .own(_, let group)):
      bucketID == group.text && sourceGroup == group
    default: false
    }
  }
}

/// A change on the server, sent to its subscribers: Kii's "Push to App".
public struct ObjectChange: Hashable, Sendable {
  /// What happened.
  public var kind: Kind
  /// Where it happened.
  public var bucketID: String
  /// Whether others may write there, too.
  public var bucketType: BucketType
  /// The object that changed; `nil` if it is the bucket itself.
  public var objectID: String?
  /// When it was changed; sent in milliseconds.
  public var modified: Instant?
  /// The scope of the bucket.
  public var scope: MessageScope
  /// The app's name.
  public var appID: String
  /// Who changed it.
  public var sender: UserID?

  /// A change.
  public init(
    _ kind: Kind, of objectID: String?, in bucketID: String, bucketType: BucketType = .readWrite,
    modified: Instant? = nil, scope: MessageScope, appID: String, sender: UserID? = nil
  ) {
    self.kind = kind
    self.bucketID = bucketID
    self.bucketType = bucketType
    self.objectID = objectID
    self.modified = modified
    self.scope = scope
    self.appID = appID
    self.sender = sender
  }

  /// What can happen to what is kept on the server; the raw values travel as `t`.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An object was created.
    case objectCreated = "DATA_OBJECT_CREATED"
    /// An object was deleted.
    case objectDeleted = "DATA_OBJECT_DELETED"
    /// The fields of an object were changed.
    case objectUpdated = "DATA_OBJECT_UPDATED"
    /// The body of an object was set or replaced.
    case objectBodyUpdated = "DATA_OBJECT_BODY_UPDATED"
    /// The body of an object was deleted.
    case objectBodyDeleted = "DATA_OBJECT_BODY_DELETED"
    /// It was changed who may use an object.
    case objectAccessModified = "DATA_OBJECT_ACL_MODIFIED"
    /// The bucket was deleted, with all that is in it.
    case bucketDeleted = "BUCKET_DELETED"
  }

  /// What may be done with a bucket; the raw values travel as `bt`.
  public enum BucketType: String, Hashable, Sendable, CaseIterable {
    /// A bucket that is read and written.
    case readWrite = "rw"
    /// A bucket whose content is synchronized.
    case synchronized = "sync"
  }

  /// The silent payload of the change; senders cannot add fields to it.
  public func payload(_ options: PushOptions = PushOptions(), at now: Instant)
    -> NotificationPayload
  {
    var fields: [String: PayloadValue] = [:]
    fields[.type] = .string(kind.rawValue)
    fields[.bucket] = .string(bucketID)
    fields[.bucketType] = .string(bucketType.rawValue)
    fields[.object] = objectID.map(PayloadValue.string)
    fields[.modified] = modified.map { .integer($0.milliseconds) }
    if options.sendsObjectScope { scope.write(app: appID, to: &fields) }
    options.write(app: appID, sender: sender, at: now, .event, to: &fields)
    return .silent(fields)
  }
}

extension Instant {
  /// Payloads count milliseconds.
  var milliseconds: Int64 { microseconds / 1_000 }

  init(milliseconds: Int64) {
    self = Instant(microseconds: 0) + .milliseconds(milliseconds)
  }
}

extension PushOptions {
  /// Adds what messages of all kinds may say of themselves.
  func write(
    app: String, sender: UserID?, at now: Instant, _ origin: ReceivedMessage.Origin,
    to fields: inout [String: PayloadValue]
  ) {
    if sendsAppID { fields[.app] = .string(app) }
    if sendsSender { fields[.sender] = sender.map { .string($0.text) } }
    if sendsWhen { fields[.when] = .integer(now.milliseconds) }
    if sendsOrigin { fields[.origin] = .string(origin.rawValue) }
  }
}
