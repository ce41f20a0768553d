import GroupSessions
import Playback
import Vocabulary
import Wire

// What is not worth keeping: answered or held in memory, never an event.

extension Coordinator {
  /// Notes how far a player was from where the group was at that instant.
  mutating func note(_ report: PositionReport, from device: DeviceID) {
    guard let id = devices[device]?.session, let participant = devices[device]?.participant,
      sessions[id]?.session?.playback.participants[participant]?.item == report.item,
      let place = sessions[id]?.session?.playback.timelines[report.item]?.position(at: report.at)
    else { return }
    sessions[id]?.offsets[participant] = report.mediaTime - place
  }

  /// Hands a droppable message on; what a slow peer does not get is lost.
  mutating func relay(_ message: DroppableMessage, from device: DeviceID) {
    guard let id = devices[device]?.session, message.session ?? id == id,
      let source = devices[device]?.participant, let audience = sessions[id]?.audience,
      sessions[id]?.session?.permits(source, .sendMessages) == true,
      message.payload.text.utf8.count <= limits.messageBytes
    else { return }
    let receivers: [PeerID]
    switch message.recipients {
    case .all:
      let own = devices[device]?.peer
      receivers = audience.filter { $0 != own }
    case .only(let ids):
      let chosen = peers(of: ids, in: id)
      receivers = audience.filter { chosen.contains($0) }
    }
    send(.message(id, from: source, message.payload), toAll: receivers)
  }

  /// Tells what goes on: in the device's group, or, outside any, at the whole server.
  mutating func report(to device: DeviceID, _ id: RequestID, after: GroupID?) {
    let chosen: [Group]
    if let group = devices[device]?.group.flatMap({ groups[$0]?.group }) {
      chosen = [group]
    } else {
      let behind = groups.compactMapValues(\.group).values.filter { group in
        after.map { $0 < group.id } ?? true
      }
      chosen = behind.sorted { $0.id < $1.id }
    }
    var report = StatusReport(at: now, peers: peers.count, groups: [], sessions: [], places: [])
    var bytes = 0
    for group in chosen {
      let part = part(of: group)
      bytes += encode(.status(id, part)).count
      let isFull = report.groups.count >= limits.statusGroups || bytes > limits.statusBytes
      // Every report gets one group further, or asking for more would never end.
      guard report.groups.isEmpty || !isFull else {
        report.hasMore = true
        break
      }
      report.append(part)
    }
    send(.status(id, report), to: device)
  }

  /// A group's part of a report; of a session that is too large for any, there is only the name.
  private func part(of group: Group) -> StatusReport {
    let alone = StatusReport(
      at: now, peers: peers.count, groups: [group], sessions: [], places: [])
    guard let aggregate = group.session.flatMap({ sessions[$0] }), let session = aggregate.session
    else { return alone }
    let places = aggregate.offsets.map { id, offset in
      StatusReport.Place(
        participant: id, offset: offset, roundTrip: aggregate.delays.roundTrip(of: id))
    }
    let whole = StatusReport(
      at: now, peers: peers.count, groups: [group], sessions: [session], places: places)
    return encode(.status(0, whole)).count <= limits.statusBytes ? whole : alone
  }
}
