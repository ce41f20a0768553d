package import GroupSessions
package import Vocabulary
import Wire

/// What happened to an attachment's data.
package enum AttachmentEvent: Equatable, Sendable {
  indirect case began(SessionAttachment, of: SessionID)
  indirect case added(AttachmentPart)
  /// The data is of no use any more.
  case discarded
}

/// The data of an attachment, which arrives in parts.
///
/// It has a stream of its own in the journal, so that neither a session's events nor its snapshots
/// contain it. Once it is complete the session lists it, and until then it waits for its next part
/// only so long.
struct AttachmentAggregate: Aggregate {
  enum Command: Sendable {
    indirect case begin(SessionAttachment, of: SessionID)
    /// Adds the part with this number, from 0.
    indirect case add(AttachmentPart, number: Int, by: ParticipantID)
    case discard
    case clockAdvanced
  }

  struct Conditions {
    /// Until when it waits for its next part; `nil` if its session lists it.
    let deadline: Instant?
  }

  private(set) var seq = 0
  private(set) var attachment: SessionAttachment?
  private(set) var session: SessionID?
  private(set) var parts: [AttachmentPart] = []
  /// The bytes that have arrived.
  private(set) var byteCount = 0
  private(set) var isForgettable = false
  /// When the last part came.
  private var lastAt: Instant?

  init() {}

  /// Restores an attachment from a journal.
  init(_ stream: RecordedStream) {
    for record in stream.events {
      if case .attachment(let event) = record.event { evolve(event, at: record.at) }
    }
  }

  var isComplete: Bool { attachment.map { parts.count == $0.partCount } ?? false }

  /// Until when it waits for its next part.
  func deadline(_ limits: Limits) -> Instant? { lastAt.map { $0 + limits.attachmentWait } }

  func decide(
    _ work: AttachmentWork, at now: Instant, under conditions: Conditions
  ) throws(ProtocolError) -> Decision<AttachmentEvent, Never> {
    switch work.command {
    case .begin(let attachment, let session):
      return Decision(
        events: [.began(attachment, of: session)], answer: .attachmentBegun(attachment.id))
    case .add(let part, let number, let participant):
      let events = try add(part, number: number, by: participant)
      // The last part is answered once the session lists the attachment.
      let isLast = parts.count + events.count == attachment?.partCount
      return Decision(events: events, answer: isLast ? nil : .done(seq: nil))
    case .discard: return Decision(events: isForgettable ? [] : [.discarded])
    case .clockAdvanced:
      guard !isForgettable, let deadline = conditions.deadline, deadline <= now else {
        return Decision(events: [])
      }
      return Decision(events: [.discarded])
    }
  }

  /// A part that is here already changes nothing.
  private func add(_ part: AttachmentPart, number: Int, by participant: ParticipantID)
    throws(ProtocolError) -> [AttachmentEvent]
  {
    guard let attachment, !isForgettable, attachment.by == participant else {
      throw ProtocolError(.unknownAttachment)
    }
    guard number >= parts.count else { return [] }
    guard number == parts.count, number < attachment.partCount else {
      throw ProtocolError(.invalidField, field: "part", limit: parts.count)
    }
    let expected = attachment.bytes(ofPart: number).count
    guard part.bytes.count == expected else {
      throw ProtocolError(.invalidField, field: "data", limit: expected)
    }
    return [.added(part)]
  }

  mutating func evolve(_ event: AttachmentEvent, at now: Instant) {
    seq += 1
    lastAt = now
    switch event {
    case .began(let attachment, let session):
      self.attachment = attachment
      self.session = session
    case .added(let part):
      parts.append(part)
      byteCount += part.bytes.count
    case .discarded:
      isForgettable = true
      parts = []
      byteCount = 0
    }
  }

  /// The session knows which of them it lists.
  static func isFoundAnew(_ command: Command) -> Bool { true }

  static func recorded(_ event: AttachmentEvent) -> AggregateEvent { .attachment(event) }

  static func event(in recorded: AggregateEvent) -> AttachmentEvent? {
    if case .attachment(let event) = recorded { event } else { nil }
  }

  static func weight(of event: AttachmentEvent) -> Int {
    if case .added(let part) = event { part.bytes.count * 4 / 3 } else { 256 }
  }
}

typealias AttachmentWork = Work<AttachmentAggregate.Command>

/// The data of all attachments, those that are still arriving among them.
struct AttachmentStore: Sendable {
  private(set) var lanes = PagedTable<AttachmentID, Lane<AttachmentAggregate>>()
  private var sessions: [SessionID: AttachmentCount] = [:]
  /// How many bytes have arrived.
  private(set) var byteCount = 0

  subscript(id: AttachmentID) -> Lane<AttachmentAggregate>? { lanes[id] }

  /// A session's attachments, in the order of their identifiers.
  func attachments(of session: SessionID) -> [AttachmentID] {
    sessions[session]?.ids.sorted() ?? []
  }

  /// Checks that a session and the server have room for an attachment.
  func checkRoom(for byteCount: Int, in session: SessionID, _ limits: Limits)
    throws(ProtocolError)
  {
    let known = sessions[session] ?? AttachmentCount()
    guard known.ids.count < limits.attachments else {
      throw ProtocolError(.attachmentsFull, limit: limits.attachments)
    }
    guard known.bytes + byteCount <= limits.sessionAttachmentBytes else {
      throw ProtocolError(.attachmentsFull, field: "bytes", limit: limits.sessionAttachmentBytes)
    }
    try checkRoom(for: byteCount, limits)
  }

  /// Checks that the server has room for data; only bytes that have arrived count.
  func checkRoom(for byteCount: Int, _ limits: Limits) throws(ProtocolError) {
    let bound = limits.allAttachmentBytes
    guard self.byteCount + byteCount <= bound else {
      throw ProtocolError(.attachmentsFull, field: "bytes", limit: bound, reason: "server")
    }
  }

  /// Adds one that begins, or one that the journal has kept.
  mutating func add(
    _ attachment: SessionAttachment, of session: SessionID,
    _ state: AttachmentAggregate = AttachmentAggregate()
  ) {
    lanes[attachment.id] = Lane(state)
    byteCount += state.byteCount
    sessions[session, default: AttachmentCount()].add(attachment)
  }

  mutating func remove(_ attachment: SessionAttachment, of session: SessionID) {
    byteCount -= lanes[attachment.id]?.state.byteCount ?? 0
    lanes[attachment.id] = nil
    sessions[session]?.remove(attachment)
    if sessions[session]?.ids.isEmpty == true { sessions[session] = nil }
  }

  /// Changes an attachment's lane and data.
  ///
  /// - Returns: what the body returns; `nil` if the attachment is unknown.
  @discardableResult
  mutating func change<Result>(
    _ id: AttachmentID, _ body: (inout Lane<AttachmentAggregate>) -> Result
  ) -> Result? {
    let before = lanes[id]?.state.byteCount ?? 0
    let result = lanes.change(id) { $0?.change(body) }
    byteCount += (lanes[id]?.state.byteCount ?? 0) - before
    return result
  }
}

/// How many attachments a session has, those that are still arriving among them, and how large they
/// are.
private struct AttachmentCount: Sendable {
  private(set) var ids: Set<AttachmentID> = []
  private(set) var bytes = 0

  mutating func add(_ attachment: SessionAttachment) {
    if ids.insert(attachment.id).inserted { bytes += attachment.byteCount }
  }

  mutating func remove(_ attachment: SessionAttachment) {
    if ids.remove(attachment.id) != nil { bytes -= attachment.byteCount }
  }
}
