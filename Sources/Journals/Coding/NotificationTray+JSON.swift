import JSON
import UserNotifications
import Vocabulary
import Wire

extension NotificationTray {
  /// Writes an object; what is empty is left out.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("user", user)
    writer.field("seq", seq)
    writer.list("installations", installations) { installation, writer in
      writer.object { installation.encodeFields(into: &$0) }
    }
    writer.list("subscriptions", subscriptions.sorted()) { subscription, writer in
      writer.object { subscription.encodeFields(into: &$0) }
    }
    writer.list("entries", entries) { entry, writer in
      writer.object { entry.encodeFields(into: &$0) }
    }
    if !past.isEmpty { writer.field("past", past) }
    writer.endObject()
  }

  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    let subscriptions = try object.objects("subscriptions") {
      (subscription) throws(DecodingFlaw) in try Subscription(decoding: subscription)
    }
    self.init(
      try object.identifier("user"), seq: try object.int("seq", in: 0 ... .max),
      installations: try object.objects("installations") { (installation) throws(DecodingFlaw) in
        try Installation(decoding: installation)
      },
      subscriptions: Set(subscriptions),
      entries: try object.objects("entries") { (entry) throws(DecodingFlaw) in
        try TrayEntry(decoding: entry)
      },
      past: try object.texts("past").map { NotificationID($0) })
  }
}

extension Installation {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("device", device)
    writer.field("mode", mode.rawValue)
    writer.flag("development", isDevelopment)
    endpoint?.encodeField(into: &writer)
    writer.field("registered", registered)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      device: try object.identifier("device"), mode: try object.choice("mode"),
      isDevelopment: try object.flag("development"),
      endpoint: try PushEndpoint.optional(in: object),
      registered: try object.instant("registered"))
  }
}

extension TrayAddressing {
  /// Writes the fields into the object that is open; for all devices there is no `devices`.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("devices", devices)
    options.encodeField(into: &writer)
    writer.flag("outlivesResponse", outlivesResponse)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      devices: object.has("devices") ? try object.texts("devices").map { DeviceID($0) } : nil,
      options: try PushOptions(decodingFieldOf: object),
      outlivesResponse: try object.flag("outlivesResponse"))
  }
}

extension TrayResponse {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("action", actionID)
    writer.field("text", text)
    writer.field("device", device)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      actionID: try object.text("action"),
      text: try object.optionalString("text", maximum: .max),
      on: try object.optionalIdentifier("device"))
  }
}

extension TrayEntry {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    notification.encodeFields(into: &writer)
    addressing.encodeFields(into: &writer)
    if let response { writer.object("response") { response.encodeFields(into: &$0) } }
    writer.list("deliveries", deliveries) { delivery, writer in
      writer.object { writer in
        writer.field("device", delivery.key)
        delivery.value.encodeFields(into: &writer)
      }
    }
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    var response: TrayResponse?
    if let given = try object.optionalObject("response") {
      response = try TrayResponse(decoding: given)
    }
    var deliveries: SortedMap<DeviceID, TrayDelivery> = [:]
    for (device, delivery) in try object.objects(
      "deliveries",
      { (delivery) throws(DecodingFlaw) -> (DeviceID, TrayDelivery) in
        (try delivery.identifier("device"), try TrayDelivery(decoding: delivery))
      })
    { deliveries[device] = delivery }
    self.init(
      try RemoteNotification(decoding: object), try TrayAddressing(decoding: object),
      response: response, deliveries: deliveries)
  }
}

extension TrayDelivery {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    if attempts != 0 { writer.field("attempts", attempts) }
    writer.field("nextPush", nextPush)
    writer.flag("pushed", isPushed)
    writer.field("result", result?.rawValue)
    writer.flag("putAway", isPutAway)
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      attempts: try object.optionalInt("attempts", in: 0 ... .max) ?? 0,
      nextPush: try object.optionalInstant("nextPush"),
      isPushed: try object.flag("pushed"), result: try object.optionalChoice("result"),
      isPutAway: try object.flag("putAway"))
  }
}
