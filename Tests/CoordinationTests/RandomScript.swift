import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A story drawn from a seed: people come, go, are cut off, come back, and want all sorts of things.
struct RandomScript {
  var stage: Stage
  private var verbs: RandomVerbs
  private var chance: SplitMix64
  private let devices: [DeviceID] = ["ann", "bob", "cat", "dan", "eve", "tv"]
  /// What every request was.
  private(set) var asked: [RequestID: Request] = [:]
  /// What was asked and, for all we know, not answered yet.
  private var open: [(device: DeviceID, peer: PeerID, id: RequestID)] = []

  init(seed: UInt64) {
    var limits = Limits()
    limits.messageBurst = 1_000_000
    limits.participants = 4
    limits.groupMembers = 5
    limits.namedPlaces = 2
    limits.queueEntries = 4
    limits.timelines = 2
    limits.suspensions = 2
    limits.retainedEvents = 12
    limits.pendingCommands = 8
    limits.tombstones = 3
    limits.rememberedDevices = 2
    limits.invitations = 4
    limits.invitationLifetime = .seconds(20)
    limits.timelineGrace = .seconds(20)
    limits.attachments = 3
    (limits.objects, limits.objectBytes) = (2, 400)
    limits.attachmentWait = .seconds(20)
    stage = Stage(limits: limits, seed: seed, fronts: 2)
    verbs = RandomVerbs(random: SplitMix64(seed: seed &* 31 &+ 7))
    chance = SplitMix64(seed: seed &* 17 &+ 3)
  }

  private func isConnected(_ device: DeviceID) -> Bool {
    stage.coordinator.front.devices[device]?.peer != nil
  }

  mutating func step() {
    if Int.random(in: 0..<6, using: &chance) == 0 { invite() }
    let device = verbs.pick(devices)
    switch Int.random(in: 0..<100, using: &verbs.random) {
    case 0..<80:
      if isConnected(device) { request(device) } else { comeBack(device) }
    case 80, 81:
      if isConnected(device) { cut(device) }
    case 84:
      if isConnected(device), verbs.chance(50) {
        stage.resume(device, features: Self.features(device))
      }
    case 85: stage.advance(.seconds(verbs.pick([1, 1, 5, 5, 12, 31, 61])))
    case 82..<84, 86..<93: stage.advance(.milliseconds(verbs.pick([1, 60, 500, 1500])))
    case 93: hold()
    case 94, 95: stage.release(verbs.pick([1, 2, 5]))
    case 96: talk(device)
    case 97: if verbs.chance(30) { crash() } else { letGo() }
    case 98: if verbs.chance(30) { stage.journal.failures = verbs.pick([1, 2, 3, 8]) }
    default: letGo()
    }
  }

  /// Somebody is asked to come to a session, or says something to that, or it is taken back.
  private mutating func invite() {
    guard
      let id = stage.coordinator.groups.rooms.sessions.keys.sorted().randomElement(using: &chance),
      let session = stage.session(id)
    else { return }
    let people: [UserID] = ["ann", "bob", "cat", "dan", "eve", "zoe"]
    let user = people.randomElement(using: &chance) ?? "ann"
    let host = session.participants.keys.first
    let command: SessionCommand =
      switch Int.random(in: 0..<6, using: &chance) {
      case 0: .invite(people, by: nil)
      case 1, 2: .invite([user], by: host)
      case 3: .answerInvitation(.acceptForLater(user, on: nil))
      case 4: .answerInvitation(.decline(user, on: "tv"))
      default: .revokeInvitations([user], by: host ?? "nobody")
      }
    stage.coordinator.groups.perform(SessionWork(command: .command(command)), on: id)
    stage.handle(.clockAdvanced)
  }

