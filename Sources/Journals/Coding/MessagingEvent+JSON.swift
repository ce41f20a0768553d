package import InAppMessaging
import JSON
import Vocabulary
import Wire

/// The kinds of a person's events, as `"event"` spells them.
package enum MessagingEventName: String, Hashable, Sendable, CaseIterable {
  case logged
  case seen
  case sessionStarted
  case attributeSet
  case membershipSet
  case collectionSet
  case pausedSet
  case connected
  case lost
  case resumed
  case interrupted
  case reserved
  case fellDue
  case offered
  case waiting
  case started
  case impression
  case clicked
  case ended
  case lapsed
  case failuresForgotten
  case forgotten
  case wiped
}

extension MessagingEvent {
  /// Writes an object.
  ///
  /// There are many of these, so what they mostly say is left out.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("event", name.rawValue)
    switch self {
    case .logged(let identity): identity.encodeFields(into: &writer)
    case .attributeSet(let key, let value):
      writer.field("key", key)
      writer.field("value", value)
    case .membershipSet(let list, let isMember):
      writer.field("list", list)
      writer.field("member", isMember)
    case .collectionSet(let collects): writer.field("collecting", collects)
    case .pausedSet(let isPaused): writer.field("paused", isPaused)
    case .connected(let device, let epoch):
      writer.field("device", device)
      writer.field("epoch", Int64(bitPattern: epoch))
    case .lost(let device, let until):
      writer.field("device", device)
      writer.field("until", until)
    case .resumed(let device): writer.field("device", device)
    case .interrupted(let until): writer.field("until", until)
    case .reserved(let delivery):
      writer.name("delivery")
      delivery.write(to: &writer)
    case .fellDue(let message), .waiting(let message), .started(let message),
      .impression(let message):
      writer.field("message", message)
    case .offered(let message, let device):
      writer.field("message", message)
      writer.field("device", device)
    case .clicked(let message, let button):
      writer.field("message", message)
      writer.field("button", button)
    case .ended(let message, let outcome):
      writer.field("message", message)
      outcome.encodeFields(into: &writer)
    case .lapsed(let message, let reason):
      writer.field("message", message)
      writer.field("reason", reason.rawValue)
    case .forgotten(let campaign): writer.field("campaign", campaign)
    case .seen, .sessionStarted, .failuresForgotten, .wiped: break
    }
    writer.endObject()
  }

  /// How the event is spelled.
  package var name: MessagingEventName {
    switch self {
    case .logged: .logged
    case .seen: .seen
    case .sessionStarted: .sessionStarted
    case .attributeSet: .attributeSet
    case .membershipSet: .membershipSet
    case .collectionSet: .collectionSet
    case .pausedSet: .pausedSet
    case .connected: .connected
    case .lost: .lost
    case .resumed: .resumed
    case .interrupted: .interrupted
    case .reserved: .reserved
    case .fellDue: .fellDue
    case .offered: .offered
    case .waiting: .waiting
    case .started: .started
    case .impression: .impression
    case .clicked: .clicked
    case .ended: .ended
    case .lapsed: .lapsed
    case .failuresForgotten: .failuresForgotten
    case .forgotten: .forgotten
    case .wiped: .wiped
    }
  }
}

extension MessagingEvent {
  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    let name = try object.choice("event", among: MessagingEventName.self)
    switch name {
    case .logged: self = .logged(try EventIdentity(decoding: object))
    case .seen: self = .seen
    case .sessionStarted: self = .sessionStarted
    case .attributeSet:
      let key = try object.text("key")
      guard let value = object.optionalValue("value") else {
        self = .attributeSet(key, nil)
        return
      }
      self = .attributeSet(key, try PropertyValue(decoding: value))
    case .membershipSet:
      self = .membershipSet(list: try object.text("list"), try object.bool("member"))
    case .collectionSet: self = .collectionSet(try object.bool("collecting"))
    case .pausedSet: self = .pausedSet(try object.bool("paused"))
    case .connected:
      self = .connected(
        try object.identifier("device"), epoch: UInt64(bitPattern: try object.int64("epoch")))
    case .lost:
      self = .lost(try object.identifier("device"), until: try object.instant("until"))
    case .resumed: self = .resumed(try object.identifier("device"))
    case .interrupted: self = .interrupted(until: try object.instant("until"))
    case .failuresForgotten: self = .failuresForgotten
    case .forgotten: self = .forgotten(try object.identifier("campaign"))
    case .wiped: self = .wiped
    case .reserved: self = .reserved(try Delivery(decoding: object.object("delivery")))
    case .fellDue, .offered, .waiting, .started, .impression, .clicked, .ended, .lapsed:
      self = try Self.delivery(name, decoding: object)
    }
  }

  /// What became of a delivery.
  private static func delivery(
    _ name: MessagingEventName, decoding object: JSONObject
  ) throws(DecodingFlaw) -> MessagingEvent {
    let message: MessageID = try object.identifier("message")
    switch name {
    case .fellDue: return .fellDue(message)
    case .offered: return .offered(message, to: try object.identifier("device"))
    case .waiting: return .waiting(message)
    case .started: return .started(message)
    case .impression: return .impression(message)
    case .clicked:
      return .clicked(message, button: try object.optionalString("button", maximum: .max))
    case .ended: return .ended(message, try InAppMessage.Outcome(decoding: object))
    default: return .lapsed(message, try object.choice("reason"))
    }
  }
}

extension EventIdentity {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    source.encodeField(into: &writer)
    writer.field("sequence", sequence)
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(try EventSource(decodingFieldOf: object), try object.int("sequence"))
  }
}

extension EventSource {
  /// Writes a field that is named after what it is.
  func encodeField(into writer: inout JSONWriter) {
    switch self {
    case .client(let device): writer.field("client", device)
    case .participant(let participant): writer.field("participant", participant)
    }
  }

  /// Reads what ``encodeField(into:)`` writes.
  init(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    if let participant: ParticipantID = try object.optionalIdentifier("participant") {
      self = .participant(participant)
    } else {
      self = .client(try object.identifier("client"))
    }
  }
}
