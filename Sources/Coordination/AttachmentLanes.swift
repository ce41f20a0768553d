import GroupSessions
import Vocabulary
import Wire

/// The lanes of attachments' data, and what is asked of it.
///
/// The data arrives in parts; then the session lists it, and participants load it. A participant asks
/// for one part at a time, so that a pause of playback waits behind one line of data at most.
enum AttachmentLanes: LaneKind {
  typealias State = AttachmentAggregate

  static func stream(_ id: AttachmentID) -> AggregateID { .attachment(id) }
  static func subject(_ id: AttachmentID) -> Groups.Subject { .attachment(id) }
  static var clockAdvanced: AttachmentAggregate.Command { .clockAdvanced }

  static func change<Result>(
    _ id: AttachmentID, in owner: inout Groups,
    _ body: (inout Lane<AttachmentAggregate>) -> Result
  ) -> Result? {
    owner.attachments.change(id, body)
  }

  static func conditions(
    for command: AttachmentAggregate.Command, of id: AttachmentID,
    after draft: AttachmentAggregate?, in owner: Groups
  ) -> AttachmentAggregate.Conditions {
    AttachmentAggregate.Conditions(deadline: nextDeadline(of: id, in: owner))
  }

  static func nextDeadline(of id: AttachmentID, in owner: Groups) -> Instant? {
    guard let state = owner.attachments[id]?.state, !isListed(state, in: owner) else { return nil }
    return state.deadline(owner.turn.limits)
  }

  static func apply(
    _ event: AttachmentEvent, at instant: Instant, to id: AttachmentID, in owner: inout Groups
  ) {
    owner.attachments.change(id) { $0.evolve(event, at: instant) }
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: AttachmentID, in owner: inout Groups
  ) {
    if step.events.isEmpty { owner.giveBackCost(of: decided.work) }
    if let answer = step.answer {
      owner.turn.tell(answer)
    } else if let reply = decided.work.reply {
      list(id, reply, in: &owner)
    }
  }

  static func fail(
    _ work: AttachmentWork, _ error: ProtocolError, _ answer: RecordedAnswer?,
    on id: AttachmentID, in owner: inout Groups
  ) {
    owner.giveBackCost(of: work)
    owner.turn.refuse(work.reply, error, answer)
  }

  static func miss(_ work: AttachmentWork, on id: AttachmentID, in owner: inout Groups) {
    fail(work, ProtocolError(.unknownAttachment), nil, on: id, in: &owner)
  }

  /// Attachments have no snapshots.
  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: AttachmentID,
    in owner: inout Groups
  ) {}

  static func pause(
    without works: [AttachmentWork], on id: AttachmentID, in owner: inout Groups
  ) {
    guard owner.attachments[id]?.state.attachment == nil,
      case .begin(let attachment, let session)? = works.first?.command
    else { return }
    owner.attachments.remove(attachment, of: session)  // Its beginning could not be stored.
  }

  static func reconcile(_ id: AttachmentID, in owner: inout Groups) {
    review(id, in: &owner)
  }

  static func removeIfOver(_ id: AttachmentID, in owner: inout Groups) {
    guard let lane = owner.attachments[id], lane.state.isForgettable, !lane.isBusy,
      let attachment = lane.state.attachment, let session = lane.state.session
    else { return }
    owner.attachments.remove(attachment, of: session)
    owner.turn.disarm(.attachment(id))
    owner.turn.say(.output(.forget(.attachment(id))))
  }
}

// MARK: Requests

extension AttachmentLanes {
  /// Handles a participant's request.
  static func handle(
    _ request: AttachmentRequest, in named: SessionID?, _ done: Reply, in owner: inout Groups
  ) throws(ProtocolError) {
    guard owner.seats[done.device]?.isSpectator != true else {
      throw ProtocolError(.notJoined, reason: "audience")
    }
    guard let (session, participant) = owner.participation(of: done.device),
      named ?? session == session
    else { throw owner.rooms.notJoined(named) }
    switch request {
    case .begin(let byteCount, let metadata):
      try begin(byteCount, metadata, by: participant, in: session, done, &owner)
    case .add(let id, let number, let part):
      try add(part, number: number, to: id, by: participant, in: session, done, &owner)
    case .remove(let id): try owner.onSession(named, done) { .removeAttachment(id, by: $0) }
    case .load(let id, let number): try load(number, of: id, in: session, done, &owner)
    }
  }