  private mutating func cut(_ device: DeviceID) {
    let before = state
    let wasSettled = isSettled
    stage.disconnect(device)
    if wasSettled, before.sessions.isEmpty { #expect(state.sessions.isEmpty) }
  }

  /// Whatever was acknowledged is there in the server that goes on, whoever was connected is lost,
  /// and nothing plays differently.
  private mutating func crash() {
    let before = state
    let wasSettled = isSettled
    let isWritable = stage.journal.failures == 0
    stage.crash()
    guard wasSettled, isWritable else { return }
    for (id, session) in before.sessions {
      guard let after = stage.session(id) else {
        Issue.record("\(id) is gone")
        continue
      }
      #expect(after.playback.timelines == session.playback.timelines)
      #expect(after.queue == session.queue)
      #expect(after.activity == session.activity)
      #expect(after.participants == session.participants)
      #expect(after.lost.count == after.participants.count)
    }
    #expect(Set(state.groups.keys) == Set(before.groups.filter { !$0.value.members.isEmpty }.keys))
  }

  private mutating func comeBack(_ device: DeviceID) {
    if verbs.chance(75), stage.coordinator.front.devices[device] != nil {
      stage.resume(device, forgetting: verbs.chance(20), features: Self.features(device))
    } else {
      stage.connect(
        as: device, user: device == "tv" ? "ann" : nil,
        features: device == "eve" && verbs.chance(50) ? [] : Self.features(device))
    }
  }

  /// Some clients know audiences, and some do not.
  private static func features(_ device: DeviceID) -> Set<Feature> {
    ["cat", "dan", "eve"].contains(device) ? [.sessions, .audience] : [.sessions]
  }

  private mutating func talk(_ device: DeviceID) {
    let session = stage.coordinator.groups.seats[device]?.session.flatMap { stage.session($0) }
    stage.say(
      .droppable(
        DroppableMessage(payload: JSONText(validated: "2"), recipients: verbs.recipients(session))),
      from: device)
    stage.say(
      .ping(Ping(sent: HostTime(microseconds: 1), roundTrip: .milliseconds(40))), from: device)
  }

  private mutating func hold() { stage.isHeld = true }

  mutating func letGo() {
    stage.isHeld = false
    stage.release()
    for (device, peer, id) in open where stage.peers[device] == peer {
      let client = stage.clients[peer]
      if client?.closedWith != nil || stage.coordinator.front.devices[device]?.peer != peer {
        continue
      }
      #expect(client?.answers[id]?.count == 1, "request \(id) of \(device)")
    }
    open = []
  }

  private struct State: Equatable {
    var groups: [GroupID: Group]
    var sessions: [SessionID: GroupSession]
  }

  private var state: State {
    State(
      groups: stage.coordinator.groups.rooms.groups.compactMapValues(\.group),
      sessions: stage.coordinator.groups.rooms.sessions.compactMapValues(\.session))
  }

  /// Nothing is being kept, and nothing waits for a journal that cannot be written.
  private var isSettled: Bool {
    stage.held.isEmpty && !stage.isHeld
      && !stage.coordinator.groups.rooms.sessions.contains { $0.value.lane.isPaused }
      && !stage.coordinator.groups.rooms.groups.contains { $0.value.lane.isPaused }
  }

  private mutating func request(_ device: DeviceID) {
    let request = verbs.request(stage, device)
    let before = state
    let isWritable = stage.journal.failures == 0
    let id = stage.post(request, from: device)
    asked[id] = request
    guard isSettled, isWritable, let peer = stage.peers[device] else {
      if let peer = stage.peers[device] { open.append((device, peer, id)) }
      return
    }
    let answers = stage[device].answers[id] ?? []
    #expect(answers.count == 1, "\(request)")
    if case .failure? = answers.first { #expect(state == before, "refused: \(request)") }
    guard verbs.chance(10) else { return }
    let after = state
    stage.say(.request(id, request), on: peer)
    #expect(state == after, "done twice: \(request)")
    if case .status = request { return }
    #expect(stage[device].answers[id] == answers + answers)
  }
}

// MARK: What has to hold

extension RandomScript {
  /// What holds after every step; the journal is replayed now and then, and at the end.
  func check() {
    stage.checkMirrors()
    guard isSettled else { return }
    checkRosters()
  }

  /// I4, I9, I11: who takes part is a member of the group, and the devices know it.
  private func checkRosters() {
    let coordinator = stage.coordinator
    for (id, aggregate) in coordinator.groups.rooms.sessions {
      guard let session = aggregate.session else { continue }
      if case .ended = session.state { Issue.record("\(id) is over and still here") }
      #expect(coordinator.groups.rooms.groups[session.group]?.group?.session == id)
      #expect(!session.participants.isEmpty || session.joinBy != nil || session.state == .staged)
      #expect(
        session.participants.isEmpty
          || session.participants.values.contains { $0.role == .host })
      #expect(session.invitations.count <= stage.coordinator.groups.turn.limits.invitations)
      for invitation in session.invitations.values where invitation.state == .pending {
        #expect(session.participants.firstValue { $0.user == invitation.user } == nil)
      }
      for participant in session.participants.values where session.lost[participant.id] == nil {
        let device = coordinator.groups.seats[participant.device]
        #expect(device?.session == id && device?.participant == participant.id)
        #expect(device?.understandsSessions == true)
        #expect(
          coordinator.groups.rooms.groups[session.group]?.group?.members[participant.device] != nil)
      }
      let audience = coordinator.front.audiences[.session(id)]
      #expect(Set(audience).count == audience.count)
      let spectators = coordinator.groups.onlookers.spectators(of: id)
      #expect(
        audience.count == session.participants.count - session.lost.count + spectators.count)
      if session.hasAudience {
        #expect(session.participants.count <= coordinator.groups.turn.limits.namedPlaces)
      } else {
        #expect(spectators.isEmpty)
      }
      for device in spectators {
        let seat = coordinator.groups.seats[device]
        #expect(seat?.session == id && seat?.isSpectator == true && seat?.isConnected == true)
        #expect(session.participant(on: device) == nil && !session.banned.devices.contains(device))
      }
    }
    for (id, aggregate) in coordinator.groups.rooms.groups {
      guard let group = aggregate.group else { continue }
      #expect(!group.isClosed && !group.members.isEmpty)
      let visitors = coordinator.groups.onlookers.visitors(of: id)
      let here = visitors.count { coordinator.groups.seats[$0]?.isConnected == true }
      #expect(coordinator.front.audiences[.group(id)].count == group.connectedCount + here)
      for device in visitors {
        #expect(group.members[device] == nil)
        #expect(coordinator.groups.seats[device]?.group == id)
        #expect(coordinator.groups.seats[device]?.isVisitor == true)
      }
      for device in group.members.keys { #expect(coordinator.groups.seats[device]?.group == id) }
      if let live = group.session { #expect(coordinator.groups.rooms.sessions[live] != nil) }
    }
    for (id, device) in coordinator.groups.seats {
      if let group = device.group {
        let isMember = coordinator.groups.rooms.groups[group]?.group?.members[id] != nil
        #expect(isMember != device.isVisitor)
      }
      if let session = device.session, let participant = device.participant {
        let isNamed =
          coordinator.groups.rooms.sessions[session]?.session?.participants[participant] != nil
        #expect(isNamed != device.isSpectator)
      }
      if let offered = device.offered { #expect(coordinator.groups.rooms.sessions[offered] != nil) }
    }
    checkValues()
    checkAttachments()
  }

  /// What a session lists is there whole, and data without a session is not.
  private func checkAttachments() {
    let groups = stage.coordinator.groups
    guard !groups.attachments.lanes.contains(where: { $0.value.isPaused }) else { return }
    for (id, lane) in groups.attachments.lanes {
      #expect(lane.state.session.flatMap { groups.rooms.sessions[$0] } != nil, "\(id)")
      let session = lane.state.session.map { groups.attachments.attachments(of: $0) }
      #expect(session?.contains(id) == true, "\(id)")
    }
    let parts = groups.attachments.lanes.flatMap(\.value.state.parts)
    #expect(groups.attachments.byteCount == parts.reduce(0) { $0 + $1.bytes.count })
    for (id, room) in groups.rooms.sessions {
      #expect(groups.attachments.attachments(of: id).count <= groups.turn.limits.attachments)
      for attachment in room.session?.attachments.list ?? [] {
        let state = groups.attachments[attachment.id]?.state
        #expect(state?.isComplete == true && state?.session == id, "\(attachment)")
      }
    }
  }

  /// What one of the server's values has of another's is so: no word is lost or late.
  private func checkValues() {
    let (front, seats) = (stage.coordinator.front, stage.coordinator.groups.seats)
    #expect(front.devices.count == seats.count)
    for id in front.devices.keys {
      guard let device = front.devices[id] else { continue }
      #expect(device.place == seats[id]?.place, "\(id)")
      #expect((device.peer != nil) == seats[id]?.isConnected, "\(id)")
      #expect(device.life == seats[id]?.life, "\(id)")
    }
  }

  /// I12: the journal alone makes the same groups and sessions.
  func checkReplay() {
    guard isSettled else { return }
    for (stream, records) in stage.journal.streams {
      switch stream {
      case .group(let id):
        let group = Group(replaying: records, id: id)
        if let live = stage.coordinator.groups.rooms.groups[id]?.group {
          #expect(group == live)
        } else {
          #expect(group?.isClosed == true)
        }
      case .session(let id):
        let session = GroupSession(replaying: records, id: id)
        if let live = stage.session(id) {
          #expect(session == live)
          checkSize(of: live)
        } else if case .ended? = session?.state {
        } else {
          Issue.record("\(id) is gone and did not end")
        }
      case .attachment(let id):
        let data = AttachmentAggregate(RecordedStream(stream, known: records))
        if let live = stage.coordinator.groups.attachments[id]?.state {
          #expect(data.parts == live.parts && data.attachment == live.attachment)
        } else {
          #expect(data.isForgettable)
        }
      case .device, .user, .tray, .name: break
      }
    }
  }

  /// What was counted event by event is what there is, and no less than its JSON.
  private func checkSize(of session: GroupSession) {
    let snapshot = SessionSnapshot(session: session, participant: "p", at: stage.now)
    let line = encode(.snapshot(snapshot))
    #expect(session.size.total + 100 >= line.count)
    var decoder = ServerLineDecoder(maximumBytes: line.count)
    do {
      guard case .snapshot(let read) = try decoder.decode(line.span) else {
        Issue.record("not a snapshot")
        return
      }
      #expect(read.session.size == session.size)
    } catch {
      Issue.record(error)
    }
  }

  /// Everyone goes away: nothing is left, and nothing asks to be woken.
  mutating func finish() {
    letGo()
    check()
    for device in devices { stage.disconnect(device) }
    for peer in Array(stage.coordinator.front.peers.keys) { stage.handle(.disconnected(peer)) }
    stage.advance(.seconds(700))
    #expect(stage.coordinator.front.peers.isEmpty)
    #expect(stage.coordinator.front.devices.isEmpty)
    #expect(stage.coordinator.groups.rooms.groups.isEmpty)
    #expect(stage.coordinator.groups.rooms.sessions.isEmpty)
    #expect(stage.coordinator.groups.onlookers.isEmpty && stage.coordinator.groups.told.isEmpty)
    #expect(stage.coordinator.groups.attachments.lanes.isEmpty)
    #expect(stage.coordinator.groups.attachments.byteCount == 0)
    #expect(stage.coordinator.nextDeadline == nil)
    checkReplay()
    stage.checkMirrors()
  }
}

extension Group {
  /// The group that these events make.
  init?(replaying records: [RecordedEvent], id: GroupID) {
    guard case .group(.opened(let founder))? = records.first?.event else { return nil }
    self.init(id: id, founder: founder)
    for record in records.dropFirst() {
      if case .group(let event) = record.event { evolve(event) }
    }
  }
}

extension GroupSession {
  /// The session that these events make.
  init?(replaying records: some Collection<RecordedEvent>, id: SessionID) {
    guard case .session(.began(let beginning))? = records.first?.event else { return nil }
    self.init(id: id, beginning)
    for record in records.dropFirst() {
      if case .session(let event) = record.event { evolve(event, at: record.at) }
    }
  }
}
