public import Vocabulary

/// Something said to all who subscribed to a topic, its sender included: "Push to User".
public struct TopicMessage: Hashable, Sendable {
  /// The topic's name.
  public var topicID: TopicID
  /// Whose the topic is.
  public var scope: MessageScope
  /// What is shown of it; `nil` is for the apps alone.
  public var alert: NotificationPayload.Alert?
  /// Fields of the sender's own, one level deep.
  public var data: [String: PayloadValue]
  /// The app's name.
  public var appID: String
  /// Who says it.
  public var sender: UserID?

  /// A message.
  public init(
    to topicID: TopicID, scope: MessageScope, alert: NotificationPayload.Alert? = nil,
    data: [String: PayloadValue] = [:], appID: String, sender: UserID? = nil
  ) {
    self.topicID = topicID
    self.scope = scope
    self.alert = alert
    self.data = data
    self.appID = appID
    self.sender = sender
  }

  /// The payload that travels, silent where nothing is shown.
  ///
  /// Throws if a field of the sender's own is not flat, or has a name that the message needs.
  public func payload(_ options: PushOptions = PushOptions(), at now: Instant)
    throws(PayloadFault) -> NotificationPayload
  {
    var fields = data
    for (name, value) in data.sorted(by: { $0.key < $1.key }) {
      guard name != "aps", MessageField(rawValue: name) == nil else {
        throw .reserved(field: name)
      }
      guard value.isFlat else { throw .nested(field: name) }
    }
    if options.sendsTopicID { fields[.topic] = .string(topicID.text) }
    if options.sendsObjectScope { scope.write(app: appID, to: &fields) }
    options.write(app: appID, sender: sender, at: now, .explicit, to: &fields)
    var payload = NotificationPayload(alert, custom: fields)
    payload.isContentAvailable = alert == nil
    return payload
  }
}

/// A topic that people subscribe to, such as `group/friday`.
public typealias TopicID = Identifier<TopicMessage>

extension PayloadValue {
  /// Whether it has no level below it.
  fileprivate var isFlat: Bool { list == nil && dictionary == nil }
}
