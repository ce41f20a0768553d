import JSON
import UserNotifications

extension PushEndpoint: Fields {
  /// Writes the field `webPush`, in the form of a browser's `PushSubscription.toJSON()`, or `apns`.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .webPush(let endpoint, let publicKey, let secret):
      writer.object("webPush") { writer in
        writer.field("endpoint", endpoint)
        writer.object("keys") { writer in
          writer.field("p256dh", publicKey)
          writer.field("auth", secret)
        }
      }
    case .apns(let token, let topic, let isSandbox):
      writer.object("apns") { writer in
        writer.field("token", token)
        writer.field("topic", topic)
        writer.flag("sandbox", isSandbox)
      }
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let endpoint = try Self.optional(.open, of: object, within: bounds) else {
      throw object.outOfRange("webPush", allowed: "there, or `apns`")
    }
    self = endpoint
  }

  /// Reads `webPush` or `apns`; `nil` if both are absent.
  static func optional(
    _ field: Field<PushEndpoint?>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> PushEndpoint? {
    if let apns = try object.optionalObject("apns") {
      guard !object.has("webPush") else {
        throw object.outOfRange("webPush", allowed: "left out where there is `apns`")
      }
      return .apns(
        token: try apns.word("token", maximum: bounds.endpointBytes),
        topic: try apns.word("topic", maximum: bounds.endpointBytes),
        isSandbox: try apns.flag("sandbox"))
    }
    guard let subscription = try object.optionalObject("webPush") else { return nil }
    let keys = try subscription.object("keys")
    return .webPush(
      endpoint: try subscription.word("endpoint", maximum: bounds.endpointBytes),
      publicKey: try keys.word("p256dh", maximum: bounds.endpointBytes),
      secret: try keys.word("auth", maximum: bounds.endpointBytes))
  }
}

extension PushOptions: OwnField {
  private typealias Flag = any WritableKeyPath<PushOptions, Bool> & Sendable

  /// The names of the flags in the protocol, which are Kii's.
  private static let flags: KeyValuePairs<String, Flag> = [
    "sendAppID": \.sendsAppID,
    "sendSender": \.sendsSender,
    "sendWhen": \.sendsWhen,
    "sendOrigin": \.sendsOrigin,
    "sendObjectScope": \.sendsObjectScope,
    "sendTopicID": \.sendsTopicID,
    "sendToDevelopment": \.sendsToDevelopment,
    "sendToProduction": \.sendsToProduction,
  ]

  /// Writes the field `options` with the differences to the defaults, if there are any.
  func encodeField(into writer: inout JSONWriter) {
    let usual = PushOptions()
    guard self != usual else { return }
    writer.object("options") { writer in
      for (name, flag) in Self.flags where self[keyPath: flag] != usual[keyPath: flag] {
        writer.field(name, self[keyPath: flag])
      }
      guard !transports.isEmpty else { return }
      writer.object("transports") { writer in
        for kind in TransportKind.allCases {
          guard let transport = transports[kind] else { continue }
          writer.field(kind.rawValue, transport)
        }
      }
    }
  }

  /// Reads the field `options`; absent options have their defaults.
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init()
    guard let options = try object.optionalObject("options") else { return }
    for (name, flag) in Self.flags {
      if let isSo = try options.optionalBool(name) { self[keyPath: flag] = isSo }
    }
    guard let ways = try options.optionalObject("transports") else { return }
    for kind in TransportKind.allCases {
      transports[kind] = try Transport.optional(Field(kind.rawValue), of: ways, within: bounds)
    }
  }
}

extension PushOptions.Transport: Record {
  static let layout = Layout(
    PushOptions.Transport.init, RecordField("enabled", \.isEnabled, absent: true),
    RecordField("data", \.data, absent: [:]))
}
