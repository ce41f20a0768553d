package import GroupSessions
package import JSON
import Vocabulary

/// The kinds of group events, as `"event"` spells them.
package enum GroupEventName: String, Hashable, Sendable, CaseIterable {
  case opened
  case memberJoined
  case memberLeft
  case memberLost
  case memberResumed
  case interrupted
  case sharingSet
  case preferredDeviceSet
  case sessionStarted
  case sessionEnded
  case closed
}

extension GroupEvent: JSONWritable {
  /// Writes an object, for a journal.
  package func write(to writer: inout JSONWriter) {
    writer.object { encodeFields(into: &$0) }
  }

  /// How the event is spelled.
  package var name: GroupEventName {
    switch self {
    case .opened: .opened
    case .memberJoined: .memberJoined
    case .memberLeft: .memberLeft
    case .memberLost: .memberLost
    case .memberResumed: .memberResumed
    case .interrupted: .interrupted
    case .sharingSet: .sharingSet
    case .preferredDeviceSet: .preferredDeviceSet
    case .sessionStarted: .sessionStarted
    case .sessionEnded: .sessionEnded
    case .closed: .closed
    }
  }

  /// Writes the fields into the object that is open.
  package func encodeFields(into writer: inout JSONWriter) {
    writer.field("event", word: name)
    switch self {
    case .opened(let user): writer.field("user", user)
    case .memberJoined(let member): member.encodeFields(into: &writer)
    case .memberLeft(let device, let reason):
      writer.field("device", device)
      writer.field("reason", word: reason)
    case .memberLost(let device, let until):
      writer.field("device", device)
      writer.field("until", until)
    case .memberResumed(let device): writer.field("device", device)
    case .interrupted(let until): writer.field("until", until)
    case .preferredDeviceSet(let user, let device):
      writer.field("user", user)
      writer.field("device", device)
    case .sharingSet(let device, let isSharing):
      writer.field("device", device)
      writer.field("sharing", isSharing)
    case .sessionStarted(let session, let device):
      writer.field("session", session)
      writer.field("device", device)
    case .sessionEnded(let session): writer.field("session", session)
    case .closed: break
    }
  }

  /// Reads what ``encodeFields(into:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("event", among: GroupEventName.self) {
    case .opened: self = .opened(by: try object.identifier("user", within: .line))
    case .memberJoined: self = .memberJoined(try Member(decoding: object))
    case .memberLeft: self = .memberLeft(try object.device(), try object.choice("reason"))
    case .memberLost:
      self = .memberLost(try object.device(), until: try object.instant("until", within: .line))
    case .memberResumed: self = .memberResumed(try object.device())
    case .interrupted:
      self = .interrupted(until: try object.instant("until", within: .line))
    case .preferredDeviceSet:
      self = .preferredDeviceSet(
        try object.identifier("user", within: .line),
        try object.optionalIdentifier("device", within: .line))
    case .sharingSet: self = .sharingSet(try object.device(), try object.bool("sharing"))
    case .sessionStarted:
      self = .sessionStarted(
        try object.identifier("session", within: .line), by: try object.device())
    case .sessionEnded:
      self = .sessionEnded(try object.identifier("session", within: .line))
    case .closed: self = .closed
    }
  }
}

extension JSONObject {
  fileprivate func device() throws(DecodingFlaw) -> DeviceID {
    try identifier("device", within: .line)
  }
}
