package import JSON
package import UserNotifications

extension PushOptions {
  private typealias Flag = any WritableKeyPath<PushOptions, Bool> & Sendable

  /// The flags by their names on the wire, which are Kii's.
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

  /// Writes the field `options` with what is not as usual; nothing if all is.
  package func encodeField(into writer: inout JSONWriter) {
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
          writer.object(kind.rawValue) { transport.encodeFields(into: &$0) }
        }
      }
    }
  }

  /// Reads the field `options`; whatever it leaves out is as usual.
  package init(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    try self.init(decodingFieldOf: object, within: .line)
  }

  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init()
    guard let options = try object.optionalObject("options") else { return }
    for (name, flag) in Self.flags {
      if let isSo = try options.optionalBool(name) { self[keyPath: flag] = isSo }
    }
    guard let ways = try options.optionalObject("transports") else { return }
    for kind in TransportKind.allCases {
      guard let way = try ways.optionalObject(kind.rawValue) else { continue }
      transports[kind] = try Transport(decoding: way, within: bounds)
    }
  }
}

extension PushOptions.Transport {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    if !isEnabled { writer.field("enabled", isEnabled) }
    if !data.isEmpty { writer.payloadFields("data", data) }
  }

  fileprivate init(
    decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(
      isEnabled: try object.optionalBool("enabled") ?? true,
      data: try object.optionalPayloadFields("data", within: bounds))
  }
}
