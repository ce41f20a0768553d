import GroupSessions
import JSON
import Vocabulary

/// The reasons for which a participant is gone, as `"reason"` spells them.
package enum LeaveReasonName: String, Hashable, Sendable, CaseIterable {
  case left
  case dismissed
  case removed
  case connectionLost
  case handedOff
}

extension LeaveReason {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .left: writer.field("reason", word: LeaveReasonName.left)
    case .dismissed: writer.field("reason", word: LeaveReasonName.dismissed)
    case .removed(let host, let isBanned):
      writer.field("reason", word: LeaveReasonName.removed)
      writer.field("by", host)
      writer.field("banned", isBanned)
    case .connectionLost: writer.field("reason", word: LeaveReasonName.connectionLost)
    case .handedOff(let participant):
      writer.field("reason", word: LeaveReasonName.handedOff)
      writer.field("to", participant)
    }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("reason", among: LeaveReasonName.self) {
    case .left: self = .left
    case .dismissed: self = .dismissed
    case .removed:
      self = .removed(
        by: try object.identifier("by", within: .line), isBanned: try object.bool("banned"))
    case .connectionLost: self = .connectionLost
    case .handedOff: self = .handedOff(to: try object.identifier("to", within: .line))
    }
  }
}
