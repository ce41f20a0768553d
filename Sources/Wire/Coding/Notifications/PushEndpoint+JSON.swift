package import JSON
package import UserNotifications

extension PushEndpoint {
  /// Writes the field `webPush`, as a browser's `PushSubscription.toJSON()` has it, or `apns`.
  package func encodeField(into writer: inout JSONWriter) {
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

  /// Reads `webPush` or `apns`; neither is none.
  package static func optional(in object: JSONObject) throws(DecodingFlaw) -> PushEndpoint? {
    try optional(in: object, within: .line)
  }

  static func optional(
    in object: JSONObject, within bounds: FieldBounds
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
