import JSON
package import UserNotifications
import Vocabulary
import Wire

/// The kinds of a tray's events, as `"event"` spells them.
package enum TrayEventName: String, Hashable, Sendable, CaseIterable {
  case registered
  case unregistered
  case subscribed
  case unsubscribed
  case posted
  case pushing
  case pushed
  case pushPostponed
  case pushRefused
  case pushSpared
  case acknowledged
  case putAway
  case responded
  case ended
  case wiped
}

extension TrayEvent {
  /// Writes an object.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("event", name.rawValue)
    switch self {
    case .registered(let installation): installation.encodeFields(into: &writer)
    case .unregistered(let device, let end):
      writer.field("device", device)
      writer.field("reason", end.rawValue)
    case .subscribed(let subscription), .unsubscribed(let subscription):
      subscription.encodeFields(into: &writer)
    case .posted(let notification, let addressing):
      notification.encodeFields(into: &writer)
      addressing.encodeFields(into: &writer)
    case .pushing(let id, let devices, let until):
      writer.field("notification", id)
      writer.field("devices", devices)
      writer.field("until", until)
    case .pushed(let id, let device), .pushRefused(let id, let device),
      .pushSpared(let id, let device), .putAway(let id, let device):
      writer.field("notification", id)
      writer.field("device", device)
    case .pushPostponed(let id, let device, let until):
      writer.field("notification", id)
      writer.field("device", device)
      writer.field("until", until)
    case .acknowledged(let id, let result, let device):
      writer.field("notification", id)
      writer.field("result", result.rawValue)
      writer.field("device", device)
    case .responded(let id, let response):
      writer.field("notification", id)
      response.encodeFields(into: &writer)
    case .ended(let ids, let end):
      writer.notificationIDs(ids)
      writer.field("reason", end.rawValue)
    case .wiped: break
    }
    writer.endObject()
  }

  /// How the event is spelled.
  package var name: TrayEventName {
    switch self {
    case .registered: .registered
    case .unregistered: .unregistered
    case .subscribed: .subscribed
    case .unsubscribed: .unsubscribed
    case .posted: .posted
    case .pushing: .pushing
    case .pushed: .pushed
    case .pushPostponed: .pushPostponed
    case .pushRefused: .pushRefused
    case .pushSpared: .pushSpared
    case .acknowledged: .acknowledged
    case .putAway: .putAway
    case .responded: .responded
    case .ended: .ended
    case .wiped: .wiped
    }
  }
}

extension TrayEvent {
  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    let name = try object.choice("event", among: TrayEventName.self)
    switch name {
    case .registered: self = .registered(try Installation(decoding: object))
    case .unregistered:
      self = .unregistered(try object.identifier("device"), try object.choice("reason"))
    case .subscribed: self = .subscribed(try Subscription(decoding: object))
    case .unsubscribed: self = .unsubscribed(try Subscription(decoding: object))
    case .posted:
      self = .posted(
        try RemoteNotification(decoding: object), try TrayAddressing(decoding: object))
    case .ended: self = .ended(try object.notificationIDs(), try object.choice("reason"))
    case .wiped: self = .wiped
    case .pushing, .pushed, .pushPostponed, .pushRefused, .pushSpared, .acknowledged, .putAway,
      .responded:
      self = try Self.delivery(name, decoding: object)
    }
  }

  /// What became of a notification on a device.
  private static func delivery(
    _ name: TrayEventName, decoding object: JSONObject
  ) throws(DecodingFlaw) -> TrayEvent {
    let id: NotificationID = try object.identifier("notification")
    switch name {
    case .pushing:
      return .pushing(
        id, to: try object.texts("devices").map { DeviceID($0) },
        until: try object.instant("until"))
    case .responded: return .responded(id, try TrayResponse(decoding: object))
    default: break
    }
    let device: DeviceID = try object.identifier("device")
    switch name {
    case .pushed: return .pushed(id, to: device)
    case .pushPostponed:
      return .pushPostponed(id, to: device, until: try object.instant("until"))
    case .pushRefused: return .pushRefused(id, to: device)
    case .pushSpared: return .pushSpared(id, to: device)
    case .acknowledged: return .acknowledged(id, try object.choice("result"), on: device)
    default: return .putAway(id, on: device)
    }
  }
}
