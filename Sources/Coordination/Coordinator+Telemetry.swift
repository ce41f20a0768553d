import GroupSessions
import Playback
import Vocabulary
import Wire

// What is not worth keeping: answered or held in memory, never an event.

extension Coordinator {
  /// Notes how far a player was from where the group was at that instant.
  mutating func note(_ report: PositionReport, from device: DeviceID) {
    guard let id = devices[device]?.session, let participant = devices[device]?.participant,
      let playback = sessions[id]?.session?.playback,
      playback.participants[participant]?.item == report.item,
      let timeline = playback.timelines[report.item]
    else { return }
    sessions[id]?.offsets[participant] = report.mediaTime - timeline.position(at: report.at)
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
  mutating func report(to device: DeviceID, _ id: RequestID) {
    let chosen: [Group]
    if let group = devices[device]?.group.flatMap({ groups[$0]?.group }) {
      chosen = [group]
    } else {
      chosen = groups.compactMapValues(\.group).values.sorted { $0.id < $1.id }
    }
    let shown = chosen.prefix(limits.statusGroups)
    let live = shown.compactMap(\.session).compactMap { sessions[$0] }
    let places = live.flatMap { aggregate in
      aggregate.offsets.map { id, offset in
        StatusReport.Place(
          participant: id, offset: offset, roundTrip: aggregate.delays.roundTrip(of: id))
      }
    }
    let report = StatusReport(
      at: now, peers: peers.count, groups: Array(shown), sessions: live.compactMap(\.session),
      places: places)
    send(.status(id, report), to: device)
  }
}
