public import Vocabulary

/// A message to all subscribers of a topic, its sender included: Kii's "Push to User".
public struct TopicMessage: Hashable, Sendable {
  /// The topic's name.
  public var topicID: TopicID
  /// The scope of the topic.
  public var scope: MessageScope
  /// The alert; `nil` if the message is for apps alone.
  public var alert: NotificationPayload.Alert?
  /// Which category's actions it offers; `nil` for none.
  public var category: String?
  /// Fields of the sender's own, one level deep.
  public var data: [String: PayloadValue]
  /// The app's name.
  public var appID: String
  /// The sender.
  public var sender: UserID?

  /// A message.
  public init(
    to topicID: TopicID, scope: MessageScope, alert: NotificationPayload.Alert? = nil,
    category: String? = nil, data: [String: PayloadValue] = [:], appID: String,
    sender: UserID? = nil
  ) {
    self.topicID = topicID
    self.scope = scope
    self.alert = alert
    self.category = category
    self.data = data
    self.appID = appID
    self.sender = sender
  }

  /// The payload of the message; it is silent if there is no alert.
  ///
  /// Throws if one of the sender's own fields, those for single transports included, is not flat or
  /// has a reserved name.
  public func payload(_ options: PushOptions = PushOptions(), at now: Instant)
    throws(PayloadFault) -> NotificationPayload
  {
    try Self.check(data)
    for transport in TransportKind.allCases {
      try Self.check(options.transports[transport]?.data ?? [:], over: transport)
    }
    var fields = data
    if options.sendsTopicID { fields[.topic] = .string(topicID.text) }
    if options.sendsObjectScope { scope.write(app: appID, to: &fields) }
    options.write(app: appID, sender: sender, at: now, .explicit, to: &fields)
    var payload = NotificationPayload(alert, custom: fields)
    payload.categoryID = category
    payload.isContentAvailable = alert == nil
    return payload
  }

  /// Checks fields of the sender's own, so that they cannot name another sender or topic, revoke a
  /// notification, or change an object.
  private static func check(
    _ own: [String: PayloadValue], over transport: TransportKind? = nil
  ) throws(PayloadFault) {
    for (name, value) in own.sorted(by: { $0.key < $1.key }) {
      guard name != "aps", MessageField(rawValue: name) == nil else {
        throw .reserved(field: name, over: transport)
      }
      guard value.isFlat else { throw .nested(field: name, over: transport) }
    }
  }
}

/// A topic that people subscribe to, such as `group/friday`.
public typealias TopicID = Identifier<TopicMessage>

extension PayloadValue {
  /// Whether it has no level below it.
  fileprivate var isFlat: Bool { list == nil && dictionary == nil }
}

/// The scope of a topic or a bucket: `st`, and the owner's name in `su`, `sg` or `sth`.
public enum MessageScope: Hashable, Sendable {
  /// Everybody's.
  case app
  /// A person's.
  case user(UserID)
  /// A group's.
  case group(GroupID)
  /// A device without a person, such as a screen in a hall.
  case thing(String)

  var name: String {
    switch self {
    case .app: "APP"
    case .user: "APP_AND_USER"
    case .group: "APP_AND_GROUP"
    case .thing: "APP_AND_THING"
    }
  }
}

extension MessageScope {
  /// The scope that a message names; `nil` if it names none, or lacks the owner.
  init?(_ fields: [String: PayloadValue]) {
    switch fields[.scopeType]?.string {
    case "APP": self = .app
    case "APP_AND_USER":
      guard let user = fields[.scopeUser]?.string else { return nil }
      self = .user(UserID(user))
    case "APP_AND_GROUP":
      guard let group = fields[.scopeGroup]?.string else { return nil }
      self = .group(GroupID(group))
    case "APP_AND_THING":
      guard let thing = fields[.scopeThing]?.string else { return nil }
      self = .thing(thing)
    default: return nil
    }
  }

  /// Adds the scope to a message.
  func write(app: String, to fields: inout [String: PayloadValue]) {
    fields[.scopeType] = .string(name)
    fields[.scopeApp] = .string(app)
    switch self {
    case .app: break
    case .user(let user): fields[.scopeUser] = .string(user.text)
    case .group(let group): fields[.scopeGroup] = .string(group.text)
    case .thing(let thing): fields[.scopeThing] = .string(thing)
    }
  }
}

/// The short field names of the three kinds of messages (Kii, "Push Message Payload").
///
/// The sender's own fields may not use these names.
enum MessageField: String, CaseIterable {
  case app = "a"
  case sender = "s"
  case origin = "o"
  case when = "w"
  case type = "t"
  case topic = "to"
  case bucket = "bi"
  case bucketType = "bt"
  case object = "oi"
  case modified = "om"
  case scopeType = "st"
  case scopeApp = "sa"
  case scopeUser = "su"
  case scopeGroup = "sg"
  case scopeThing = "sth"
}

extension [String: PayloadValue] {
  subscript(field: MessageField) -> PayloadValue? {
    get { self[field.rawValue] }
    set { self[field.rawValue] = newValue }
  }
}
