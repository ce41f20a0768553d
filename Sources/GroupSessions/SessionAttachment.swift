package import Vocabulary

/// Data that a participant gives to a session, such as a photo, for everybody who takes part and
/// for those who join later.
///
/// A session lists its attachments. The data itself is neither in the list nor in events; whoever
/// wants it loads it.
package struct SessionAttachment: Equatable, Sendable {
  /// The attachment's identifier, which the server chooses.
  package let id: AttachmentID
  /// The participant who added it, who may have left.
  package let by: ParticipantID
  /// The bytes of the data.
  package let byteCount: Int
  /// What the app says of it, such as its name and type; `null` if it says nothing.
  package let metadata: JSONText

  /// Describes an attachment.
  package init(id: AttachmentID, by: ParticipantID, byteCount: Int, metadata: JSONText) {
    self.id = id
    self.by = by
    self.byteCount = byteCount
    self.metadata = metadata
  }

  /// How many parts its data has.
  package var partCount: Int {
    (byteCount + AttachmentPart.mostBytes - 1) / AttachmentPart.mostBytes
  }

  /// The bytes of one of its parts.
  package func bytes(ofPart number: Int) -> Range<Int> {
    let start = number * AttachmentPart.mostBytes
    return start..<min(start + AttachmentPart.mostBytes, byteCount)
  }

  /// How many bytes it takes as JSON at most.
  package var byteBound: Int {
    Self.fixedBytes + id.byteBound + by.byteBound + byteCount.byteBound + metadata.byteBound
  }

  /// The names of all fields.
  private static let fixedBytes = 48
}

/// A part of an attachment's data, as one line carries it.
package struct AttachmentPart: Equatable, Sendable {
  /// The bytes of each part but the last: 64 KiB as text, after which other messages get their turn.
  package static let mostBytes = 48 * 1024

  package let bytes: [UInt8]

  /// How many bytes it takes as text: four for three.
  package var textBytes: Int { (bytes.count * 4 + 2) / 3 }

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// The attachments of a session, the earliest first.
package struct Attachments: Equatable, Sendable {
  package private(set) var list: [SessionAttachment]
  /// How many bytes they take as JSON at most, without their data.
  private(set) var bytes: Int

  /// No attachments, or those of a snapshot.
  package init(_ list: [SessionAttachment] = []) {
    self.list = list
    bytes = list.reduce(0) { $0 + $1.byteBound }
  }

  package subscript(id: AttachmentID) -> SessionAttachment? { list.first { $0.id == id } }

  mutating func add(_ attachment: SessionAttachment) {
    list.append(attachment)
    bytes += attachment.byteBound
  }

  mutating func remove(_ id: AttachmentID) {
    guard let index = list.firstIndex(where: { $0.id == id }) else { return }
    bytes -= list.remove(at: index).byteBound
  }
}

extension SessionDraft {
  /// Lists an attachment whose data is complete.
  mutating func addAttachment(_ attachment: SessionAttachment) throws(SessionRejection) {
    guard session.attachments[attachment.id] == nil else { return }
    guard session.attachments.list.count < limits.attachments else {
      throw .attachmentsFull(limit: limits.attachments)
    }
    conclude(.attachmentAdded(attachment))
  }

  mutating func removeAttachment(_ id: AttachmentID, by participant: ParticipantID)
    throws(SessionRejection)
  {
    guard session.attachments[id] != nil else { throw .unknownAttachment }
    conclude(.attachmentRemoved(id, by: participant))
  }
}
