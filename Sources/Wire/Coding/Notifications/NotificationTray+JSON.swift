package import JSON
package import UserNotifications
import Vocabulary

extension NotificationTray: Fields {
  /// Writes an object, for the journal; empty values are left out.
  package func write(to writer: inout JSONWriter) { put(to: &writer) }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .journal)
  }

  func encodeFields(into writer: inout JSONWriter) {
    writer.field("user", user)
    writer.field("seq", seq)
    writer.list("installations", Array(installations))
    writer.list("subscriptions", subscriptions.sorted())
    writer.list("entries", Array(entries))
    writer.list("past", past)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      try object.identifier("user", within: bounds), seq: try object.int("seq", in: 0 ... .max),
      installations: try object.optionalList("installations", within: bounds),
      subscriptions: Set(try object.optionalList("subscriptions", within: bounds)),
      entries: try object.optionalList("entries", within: bounds),
      past: try object.optionalList("past", within: bounds))
  }
}

extension TrayEntry: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    notification.encodeFields(into: &writer)
    addressing.encodeFields(into: &writer)
    writer.field("response", response)
    writer.list("deliveries", deliveries.map { DeviceDelivery(device: $0.key, delivery: $0.value) })
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let known: [DeviceDelivery] = try object.optionalList("deliveries", within: bounds)
    var deliveries: SortedMap<DeviceID, TrayDelivery> = [:]
    for one in known { deliveries[one.device] = one.delivery }
    self.init(
      try RemoteNotification(decoding: object, within: bounds),
      try TrayAddressing(decoding: object, within: bounds),
      response: try TrayResponse.optional("response", of: object, within: bounds),
      deliveries: deliveries)
  }
}

/// The state of a notification on a device.
private struct DeviceDelivery: Record {
  let device: DeviceID
  let delivery: TrayDelivery

  static let layout = Layout(
    DeviceDelivery.init, RecordField("device", \.device), RecordField(.open, \.delivery))
}

extension TrayDelivery: Record {
  static let layout = Layout(
    TrayDelivery.init, RecordField("attempts", \.attempts, absent: 0),
    RecordField("nextPush", \.nextPush),
    RecordField(.flag("pushed"), \.isPushed), RecordField("result", \.result),
    RecordField(.flag("putAway"), \.isPutAway))
}
