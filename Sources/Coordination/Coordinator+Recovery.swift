import GroupSessions
import InAppMessaging
import Vocabulary

extension Coordinator {
  /// Takes in what was kept, before the first peer comes.
  ///
  /// Everyone is away, with the grace of those who lost their connection: the server was.
  mutating func recover(_ recovery: Recovery) {
    for ending in recovery.endings {
      tombstones.add(ending.session, ending.reason, limit: limits.tombstones)
    }
    devices.reserve(recovery.devices.count)
    groups.reserve(recovery.groups.count)
    sessions.reserve(recovery.sessions.count)
    for device in recovery.devices { restore(device) }
    for group in recovery.groups { restore(group) }
    for session in recovery.sessions { restore(session) }
    users.reserve(recovery.users.count)
    for user in recovery.users {
      users[user.messaging.id] = UserRoom(user.messaging)
    }
    restore(recovery.trays)
    let lost = devices.keys.filter { devices[$0]?.group == nil }
    for device in lost.sorted() { forget(device) }
    for id in sessions.keys.sorted() {
      perform(.interrupt, on: id)
      endIfUnknown(id)
      reconcile(id, isInterrupted: true)
      arm(id, SessionLanes.self)
      SessionLanes.buryIfOver(id, in: &self)
    }
    for id in groups.keys.sorted() {
      perform(GroupWork(command: .command(.interrupt)), on: id)
      reconcile(id, isInterrupted: true)
      arm(id, GroupLanes.self)
      GroupLanes.buryIfOver(id, in: &self)
    }
    resume(recovery.users)
    resume(recovery.trays)
  }

  /// Of most people nothing is under way: these are looked at once.
  private mutating func resume(_ recovered: [Recovery.RecoveredUser]) {
    for user in recovered where user.isOver || !user.messaging.deliveries.isEmpty {
      let id = user.messaging.id
      guard !user.isOver else {
        eraseUser(id, isOurs: true)
        upholdChoices(of: id)
        UserLanes.buryIfOver(id, in: &self)
        continue
      }
      perform(.interrupted, on: id)
      endLostSessions(of: id)
      arm(id, UserLanes.self)
    }
  }

  /// A group takes a session as its live one before that begins: one that its group knows nothing of
  /// lost its end, or its group's stream lost what came of it, to damage.
  private mutating func endIfUnknown(_ id: SessionID) {
    guard let session = sessions[id]?.session, let group = groups[session.group]?.group,
      group.session == nil
    else { return }
    perform(.terminate(.serverShutdown), on: id)
  }

  private mutating func restore(_ recovered: Recovery.RecoveredDevice) {
    lives &+= 1
    let greeting = recovered.greeting
    var device = Device(
      identity: greeting.identity, token: greeting.token, life: lives,
      understandsSessions: greeting.understandsSessions)
    device.isKept = true
    device.answers = recovered.answers.limited(to: limits.rememberedAnswers)
    devices[device.id] = device
  }

  private mutating func restore(_ group: Group) {
    groups[group.id] = GroupRoom(lane: Lane(GroupAggregate(group)))
    for device in group.members.keys { Self.put(&devices[device], into: group) }
  }

  // Functions, so that a device is looked for once.

  private static func put(_ device: inout Device?, into group: Group) {
    device?.group = group.id
    device?.eligibility = .ineligible(.notConnected)
  }

  private static func put(
    _ device: inout Device?, into session: GroupSession, as participant: ParticipantID
  ) {
    // One that started anew as something less could not keep that it left.
    guard device?.group == session.group, device?.understandsSessions == true else { return }
    device?.session = session.id
    device?.participant = participant
  }

  private mutating func restore(_ recovered: Recovery.RecoveredSession) {
    let session = recovered.session
    var room = SessionRoom(SessionAggregate(session))
    room.tail = EventTail(recovered.known, upTo: session.seq, limits: limits)
    sessions[session.id] = room
    // Those who come back are told what became of them, and not offered it again.
    for (device, reason) in recovered.departures where devices[device]?.group == session.group {
      devices[device]?.departure = .from(session.id, reason)
    }
    for participant in session.participants.values {
      Self.put(&devices[participant.device], into: session, as: participant.id)
    }
  }
}
