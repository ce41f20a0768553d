import GroupSessions
import JSON
import Vocabulary

extension LeaveReason {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("reason", word: name)
    switch self {
    case .left, .dismissed, .connectionLost: break
    case .removed(let host, let isBanned):
      writer.field("by", host)
      writer.field("banned", isBanned)
    case .handedOff(let participant): writer.field("to", participant)
    }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("reason", among: Name.self) {
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
