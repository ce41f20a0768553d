public import Vocabulary

/// A payload as one of the three kinds of messages, with what each says about itself.
///
/// Decoding never fails: a field that is missing or malformed is `nil`. It corresponds to Kii's
/// `KiiReceivedMessage(fromAPNS:)`.
public struct ReceivedMessage: Hashable, Sendable {
  /// What was received.
  public let payload: NotificationPayload

  /// The message that a payload is.
  public init(_ payload: NotificationPayload) {
    self.payload = payload
  }

  /// The message that a notification carries in its `userInfo`.
  public init(userInfo: [String: PayloadValue]) {
    self.init(NotificationPayload(userInfo))
  }

  /// The kinds of messages.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Something on the server changed: an ``ObjectChange``.
    case pushToApp
    /// A message to a topic: a ``TopicMessage``.
    case pushToUser
    /// The administrator sent it to one person; it has only the sender's own fields.
    case directPush
  }

  /// What caused a message; the raw values travel as `o`.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// It tells of a change.
    case event = "EVENT"
    /// Somebody sent it.
    case explicit = "EXPLICIT"
  }

  /// Which kind it is.
  ///
  /// A change always names its kind and bucket. A message to a topic is recognised by its topic or,
  /// if the sender leaves that out, by its origin; with neither, it looks like a direct push.
  public var kind: Kind {
    if fields[.type]?.string != nil || fields[.bucket]?.string != nil { return .pushToApp }
    if fields[.topic]?.string != nil { return .pushToUser }
    return switch origin {
    case .event: .pushToApp
    case .explicit: .pushToUser
    case nil: .directPush
    }
  }

  private var fields: [String: PayloadValue] { payload.custom }
}

// MARK: What a message says about itself

extension ReceivedMessage {
  /// The app's name.
  public var appID: String? { fields[.app]?.string }
  /// What caused it.
  public var origin: Origin? { fields[.origin]?.string.flatMap(Origin.init) }
  /// When it was sent.
  public var when: Instant? { fields[.when]?.integer.map(Instant.init(milliseconds:)) }
  /// The person who caused it.
  public var sender: UserID? { isFromThing ? nil : fields[.sender]?.string.map(UserID.init) }
  /// The device without a person that caused it.
  public var senderThing: String? { isFromThing ? fields[.sender]?.string : nil }
  /// The scope of its subject.
  public var scope: MessageScope? { MessageScope(fields) }
  /// Which kind of change it tells of.
  public var change: ObjectChange.Kind? { fields[.type]?.string.flatMap(ObjectChange.Kind.init) }
  /// Where something changed.
  public var bucketID: String? { fields[.bucket]?.string }
  /// What may be done there.
  public var bucketType: ObjectChange.BucketType? {
    fields[.bucketType]?.string.flatMap(ObjectChange.BucketType.init)
  }
  /// What changed.
  public var objectID: String? { fields[.object]?.string }
  /// When it was changed.
  public var modified: Instant? { fields[.modified]?.integer.map(Instant.init(milliseconds:)) }
  /// The topic that it was sent to.
  public var topicID: TopicID? { fields[.topic]?.string.map(TopicID.init) }
  /// The text that is shown.
  public var alertBody: String? { payload.alert?.body?.text }

  /// Whether it names an object.
  public var containsObject: Bool { objectID != nil && bucketID != nil }
  /// Whether it names a bucket.
  public var containsBucket: Bool { bucketID != nil }
  /// Whether it names a topic.
  public var containsTopic: Bool { topicID != nil }

  /// The person whose bucket or topic it is about.
  public var sourceUser: UserID? { if case .user(let user)? = scope { user } else { nil } }
  /// The group whose bucket or topic it is about.
  public var sourceGroup: GroupID? { if case .group(let group)? = scope { group } else { nil } }
  /// The device without a person whose bucket or topic it is about.
  public var sourceThing: String? { if case .thing(let thing)? = scope { thing } else { nil } }

  /// A field by its name as it travels, such as one of the sender's own; `aps` is none.
  public func value(of name: String) -> PayloadValue? { fields[name] }

  /// A thing's own bucket is written without a scope; Kii's names of things begin with this prefix.
  private var isFromThing: Bool { fields[.sender]?.string?.hasPrefix("th.") ?? false }
}
