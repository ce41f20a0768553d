import GroupSessions
import Playback
import Signatures
import Vocabulary
import Wire

// State that is not worth storing: it is answered or kept in memory, and is never an event.

extension Groups {
  /// Records how long a message takes to a device.
  ///
  /// The delay is capped, so that a peer that reports minutes does not slow down the others. Only
  /// participants count, because the session would never forget the delay of a refused joiner.
  mutating func note(_ delay: Duration, of device: DeviceID) {
    guard let (session, participant) = participation(of: device) else { return }
    sessions[session]?.delays.note(min(delay, turn.limits.longestLead), of: participant)
  }

  /// Records how far a player was from the group's position.
  mutating func note(_ report: PositionReport, from device: DeviceID) {
    guard let id = seats[device]?.session, let participant = seats[device]?.participant,
      let isSpectator = seats[device]?.isSpectator,
      isSpectator
        || sessions[id]?.session?.playback.participants[participant]?.item == report.item,
      let position = sessions[id]?.session?.playback.timelines[report.item]?.position(at: report.at)
    else { return }
    let offset = report.mediaTime - position
    if isSpectator {
      noteSpectator(device, offset, in: id)
    } else {
      sessions[id]?.offsets[participant] = offset
    }
    apart.note(offset < .zero ? .zero - offset : offset)
  }

  /// Passes a droppable message on; a slow peer may miss it.
  mutating func relay(_ message: DroppableMessage, from device: DeviceID) {
    guard let id = seats[device]?.session, message.session ?? id == id,
      let source = seats[device]?.participant,
      sessions[id]?.session?.permits(source, .sendMessages) == true,
      message.payload.text.utf8.count <= turn.limits.messageBytes,
      isPaid(message, by: device, in: id)
    else { return }
    let recipients: FrontWord.Recipients =
      switch message.recipients {
      case .all: .except([device])
      case .only(let ids): .only(devices(of: ids, in: id))
      }
    let relayed = ServerMessage.message(id, from: source, message.payload)
    turn.say(.front(.publish(relayed, on: .session(id), to: recipients)))
  }

  /// Takes the cost of a droppable message; false if it has to be dropped.
  private mutating func isPaid(
    _ message: DroppableMessage, by device: DeviceID, in id: SessionID
  ) -> Bool {
    do throws(ProtocolError) {
      let bytes = Cost.envelope + message.payload.byteBound
      _ = try takeCost(ofPassing: bytes, isForAll: true, by: device, in: id)
      return true
    } catch { return false }
  }

  /// Reports the state of the device's group or, for a device in no group, of the whole server.
  ///
  /// What has room is judged by counted bytes, and the person's allowance is asked before anything
  /// is counted or encoded, so that neither an answer nor a refusal is for nothing.
  mutating func report(to seat: Seat, _ id: RequestID, after: GroupID?) throws(ProtocolError) {
    let chosen: [Group]
    if let id = seat.group {
      // The opening of a group that the device founds may not be stored yet.
      chosen = groups[id]?.group.map { [$0] } ?? []
    } else {
      try take(Cost.weighing(groups.count), from: seat)
      let behind = groups.compactMapValues(\.group).values.filter { group in
        after.map { $0 < group.id } ?? true
      }
      chosen = behind.sorted { $0.id < $1.id }
    }
    var report = StatusReport(at: turn.now, peers: 0, groups: [], sessions: [], places: [])
    var bytes = 0
    for group in chosen {
      try take(Cost.weighing(group.members.count), from: seat)
      let (part, partBytes) = part(of: group)
      bytes += partBytes
      let isFull =
        report.groups.count >= turn.limits.statusGroups || bytes > turn.limits.statusBytes
      // Each report contains at least one group, so that paging always ends.
      guard report.groups.isEmpty || !isFull else {
        report.hasMore = true
        break
      }
      report.append(part)
    }
    try take(Cost.answering(bytes), from: seat)
    report.usage = [.init("groups", used: groups.count, most: turn.limits.groups)]
    turn.say(.front(.tellStatus(id, report, seat.device)))
  }

  mutating func take(_ cost: Int, from seat: Seat) throws(ProtocolError) {
    try costs.take(Cost(bytes: cost, user: seat.payer, address: seat.address), at: turn.now)
  }

  /// A group's part of a report; a session that is too large for a report is left out.
  ///
  /// - Returns: the part, and how many bytes it takes at most.
  private func part(of group: Group) -> (report: StatusReport, bytes: Int) {
    let group = group.withoutContributions
    let groupBytes = group.byteBound
    let alone = StatusReport(at: turn.now, peers: 0, groups: [group], sessions: [], places: [])
    guard let room = group.session.flatMap({ sessions[$0] }),
      let session = room.session?.withoutContributions
    else { return (alone, groupBytes) }
    let bytes = groupBytes + session.size.total + room.offsets.count * Self.placeBytes
    guard bytes <= turn.limits.statusBytes else { return (alone, groupBytes) }
    let places = room.offsets.map { id, offset in
      StatusReport.Place(
        participant: id, offset: offset, roundTrip: room.delays.roundTrip(of: id))
    }
    let whole = StatusReport(
      at: turn.now, peers: 0, groups: [group], sessions: [session], places: places,
      audiences: room.spectators.value.map { [.init(session.id, $0.size)] } ?? [])
    return (whole, bytes)
  }

  /// A participant's offset and round trip as JSON.
  private static let placeBytes = 120
}

// MARK: Media

extension Groups {
  /// Tells a member where the list of all media is.
  mutating func listMedia(_ seat: Seat, _ done: Reply) throws(ProtocolError) {
    guard seat.group != nil else { throw ProtocolError(.notInGroup) }
    let scope = MediaScope.until(turn.now + turn.limits.mediaListTime)
    turn.send(
      .answer(done.id, try media.answer(of: MediaSigner.root, in: scope)), to: done.device)
  }

  /// Tells a participant or a spectator where a media is.
  mutating func openMedia(_ url: String, _ seat: Seat, _ done: Reply) throws(ProtocolError) {
    guard
      let session = seat.isSpectator ? seat.session : participation(of: seat.device)?.session
    else { throw ProtocolError(.notJoined) }
    turn.send(.answer(done.id, try media.answer(of: url, in: .session(session))), to: done.device)
  }

  /// The path of the media that an address is for, while its session is open.
  func mediaPath(of address: String, at now: Instant) -> String? {
    media.path(of: address, at: now) { sessions[$0]?.session != nil }
  }
}
