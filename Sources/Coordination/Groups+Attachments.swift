import GroupSessions
import Vocabulary
import Wire

// Attachments: their data arrives in parts, then the session lists it, and participants load it part
// by part. One part is asked for at a time, so a pause is never behind more than one line of data.

extension Groups {
  mutating func attachment(
    _ request: AttachmentRequest, in named: SessionID?, _ done: Reply
  ) throws(ProtocolError) {
    guard let (session, participant) = participation(of: done.device),
      named ?? session == session
    else { throw try notJoined(named) }
    switch request {
    case .begin(let byteCount, let metadata):
      try begin(byteCount, metadata, by: participant, in: session, done)
    case .add(let id, let number, let part):
      try add(part, number: number, to: id, by: participant, in: session, done)
    case .remove(let id): try onSession(named, done) { .removeAttachment(id, by: $0) }
    case .load(let id, let number): try load(number, of: id, in: session, done)
    }
  }

  private mutating func begin(
    _ byteCount: Int, _ metadata: JSONText, by participant: ParticipantID,
    in session: SessionID, _ done: Reply
  ) throws(ProtocolError) {
    guard sessions[session]?.session?.permits(participant, .sendMessages) == true else {
      throw ProtocolError(.forbidden, reason: Permission.sendMessages.rawValue)
    }
    guard (1...turn.limits.attachmentBytes).contains(byteCount) else {
      throw ProtocolError(.invalidField, field: "bytes", limit: turn.limits.attachmentBytes)
    }
    try checkRoom(for: byteCount, in: session)
    let attachment = SessionAttachment(
      id: AttachmentID(turn.mintText(prefix: "a")), by: participant, byteCount: byteCount,
      metadata: metadata)
    // It pays for being listed, too, which everybody is told.
    let bytes = Cost.envelope + attachment.byteBound
    let cost = try takeCost(
      ofPassing: bytes, storing: 2 * bytes, isForAll: true, by: done.device, in: session)
    attachments.add(attachment.id)
    count(attachment, of: session)
    perform(
      AttachmentWork(command: .begin(attachment, of: session), reply: done, cost: cost),
      on: attachment.id)
  }

  /// Checks that the session and the server have room for an attachment.
  private func checkRoom(for byteCount: Int, in session: SessionID) throws(ProtocolError) {
    let limits = turn.limits
    let known = sessions[session]?.attachments.value ?? AttachmentCount()
    guard known.ids.count < limits.attachments else {
      throw ProtocolError(.attachmentsFull, limit: limits.attachments)
    }
    guard known.bytes + byteCount <= limits.sessionAttachmentBytes else {
      throw ProtocolError(.attachmentsFull, field: "bytes", limit: limits.sessionAttachmentBytes)
    }
    try checkServer(for: byteCount)
  }

  /// Checks that the server has room for data; only bytes that have arrived count.
  private func checkServer(for byteCount: Int) throws(ProtocolError) {
    let bound = turn.limits.allAttachmentBytes
    guard attachments.byteCount + byteCount <= bound else {
      throw ProtocolError(.attachmentsFull, field: "bytes", limit: bound, reason: "server")
    }
  }

  private mutating func add(
    _ part: AttachmentPart, number: Int, to id: AttachmentID, by participant: ParticipantID,
    in session: SessionID, _ done: Reply
  ) throws(ProtocolError) {
    guard attachments[id]?.state.session == session else { throw ProtocolError(.unknownAttachment) }
    try checkServer(for: part.bytes.count)
    let cost = try takeCost(
      ofKeeping: Cost.envelope + part.textBytes, by: done.device, in: session)
    perform(
      AttachmentWork(
        command: .add(part, number: number, by: participant), reply: done, cost: cost), on: id)
  }

  /// Answers with a part of a listed attachment's data; reads only, and is not remembered.
  private mutating func load(
    _ number: Int, of id: AttachmentID, in session: SessionID, _ done: Reply
  ) throws(ProtocolError) {
    guard let state = attachments[id]?.state, state.session == session, state.isComplete,
      isListed(state)
    else {
      throw ProtocolError(.unknownAttachment)
    }
    guard state.parts.indices.contains(number) else {
      throw ProtocolError(.invalidField, field: "part", limit: state.parts.count - 1)
    }
    let part = state.parts[number]
    if let seat = seats[done.device] {
      let bytes = Cost.passing(0, to: 1) + part.textBytes
      try costs.take(Cost(bytes: bytes, user: seat.payer, address: seat.address), at: turn.now)
    }
    turn.send(.answer(done.id, .attachmentPart(part)), to: done.device)
  }
}

// MARK: Data and list

extension Groups {
  mutating func perform(_ work: AttachmentWork, on id: AttachmentID) {
    perform(work, on: id, AttachmentLanes.self)
  }

  /// Whether the session lists the attachment.
  func isListed(_ state: AttachmentAggregate) -> Bool {
    guard let id = state.attachment?.id, let session = state.session else { return false }
    return sessions[session]?.session?.attachments[id] != nil
  }

  /// Has the session list an attachment whose last part is stored, and answers that.
  ///
  /// After a crash in between, the client sends the last part again.
  mutating func list(_ id: AttachmentID, _ reply: Reply) {
    guard let state = attachments[id]?.state, state.isComplete,
      let attachment = state.attachment, let session = state.session
    else { return }
    perform(SessionWork(command: .command(.addAttachment(attachment)), reply: reply), on: session)
  }

  /// What an attachment's data waits for changed with the session's list.
  mutating func follow(_ event: SessionEvent, of id: AttachmentID) {
    if case .attachmentRemoved = event {
      perform(AttachmentWork(command: .discard), on: id)
    } else {
      arm(id, AttachmentLanes.self)
    }
  }

  /// Discards the data of a session's attachments.
  mutating func discardAttachments(of session: SessionID) {
    guard let known = sessions[session]?.attachments.value else { return }
    for id in known.ids.sorted() { perform(AttachmentWork(command: .discard), on: id) }
  }

  /// Discards data without a session, after a restart or a pause.
  mutating func review(_ id: AttachmentID) {
    guard let session = attachments[id]?.state.session, sessions[session]?.session != nil else {
      return perform(AttachmentWork(command: .discard), on: id)
    }
    arm(id, AttachmentLanes.self)
  }

  mutating func count(_ attachment: SessionAttachment, of session: SessionID) {
    var known = sessions[session]?.attachments.value ?? AttachmentCount()
    known.add(attachment)
    sessions[session]?.attachments = .present(known)
  }

  /// Removes an attachment's lane.
  mutating func uncount(_ attachment: SessionAttachment, of session: SessionID) {
    attachments.remove(attachment.id)
    guard var known = sessions[session]?.attachments.value else { return }
    known.remove(attachment)
    sessions[session]?.attachments = known.ids.isEmpty ? .absent : .present(known)
  }
}
