package import Vocabulary

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
