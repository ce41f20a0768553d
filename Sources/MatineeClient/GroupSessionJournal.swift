import GroupSessions
public import Vocabulary
import Wire

/// Data that participants give to a session, for everybody who takes part and for those who join
/// later; the counterpart of GroupActivities' `GroupSessionJournal`.
///
/// Messages of a ``GroupSessionMessenger`` reach those who are there; an attachment stays until
/// somebody removes it or the session ends. Everybody is told of the list at once, and loads the data
/// of an attachment when it is wanted.
public struct GroupSessionJournal: Sendable {
  private let core: SessionCore
  private let client: GroupWatchClient

  /// Makes the journal of a session.
  public init<Activity: GroupActivity>(session: GroupSession<Activity>) {
    core = session.core
    client = session.client
  }

  /// The largest attachment in bytes, unless the server has another limit.
  public static var maximumBytes: Int { Limits().attachmentBytes }

  /// The session's attachments, the earliest first, and their changes.
  public var attachments: Observed<[Attachment]> { core.attachments }

  /// Adds data, and returns once every part is stored.
  ///
  /// If the task is cancelled, nothing more is sent, and the server discards what has arrived after a
  /// minute.
  ///
  /// - Throws: ``GroupWatchError/Code/payloadTooLarge`` if it is larger than the server takes,
  ///   ``GroupWatchError/Code/attachmentsFull`` if the session has no room,
  ///   ``GroupWatchError/Code/unknownAttachment`` if the connection was lost for so long that the
  ///   server gave up waiting, ``GroupWatchError/Code/cancelled`` if the task is cancelled.
  @discardableResult
  public func add(_ data: [UInt8]) async throws(GroupWatchError) -> Attachment {
    try await add(data, describedBy: JSONText(validated: "null"))
  }

  /// Adds data with a description, which everybody reads without loading the data.
  ///
  /// - Parameters:
  ///   - data: the bytes; see ``maximumBytes``.
  ///   - metadata: for example a name and a type; at most 1 KiB as JSON.
  @discardableResult
  public func add<Metadata: Encodable & Sendable>(
    _ data: [UInt8], metadata: Metadata
  ) async throws(GroupWatchError) -> Attachment {
    try await add(data, describedBy: try PayloadCoding.encode(metadata))
  }

  private func add(
    _ data: [UInt8], describedBy metadata: JSONText
  ) async throws(GroupWatchError) -> Attachment {
    guard !data.isEmpty else {
      throw GroupWatchError(
        .invalidField, "an attachment has at least one byte", advice: "send a message instead")
    }
    let begun = try await ask(.begin(bytes: data.count, metadata: metadata))
    guard case .attachmentBegun(let id) = begun, let me = core.local.current?.id else {
      throw .closedSession
    }
    let attachment = SessionAttachment(
      id: id, by: me, byteCount: data.count, metadata: metadata)
    // One part after the other, so that a pause is never behind more than one of them.
    for number in 0..<attachment.partCount {
      if Task.isCancelled { throw .cancelled }
      let part = AttachmentPart(Array(data[attachment.bytes(ofPart: number)]))
      try await ask(.add(id, part: number, part))
    }
    return Attachment(attachment)
  }

  /// Removes an attachment for everybody.
  ///
  /// A participant's own; those of others only if the ``ControlPolicy`` allows the participant to
  /// change the queue.
  public func remove(attachment: Attachment) async throws(GroupWatchError) {
    try await ask(.remove(attachment.id))
  }

  /// Loads an attachment's data.
  ///
  /// - Throws: ``GroupWatchError/Code/unknownAttachment`` if it was removed,
  ///   ``GroupWatchError/Code/cancelled`` between two parts if the task is cancelled.
  public func load(_ attachment: Attachment) async throws(GroupWatchError) -> [UInt8] {
    // Grows with what comes, because the size is only what the server says.
    var data: [UInt8] = []
    for number in 0..<attachment.value.partCount {
      if Task.isCancelled { throw .cancelled }
      guard case .attachmentPart(let part) = try await ask(.load(attachment.id, part: number))
      else { throw .closedSession }
      guard part.bytes.count == attachment.value.bytes(ofPart: number).count else {
        throw GroupWatchError(
          .invalidField, "the server sent a part of another length than the list says",
          advice: "load the attachment again")
      }
      data += part.bytes
    }
    return data
  }

  @discardableResult
  private func ask(_ request: AttachmentRequest) async throws(GroupWatchError) -> Answer {
    try await client.ask(.attachment(core.id, request), of: core)
  }
}

extension GroupSessionJournal {
  /// An attachment of a session, without its data; see ``GroupSessionJournal/load(_:)``.
  public struct Attachment: Hashable, Identifiable, Sendable {
    /// Its identifier, which the server chose.
    public let id: AttachmentID
    /// The participant who added it, who may have left.
    public let source: ParticipantID
    /// The bytes of its data.
    public let byteCount: Int
    /// Its description as JSON; `null` if it has none.
    public let metadata: JSONText

    init(_ attachment: SessionAttachment) {
      id = attachment.id
      source = attachment.by
      byteCount = attachment.byteCount
      metadata = attachment.metadata
    }

    fileprivate var value: SessionAttachment {
      SessionAttachment(id: id, by: source, byteCount: byteCount, metadata: metadata)
    }

    /// Its description.
    ///
    /// - Throws: an error if the description has another form.
    public func loadMetadata<Metadata: Decodable>(
      of type: Metadata.Type = Metadata.self
    ) throws(GroupWatchError) -> Metadata {
      try PayloadCoding.decode(type, from: metadata)
    }
  }
}
