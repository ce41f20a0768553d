import GroupSessions
import Vocabulary
import Wire

// What a journal has of groups and sessions, before the first connection.

extension Groups {
  /// Restores the state from a journal, before the first connection.
  ///
  /// Every device counts as disconnected, with the usual grace period.
  mutating func restore(_ recovery: Recovery, _ attachments: [Attachment]) {
    for ending in recovery.endings {
      tombstones.add(ending.session, ending.reason, limit: turn.limits.tombstones)
    }
    seats.reserve(attachments.count)
    groups.reserve(recovery.groups.count)
    sessions.reserve(recovery.sessions.count)
    for attachment in attachments {
      var seat = Seat(attachment, isConnected: false)
      seat.isRecovered = true
      seats[attachment.identity.device] = seat
    }
    for group in recovery.groups { restore(group) }
    for session in recovery.sessions { restore(session) }
    for state in recovery.attachments { restore(state) }
    for attachment in attachments.sorted(by: { $0.identity.device < $1.identity.device }) {
      sayPlace(of: attachment.identity.device)
    }
  }

  private mutating func restore(_ group: Group) {
    groups[group.id] = GroupRoom(lane: Lane(GroupAggregate(group)))
    for device in group.members.keys { Self.put(&seats[device], into: group) }
  }

  // Static functions, so that a seat is looked up only once.

  private static func put(_ seat: inout Seat?, into group: Group) {
    seat?.group = group.id
    seat?.eligibility = .ineligible(.notConnected)
  }

  private static func put(
    _ seat: inout Seat?, into session: GroupSession, as participant: ParticipantID
  ) {
    // A device that started over with fewer features may still be a participant, because its
    // leaving was not stored.
    guard seat?.group == session.group, seat?.understandsSessions == true else { return }
    seat?.session = session.id
    seat?.participant = participant
  }

  private mutating func restore(_ recovered: Recovery.RecoveredSession) {
    let session = recovered.session
    var room = SessionRoom(SessionAggregate(session))
    room.tail = EventTail(recovered.known, upTo: session.seq, limits: turn.limits)
    sessions[session.id] = room
    // Devices that left are told the reason when they come back, and do not get the offer again.
    for (device, reason) in recovered.departures where seats[device]?.group == session.group {
      seats[device]?.departure = .from(session.id, reason)
    }
    for participant in session.participants.values {
      Self.put(&seats[participant.device], into: session, as: participant.id)
    }
  }

  private mutating func restore(_ state: AttachmentAggregate) {
    guard let attachment = state.attachment, let session = state.session else { return }
    attachments.add(attachment.id, state)
    count(attachment, of: session)
  }

  /// Makes up for what the server could not do before it died.
  mutating func resume() {
    for id in sessions.keys.sorted() {
      perform(.interrupt, on: id)
      endIfUnknown(id)
      reconcile(id, isInterrupted: true)
      arm(id, SessionLanes.self)
      SessionLanes.removeIfOver(id, in: &self)
    }
    for id in attachments.lanes.keys.sorted() {
      review(id)
      AttachmentLanes.removeIfOver(id, in: &self)
    }
    for id in groups.keys.sorted() {
      perform(GroupWork(command: .command(.interrupt)), on: id)
      reconcile(id, isInterrupted: true)
      arm(id, GroupLanes.self)
      GroupLanes.removeIfOver(id, in: &self)
    }
  }

  /// Ends a session that its group does not know.
  ///
  /// A group stores a session as its live one before the session begins, so this happens only if
  /// damage lost the session's end or a part of the group's stream.
  private mutating func endIfUnknown(_ id: SessionID) {
    guard let session = sessions[id]?.session, let group = groups[session.group]?.group,
      group.session == nil
    else { return }
    perform(.terminate(.serverShutdown), on: id)
  }

  /// Posts again what trays may lack after a restart: pending invitations and changed session
  /// state.
  mutating func retell() {
    for id in sessions.keys.sorted() {
      guard let session = sessions[id]?.session else { continue }
      for invitation in session.invitations.values { post(invitation, of: session) }
      tellChanges(in: .session(id), isRetold: true)
    }
    for id in groups.keys.sorted() { tellChanges(in: .group(id), isRetold: true) }
  }
}
