import GroupSessions
import Playback
import Vocabulary
import Wire

// State that is not worth storing: it is answered or kept in memory, and is never an event.

extension Groups {
  /// Records how long a message takes to a device.
  ///
  /// The delay is capped, so that a peer that reports minutes does not slow down the others.
  mutating func note(_ delay: Duration, of device: DeviceID) {
    guard let session = seats[device]?.session, let participant = seats[device]?.participant else {
      return
    }
    sessions[session]?.delays.note(min(delay, turn.limits.longestLead), of: participant)
  }

  /// Records how far a player was from the group's position.
  mutating func note(_ report: PositionReport, from device: DeviceID) {
    guard let id = seats[device]?.session, let participant = seats[device]?.participant,
      sessions[id]?.session?.playback.participants[participant]?.item == report.item,
      let position = sessions[id]?.session?.playback.timelines[report.item]?.position(at: report.at)
    else { return }
    sessions[id]?.offsets[participant] = report.mediaTime - position
  }

  /// Passes a droppable message on; a slow peer may miss it.
  mutating func relay(_ message: DroppableMessage, from device: DeviceID) {
    guard let id = seats[device]?.session, message.session ?? id == id,
      let source = seats[device]?.participant,
      sessions[id]?.session?.permits(source, .sendMessages) == true,
      message.payload.text.utf8.count <= turn.limits.messageBytes
    else { return }
    let recipients: FrontWord.Recipients =
      switch message.recipients {
      case .all: .except([device])
      case .only(let ids): .only(devices(of: ids, in: id))
      }
    let relayed = ServerMessage.message(id, from: source, message.payload)
    turn.say(.front(.publish(relayed, on: .session(id), to: recipients)))
  }

  /// Reports the state of the device's group or, for a device in no group, of the whole server.
  mutating func report(to seat: Seat, _ id: RequestID, after: GroupID?) {
    let chosen: [Group]
    if let group = seat.group.flatMap({ groups[$0]?.group }) {
      chosen = [group]
    } else {
      let behind = groups.compactMapValues(\.group).values.filter { group in
        after.map { $0 < group.id } ?? true
      }
      chosen = behind.sorted { $0.id < $1.id }
    }
    var report = StatusReport(at: turn.now, peers: 0, groups: [], sessions: [], places: [])
    var bytes = 0
    for group in chosen {
      let part = part(of: group)
      bytes += encode(.status(id, part)).count
      let isFull =
        report.groups.count >= turn.limits.statusGroups || bytes > turn.limits.statusBytes
      // Each report contains at least one group, so that paging always ends.
      guard report.groups.isEmpty || !isFull else {
        report.hasMore = true
        break
      }
      report.append(part)
    }
    report.usage = [.init("groups", used: groups.count, most: turn.limits.groups)]
    turn.say(.front(.tellStatus(id, report, seat.device)))
  }

  /// A group's part of a report; a session that is too large for a report is left out.
  private func part(of group: Group) -> StatusReport {
    let alone = StatusReport(at: turn.now, peers: 0, groups: [group], sessions: [], places: [])
    guard let room = group.session.flatMap({ sessions[$0] }), let session = room.session else {
      return alone
    }
    let places = room.offsets.map { id, offset in
      StatusReport.Place(
        participant: id, offset: offset, roundTrip: room.delays.roundTrip(of: id))
    }
    let whole = StatusReport(
      at: turn.now, peers: 0, groups: [group], sessions: [session], places: places)
    return encode(.status(0, whole)).count <= turn.limits.statusBytes ? whole : alone
  }
}
