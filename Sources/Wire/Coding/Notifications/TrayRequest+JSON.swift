import JSON
import UserNotifications
import Vocabulary

extension TrayRequest: Tagged {
  static let tag = "type"

  static let cases = CaseTable<TrayRequest>(
    Cases.register, Cases.unregister, Cases.subscribe, Cases.unsubscribe, Cases.publish,
    Cases.push, Cases.list, Cases.report, Cases.remove, Cases.wipe, Cases.objectState)

  private enum Cases {
    static let register = Case(
      "registerForNotifications", TrayRequest.register, "mode", .flag("development"), .open)
    static let unregister = Case("unregisterFromNotifications", TrayRequest.unregister)
    static let subscribe = Case("subscribe", TrayRequest.subscribe, .open)
    static let unsubscribe = Case("unsubscribe", TrayRequest.unsubscribe, .open)
    static let publish = Case("publish", TrayRequest.publish, .open)
    static let push = Case("push", TrayRequest.push, .open)
    static let list = Case("listNotifications", TrayRequest.list)
    static let report = Case(
      "reportNotification", TrayRequest.report,
      .bounded("notification", by: \.notificationBytes), .open)
    static let remove = Case(
      "removeNotifications", TrayRequest.remove,
      Field("notifications", .list(\.notifications, bytes: \.notificationBytes)))
    static let wipe = Case("wipeNotifications", TrayRequest.wipe)
    static let objectState = Case("objectState", TrayRequest.objectState, .open)
  }

  func encodeFields(_ head: RequestHead, into writer: inout JSONWriter) {
    switch self {
    case .register(let mode, let isDevelopment, let endpoint):
      Cases.register.write((mode, isDevelopment, endpoint), head, to: &writer)
    case .unregister: Cases.unregister.write(head, to: &writer)
    case .subscribe(let subscription): Cases.subscribe.write(subscription, head, to: &writer)
    case .unsubscribe(let subscription): Cases.unsubscribe.write(subscription, head, to: &writer)
    case .publish(let publication): Cases.publish.write(publication, head, to: &writer)
    case .push(let push): Cases.push.write(push, head, to: &writer)
    case .list: Cases.list.write(head, to: &writer)
    case .report(let id, let report): Cases.report.write((id, report), head, to: &writer)
    case .remove(let ids): Cases.remove.write(ids, head, to: &writer)
    case .wipe: Cases.wipe.write(head, to: &writer)
    case .objectState(let object): Cases.objectState.write(object, head, to: &writer)
    }
  }
}

/// The mode in a request; absent means `center`.
extension RegistrationMode: FieldValue {
  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> RegistrationMode {
    try object.optionalChoice(field.name) ?? .center
  }

  func write(_ field: Field<Self>, to writer: inout JSONWriter) {
    if self != .center { writer.field(field.name, word: self) }
  }
}

extension NotificationReport: Tagged, Fields {
  static let tag = "report"

  static let cases = CaseTable<NotificationReport>(
    Cases.acknowledged, Cases.responded, Cases.removed)

  private enum Cases {
    static let acknowledged = Case("acknowledged", NotificationReport.acknowledged, "result")
    static let responded = Case(
      "responded", NotificationReport.responded, .bounded("action", by: \.nameBytes),
      .text("text", by: \.replyBytes))
    static let removed = Case("removed", NotificationReport.removed)
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .acknowledged(let result): Cases.acknowledged.write(result, to: &writer)
    case .responded(let actionID, let text): Cases.responded.write((actionID, text), to: &writer)
    case .removed: Cases.removed.write(to: &writer)
    }
  }
}

extension DeliveryResult: CodedWord {}

extension TopicPublication: Record {
  static let layout = Layout(
    TopicPublication.init, RecordField(.bounded("topic", by: \.topicBytes), \.topic),
    RecordField("alert", \.alert),
    RecordField(.text("category", by: \.identifierBytes), \.category),
    RecordField("data", \.data, absent: [:]), RecordField("options", \.options),
    RecordField(.text("key", by: \.keyBytes), \.key))
}

extension DirectPush: Record {
  static let layout = Layout(
    DirectPush.init, RecordField("user", \.user), RecordField("payload", \.payload),
    RecordField("options", \.options),
    RecordField(.bounded("collapseID", by: \.collapseBytes), \.collapseID),
    RecordField(Field("timeToLive", .within(\.timesToLive)), \.timeToLive),
    RecordField(.text("key", by: \.keyBytes), \.key))
}

extension Subscription: Fields {
  /// Writes `topic`, or the object's fields, into the open object.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .topic(let topic): writer.field("topic", topic)
    case .object(let object): object.encodeFields(into: &writer)
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    for name in ["session", "group"] where object.has(name) {
      guard !object.has("topic") else {
        throw object.outOfRange("topic", allowed: "left out where there is `\(name)`")
      }
      self = .object(try ServerObject(decoding: object, within: bounds))
      return
    }
    self = .topic(try object.topic(within: bounds))
  }
}

extension ServerObject: Fields {
  /// Writes `session` and `part`, or `group` and `object`, into the open object.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .part(let part, let session):
      writer.field("session", session)
      writer.field("part", word: part)
    case .own(let id, let group):
      writer.field("group", group)
      writer.field("object", id)
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard object.has("group") else {
      let session: SessionID = try object.identifier("session", within: bounds)
      self = .part(try object.choice("part"), of: session)
      return
    }
    guard !object.has("session") else {
      throw object.outOfRange("session", allowed: "left out where there is `group`")
    }
    let group: GroupID = try object.identifier("group", within: bounds)
    self = .own(try object.identifier("object", within: bounds), of: group)
  }
}

extension JSONObject {
  func topic(within bounds: FieldBounds) throws(DecodingFlaw) -> TopicID {
    try value("topic").identifier(maximum: bounds.topicBytes, within: bounds)
  }
}
