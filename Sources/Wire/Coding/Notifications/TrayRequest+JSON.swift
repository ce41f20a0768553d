import JSON
import UserNotifications
import Vocabulary

extension TrayRequest {
  var verb: NotificationVerb {
    switch self {
    case .register: .registerForNotifications
    case .unregister: .unregisterFromNotifications
    case .subscribe: .subscribe
    case .unsubscribe: .unsubscribe
    case .publish: .publish
    case .push: .push
    case .list: .listNotifications
    case .report: .reportNotification
    case .remove: .removeNotifications
    case .wipe: .wipeNotifications
    case .objectState: .objectState
    }
  }

  /// Writes the fields into the request's object.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .register(let mode, let isDevelopment, let endpoint):
      if mode != .center { writer.field("mode", word: mode) }
      writer.flag("development", isDevelopment)
      endpoint?.encodeField(into: &writer)
    case .unregister, .list, .wipe: break
    case .subscribe(let subscription), .unsubscribe(let subscription):
      subscription.encodeFields(into: &writer)
    case .publish(let publication): publication.encodeFields(into: &writer)
    case .push(let push): push.encodeFields(into: &writer)
    case .report(let id, let report):
      writer.field("notification", id)
      report.encodeFields(into: &writer)
    case .remove(let ids): writer.notificationIDs(ids)
    case .objectState(let object): object.encodeFields(into: &writer)
    }
  }

  init(
    _ verb: NotificationVerb, decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    switch verb {
    case .registerForNotifications:
      self = .register(
        mode: try object.optionalChoice("mode") ?? .center,
        isDevelopment: try object.flag("development"),
        try PushEndpoint.optional(in: object, within: bounds))
    case .unregisterFromNotifications: self = .unregister
    case .subscribe: self = .subscribe(try Subscription(decoding: object, within: bounds))
    case .unsubscribe: self = .unsubscribe(try Subscription(decoding: object, within: bounds))
    case .publish: self = .publish(try TopicPublication(decoding: object, within: bounds))
    case .push: self = .push(try DirectPush(decoding: object, within: bounds))
    case .listNotifications: self = .list
    case .reportNotification:
      self = .report(
        try object.value("notification").identifier(
          maximum: bounds.notificationBytes, within: bounds),
        try NotificationReport(decoding: object, within: bounds))
    case .removeNotifications: self = .remove(try object.notificationIDs(within: bounds))
    case .wipeNotifications: self = .wipe
    case .objectState: self = .objectState(try SessionObject(decoding: object, within: bounds))
    }
  }
}

extension TopicPublication {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("topic", topic)
    writer.field("alert", alert?.field)
    if !data.isEmpty { writer.payloadFields("data", data) }
    options.encodeField(into: &writer)
    if let key { writer.field("key", key) }
  }

  fileprivate init(
    decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(
      to: try object.topic(within: bounds),
      alert: try NotificationPayload.Alert(decodingFieldOf: object, within: bounds),
      data: try object.optionalPayloadFields("data", within: bounds),
      options: try PushOptions(decodingFieldOf: object, within: bounds),
      key: try object.optionalString("key", maximum: bounds.keyBytes))
  }
}

extension DirectPush {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("user", user)
    writer.field("payload", payload)
    options.encodeField(into: &writer)
    if let collapseID { writer.field("collapseID", collapseID) }
    writer.field("timeToLive", timeToLive)
    writer.field("key", key)
  }

  fileprivate init(
    decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(
      to: try object.identifier("user", within: bounds),
      try NotificationPayload(decodingFieldOf: object, within: bounds),
      options: try PushOptions(decodingFieldOf: object, within: bounds),
      collapseID: try object.optionalValue("collapseID")?.word(maximum: bounds.collapseBytes),
      timeToLive: try object.optionalInt64("timeToLive", in: bounds.timesToLive)
        .map { .microseconds($0) },
      key: try object.string("key", maximum: bounds.keyBytes))
  }
}
