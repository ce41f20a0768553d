package import GroupSessions
package import JSON
import Vocabulary

extension AttachmentRequest: Tagged {
  static let tag = "type"

  static let cases = CaseTable<AttachmentRequest>(Cases.begin, Cases.add, Cases.remove, Cases.load)

  private enum Cases {
    static let begin = Case("addAttachment", AttachmentRequest.begin, "bytes", .metadata)
    static let add = Case("addAttachmentPart", AttachmentRequest.add, "attachment", "part", "data")
    static let remove = Case("removeAttachment", AttachmentRequest.remove, "attachment")
    static let load = Case("loadAttachment", AttachmentRequest.load, "attachment", "part")
  }

  func encodeFields(_ head: RequestHead, into writer: inout JSONWriter) {
    switch self {
    case .begin(let bytes, let metadata): Cases.begin.write((bytes, metadata), head, to: &writer)
    case .add(let id, let number, let part): Cases.add.write((id, number, part), head, to: &writer)
    case .remove(let id): Cases.remove.write(id, head, to: &writer)
    case .load(let id, let number): Cases.load.write((id, number), head, to: &writer)
    }
  }
}

extension Field<JSONText> {
  fileprivate static var metadata: Self { .bounded("metadata", by: \.attachmentMetadataBytes) }
}

extension AttachmentPart: FieldElement {
  /// Reads a text in Base64 for URLs, without `=`.
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    let text = try value.string(maximum: Self.mostTextBytes)
    guard let bytes = Base64URL.bytes(of: text) else {
      throw value.outOfRange(allowed: "Base64 for URLs without '='")
    }
    self.init(bytes)
  }

  func put(to writer: inout JSONWriter) { writer.string(Base64URL.text(of: bytes)) }
}

extension AttachmentPart {
  /// The characters of the longest part: four for three bytes.
  private static let mostTextBytes = (mostBytes * 4 + 2) / 3

  /// Reads what ``put(to:)`` writes, from a field of an object.
  package init(_ name: String, of object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object.value(name), .plain, within: .line)
  }

  /// Writes a field.
  package func write(_ name: String, to writer: inout JSONWriter) {
    write(Field(name), to: &writer)
  }
}

extension SessionAttachment: Record, JSONWritable {
  /// Writes an object, for the journal.
  package func write(to writer: inout JSONWriter) { put(to: &writer) }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }

  static let layout = Layout(
    SessionAttachment.init, RecordField("attachment", \.id), RecordField("by", \.by),
    RecordField("bytes", \.byteCount), RecordField(.metadata, \.metadata))
}
