package import JSON
package import UserNotifications
import Vocabulary

extension TrayEvent: Tagged, Fields {
  static let tag = "event"

  static let cases = CaseTable<TrayEvent>(
    Cases.registered, Cases.unregistered, Cases.subscribed, Cases.unsubscribed, Cases.posted,
    Cases.pushing, Cases.pushed, Cases.pushPostponed, Cases.pushRefused, Cases.pushSpared,
    Cases.acknowledged, Cases.putAway, Cases.responded, Cases.ended, Cases.wiped)

  private enum Cases {
    static let registered = Case("registered", TrayEvent.registered, .open)
    static let unregistered = Case("unregistered", TrayEvent.unregistered, "device", "reason")
    static let subscribed = Case("subscribed", TrayEvent.subscribed, .open)
    static let unsubscribed = Case("unsubscribed", TrayEvent.unsubscribed, .open)
    static let posted = Case("posted", TrayEvent.posted, .open, .open)
    static let pushing = Case("pushing", TrayEvent.pushing, "notification", "devices", "until")
    static let pushed = Case("pushed", TrayEvent.pushed, "notification", "device")
    static let pushPostponed = Case(
      "pushPostponed", TrayEvent.pushPostponed, "notification", "device", "until")
    static let pushRefused = Case("pushRefused", TrayEvent.pushRefused, "notification", "device")
    static let pushSpared = Case("pushSpared", TrayEvent.pushSpared, "notification", "device")
    static let acknowledged = Case(
      "acknowledged", TrayEvent.acknowledged, "notification", "result", "device")
    static let putAway = Case("putAway", TrayEvent.putAway, "notification", "device")
    static let responded = Case("responded", TrayEvent.responded, "notification", .open)
    static let ended = Case("ended", TrayEvent.ended, "notifications", "reason")
    static let wiped = Case("wiped", TrayEvent.wiped)
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .registered(let installation): Cases.registered.write(installation, to: &writer)
    case .unregistered(let device, let end): Cases.unregistered.write((device, end), to: &writer)
    case .subscribed(let subscription): Cases.subscribed.write(subscription, to: &writer)
    case .unsubscribed(let subscription): Cases.unsubscribed.write(subscription, to: &writer)
    case .posted(let notification, let addressing):
      Cases.posted.write((notification, addressing), to: &writer)
    case .pushing(let id, let devices, let until):
      Cases.pushing.write((id, devices, until), to: &writer)
    case .pushed(let id, let device): Cases.pushed.write((id, device), to: &writer)
    case .pushPostponed(let id, let device, let until):
      Cases.pushPostponed.write((id, device, until), to: &writer)
    case .pushRefused(let id, let device): Cases.pushRefused.write((id, device), to: &writer)
    case .pushSpared(let id, let device): Cases.pushSpared.write((id, device), to: &writer)
    case .acknowledged(let id, let result, let device):
      Cases.acknowledged.write((id, result, device), to: &writer)
    case .putAway(let id, let device): Cases.putAway.write((id, device), to: &writer)
    case .responded(let id, let response): Cases.responded.write((id, response), to: &writer)
    case .ended(let ids, let end): Cases.ended.write((ids, end), to: &writer)
    case .wiped: Cases.wiped.write(to: &writer)
    }
  }

  /// Writes an object, for the journal.
  package func write(to writer: inout JSONWriter) { put(to: &writer) }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .journal)
  }
}

extension InstallationEnd: CodedWord {}
extension TrayEntryEnd: CodedWord {}

extension Installation: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("device", device)
    writer.field("mode", word: mode)
    writer.flag("development", isDevelopment)
    endpoint?.encodeFields(into: &writer)
    writer.field("registered", registered)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      device: try object.identifier("device", within: bounds), mode: try object.choice("mode"),
      isDevelopment: try object.flag("development"),
      endpoint: try PushEndpoint.optional(.open, of: object, within: bounds),
      registered: try object.instant("registered", within: bounds))
  }
}

extension TrayAddressing: Record {
  static let layout = Layout(
    TrayAddressing.init, RecordField("devices", \.devices), RecordField("options", \.options),
    RecordField(.flag("outlivesResponse"), \.outlivesResponse))
}

extension TrayResponse: Record {
  static let layout = Layout(
    TrayResponse.init, RecordField("action", \.actionID), RecordField("text", \.text),
    RecordField("device", \.device))
}
