import GroupSessions
package import JSON
import Vocabulary

extension Answer: JSONWritable, Fields {
  /// Writes an object, for the journal.
  package func write(to writer: inout JSONWriter) { put(to: &writer) }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }

  /// Writes the fields into the answer's object; the fields that are present identify the kind of
  /// answer.
  func encodeFields(into writer: inout JSONWriter) {
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
    case .pairing(let code, let until):
      writer.field("code", code)
      writer.field("until", until)
    case .media(let address, let door):
      writer.field("address", address)
      door?.encodeFields(into: &writer)
    case .attachmentBegun(let id): writer.field("attachment", id)
    case .attachmentPart(let part): part.write("data", to: &writer)
    case .alreadyAnswered: writer.field("alreadyAnswered", true)
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    if let participant: ParticipantID = try object.optionalIdentifier("participant", within: bounds)
    {
      self = .joined(try object.identifier("session", within: bounds), participant)
    } else if let session: SessionID = try object.optionalIdentifier("session", within: bounds) {
      self = .activated(
        session, isNew: try object.bool("new"), willDeliver: try object.bool("willDeliver"))
    } else if let suspension = try object.optionalCount("suspension") {
      self = .suspended(suspension)
    } else if let code = try object.optionalString("code", maximum: .max) {
      self = .pairing(code: code, until: try object.instant("until", within: bounds))
    } else if let address = try object.optionalString("address", maximum: .max) {
      self = .media(address: address, at: try MediaDoor(decoding: object))
    } else if let id: AttachmentID = try object.optionalIdentifier("attachment", within: bounds) {
      self = .attachmentBegun(id)
    } else if object.has("data") {
      self = .attachmentPart(try AttachmentPart("data", of: object))
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

extension MediaDoor {
  /// Writes the fields into the answer's object.
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .origin(let origin): writer.field("origin", origin)
    case .port(let port, let isEncrypted):
      writer.field("port", port)
      writer.field("encrypted", isEncrypted)
    }
  }

  /// Reads a door; `nil` if the answer has none.
  fileprivate init?(decoding object: JSONObject) throws(DecodingFlaw) {
    if let origin = try object.optionalString("origin", maximum: .max) {
      self = .origin(origin)
    } else if let port = try object.optionalCount("port") {
      self = .port(port, isEncrypted: try object.bool("encrypted"))
    } else {
      return nil
    }
  }
}

extension ErrorCode: CodedWord {}

extension ProtocolError: JSONWritable, Record {
  /// Writes an object, for the journal.
  package func write(to writer: inout JSONWriter) { put(to: &writer) }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }

  static let layout = Layout(
    ProtocolError.init, RecordField("code", \.code), RecordField("message", \.message),
    RecordField("field", \.field),
    RecordField("limit", \.limit), RecordField("reason", \.reason),
    RecordField("session", \.session),
    RecordField("revision", \.revision), RecordField("seq", \.seq),
    RecordField("retryAfter", \.retryAfter))
}

extension UnknownError {
  /// Writes the fields into the open object.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("code", code)
    writer.field("message", message)
  }

  /// Reads an error; `nil` if its code is known.
  init?(decoding object: JSONObject) throws(DecodingFlaw) {
    let code = try object.string("code", maximum: .max)
    guard ErrorCode(rawValue: code) == nil else { return nil }
    let message = try object.optionalString("message", maximum: .max)
    self.init(code: code, message: message ?? code)
  }
}
