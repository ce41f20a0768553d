import Coordination
import GroupSessions
import JSON
import Vocabulary
import Wire

/// The kinds of attachment events, as spelled in `"event"`.
private enum AttachmentEventName: String, CaseIterable {
  case began, added, discarded
}

extension AttachmentEvent {
  /// Writes a JSON object.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .began(let attachment, let session):
        writer.field("event", AttachmentEventName.began.rawValue)
        writer.field("session", session)
        writer.field("of", attachment)
      case .added(let part):
        writer.field("event", AttachmentEventName.added.rawValue)
        part.write("data", to: &writer)
      case .discarded: writer.field("event", AttachmentEventName.discarded.rawValue)
      }
    }
  }

  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("event", among: AttachmentEventName.self) {
    case .began:
      self = .began(
        try SessionAttachment(decoding: object.object("of")),
        of: SessionID(try object.string("session", maximum: .max)))
    case .added: self = .added(try AttachmentPart("data", of: object))
    case .discarded: self = .discarded
    }
  }
}
