import GroupSessions
import Vocabulary
import Wire

/// The lanes of attachments' data.
enum AttachmentLanes: LaneKind {
  typealias State = AttachmentAggregate

  static func stream(_ id: AttachmentID) -> AggregateID { .attachment(id) }
  static func subject(_ id: AttachmentID) -> Groups.Subject { .attachment(id) }
  static var clockAdvanced: AttachmentAggregate.Command { .clockAdvanced }
  static var endsForGood: Bool { true }

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
    guard let state = owner.attachments[id]?.state, !owner.isListed(state) else { return nil }
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
      owner.list(id, reply)
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
    owner.uncount(attachment, of: session)  // Its beginning could not be stored.
  }

  static func reconcile(_ id: AttachmentID, in owner: inout Groups) { owner.review(id) }

  static func removeIfOver(_ id: AttachmentID, in owner: inout Groups) {
    guard let lane = owner.attachments[id], lane.state.isForgettable, !lane.isBusy,
      let attachment = lane.state.attachment, let session = lane.state.session
    else { return }
    owner.uncount(attachment, of: session)
    owner.turn.disarm(.attachment(id))
    owner.turn.say(.output(.forget(.attachment(id))))
  }
}
