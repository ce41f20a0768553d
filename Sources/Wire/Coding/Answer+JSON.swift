import GroupSessions
package import JSON
import Playback
import Vocabulary

extension Answer {
  /// Writes the fields into the answer's object; which are there tells what was answered.
  package func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .done(let seq): writer.field("seq", seq)
    case .activated(let session, let isNew, let willDeliver):
      writer.field("session", session)
      writer.field("new", isNew)
      writer.field("willDeliver", willDeliver)
    case .joined(let session, let participant):
      writer.field("session", session)
      writer.field("participant", participant)
    case .suspended(let suspension): writer.field("suspension", suspension)
    case .proposalDropped: writer.field("proposalDropped", true)
    case .noMatchingTrigger: writer.field("noMatchingTrigger", true)
    case .alreadyAnswered: writer.field("alreadyAnswered", true)
    }
  }

  /// Reads what ``encodeFields(into:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    if let participant: ParticipantID = try object.optionalIdentifier("participant", within: .line)
    {
      self = .joined(try object.identifier("session", within: .line), participant)
    } else if let session: SessionID = try object.optionalIdentifier("session", within: .line) {
      self = .activated(
        session, isNew: try object.bool("new"), willDeliver: try object.bool("willDeliver"))
    } else if let suspension = try object.optionalCount("suspension") {
      self = .suspended(suspension)
    } else if try object.flag("proposalDropped") {
      self = .proposalDropped
    } else if try object.flag("noMatchingTrigger") {
      self = .noMatchingTrigger
    } else if try object.flag("alreadyAnswered") {
      self = .alreadyAnswered
    } else {
      self = .done(seq: try object.optionalCount("seq"))
    }
  }
}
