import GroupSessions
import Playback
import Vocabulary
import Wire

// What is not worth keeping: answered or held in memory, never an event.

extension Groups {
  /// Notes how long a message takes to a device.
  ///
  /// A peer that claims to be minutes away does not stop the others.
  mutating func note(_ delay: Duration, of device: DeviceID) {
    guard let session = seats[device]?.session, let participant = seats[device]?.participant else {
      return
    }
    sessions[session]?.delays.note(min(delay, turn.limits.longestLead), of: participant)
  }

  /// Notes how far a player was from where the group was at that instant.
  mutating func note(_ report: PositionReport, from device: DeviceID) {
    guard let id = seats[device]?.session, let participant = seats[device]?.participant,
      sessions[id]?.session?.playback.participants[participant]?.item == report.item,
      let place = sessions[id]?.session?.playback.timelines[report.item]?.position(at: report.at)
    else { return }
    sessions[id]?.offsets[participant] = report.mediaTime - place
  }

  /// Hands a droppable message on; what a slow peer does not get is lost.
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

  /// Tells what goes on: in the device's group, or, outside any, at the whole server.
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
      // Every report gets one group further, or asking for more would never end.
      guard report.groups.isEmpty || !isFull else {
        report.hasMore = true
        break
      }
      report.append(part)
    }
    turn.say(.front(.tellStatus(id, report, seat.device)))
  }

  /// A group's part of a report; of a session that is too large for any, there is only the name.
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