  private static func begin(
    _ byteCount: Int, _ metadata: JSONText, by participant: ParticipantID,
    in session: SessionID, _ done: Reply, _ owner: inout Groups
  ) throws(ProtocolError) {
    let limits = owner.turn.limits
    guard owner.rooms.sessions[session]?.session?.permits(participant, .sendMessages) == true else {
      throw ProtocolError(.forbidden, reason: Permission.sendMessages.rawValue)
    }
    guard (1...limits.attachmentBytes).contains(byteCount) else {
      throw ProtocolError(.invalidField, field: "bytes", limit: limits.attachmentBytes)
    }
    try owner.attachments.checkRoom(for: byteCount, in: session, limits)
    let attachment = SessionAttachment(
      id: AttachmentID(owner.turn.mintText(prefix: "a")), by: participant, byteCount: byteCount,
      metadata: metadata)
    // It pays for being listed, too, which everybody is told.
    let bytes = Cost.envelope + attachment.byteBound
    let cost = try owner.takeCost(
      ofPassing: bytes, storing: 2 * bytes, isForAll: true, by: done.device, in: session)
    owner.attachments.add(attachment, of: session)
    owner.perform(
      AttachmentWork(command: .begin(attachment, of: session), reply: done, cost: cost),
      on: attachment.id)
  }

  private static func add(
    _ part: AttachmentPart, number: Int, to id: AttachmentID, by participant: ParticipantID,
    in session: SessionID, _ done: Reply, _ owner: inout Groups
  ) throws(ProtocolError) {
    guard owner.attachments[id]?.state.session == session else {
      throw ProtocolError(.unknownAttachment)
    }
    try owner.attachments.checkRoom(for: part.bytes.count, owner.turn.limits)
    let cost = try owner.takeCost(
      ofKeeping: Cost.envelope + part.textBytes, by: done.device, in: session)
    owner.perform(
      AttachmentWork(
        command: .add(part, number: number, by: participant), reply: done, cost: cost), on: id)
  }

  /// Answers with a part of a listed attachment's data; reads only, and is not remembered.
  private static func load(
    _ number: Int, of id: AttachmentID, in session: SessionID, _ done: Reply,
    _ owner: inout Groups
  ) throws(ProtocolError) {
    guard let state = owner.attachments[id]?.state, state.session == session, state.isComplete,
      isListed(state, in: owner)
    else {
      throw ProtocolError(.unknownAttachment)
    }
    guard state.parts.indices.contains(number) else {
      throw ProtocolError(.invalidField, field: "part", limit: state.parts.count - 1)
    }
    let part = state.parts[number]
    if let seat = owner.seats[done.device] {
      try owner.take(Cost.passing(0, to: 1) + part.textBytes, from: seat)
    }
    owner.turn.send(.answer(done.id, .attachmentPart(part)), to: done.device)
  }
}

// MARK: Data and list

extension AttachmentLanes {
  /// Whether the session lists the attachment.
  private static func isListed(_ state: AttachmentAggregate, in owner: Groups) -> Bool {
    guard let id = state.attachment?.id, let session = state.session else { return false }
    return owner.rooms.sessions[session]?.session?.attachments[id] != nil
  }

  /// Has the session list an attachment whose last part is stored, and answers that.
  ///
  /// After a crash in between, the client sends the last part again.
  private static func list(_ id: AttachmentID, _ reply: Reply, in owner: inout Groups) {
    guard let state = owner.attachments[id]?.state, state.isComplete,
      let attachment = state.attachment, let session = state.session
    else { return }
    owner.perform(
      SessionWork(command: .command(.addAttachment(attachment)), reply: reply), on: session)
  }

  /// Discards the data if its session no longer lists it; otherwise updates the deadline, because a
  /// listed attachment has none.
  static func follow(_ event: SessionEvent, of id: AttachmentID, in owner: inout Groups) {
    if case .attachmentRemoved = event {
      owner.perform(AttachmentWork(command: .discard), on: id)
    } else {
      owner.arm(id, AttachmentLanes.self)
    }
  }

  /// Discards the data of a session's attachments.
  static func discardAll(of session: SessionID, in owner: inout Groups) {
    for id in owner.attachments.attachments(of: session) {
      owner.perform(AttachmentWork(command: .discard), on: id)
    }
  }

  /// Discards the data if its session is gone, after a restart or a failed append; otherwise arms its
  /// deadline.
  static func review(_ id: AttachmentID, in owner: inout Groups) {
    guard let session = owner.attachments[id]?.state.session,
      owner.rooms.sessions[session]?.session != nil
    else { return owner.perform(AttachmentWork(command: .discard), on: id) }
    owner.arm(id, AttachmentLanes.self)
  }
}

extension Groups {
  mutating func perform(_ work: AttachmentWork, on id: AttachmentID) {
    perform(work, on: id, AttachmentLanes.self)
  }
}
