import GroupSessions
import JSON
import Vocabulary

extension EndReason {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("reason", word: name)
    switch self {
    case .endedBy(let participant), .dismissedBy(let participant): writer.field("by", participant)
    case .replaced(let session): writer.field("replacedBy", session)
    case .initiatorLeft, .withdrawn, .neverJoined, .empty, .groupClosed, .serverShutdown: break
    }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("reason", among: Name.self) {
    case .endedBy: self = .endedBy(try object.identifier("by", within: .line))
    case .dismissedBy: self = .dismissedBy(try object.identifier("by", within: .line))
    case .initiatorLeft: self = .initiatorLeft
    case .replaced: self = .replaced(by: try object.identifier("replacedBy", within: .line))
    case .withdrawn: self = .withdrawn
    case .neverJoined: self = .neverJoined
    case .empty: self = .empty
    case .groupClosed: self = .groupClosed
    case .serverShutdown: self = .serverShutdown
    }
  }
}
