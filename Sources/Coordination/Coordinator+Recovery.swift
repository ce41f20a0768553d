import GroupSessions
import Vocabulary

extension Coordinator {
  /// Takes in what was kept, before the first peer comes.
  ///
  /// Everyone is away, with the grace of those who lost their connection: the server was.
  mutating func recover(_ recovery: Recovery) {
    for ending in recovery.endings {
      tombstones.add(ending.session, ending.reason, limit: limits.tombstones)
    }
    for device in recovery.devices { restore(device) }
    for group in recovery.groups { restore(group) }
    for session in recovery.sessions { restore(session) }
    for messaging in recovery.users { restore(messaging) }
    for device in devices.keys.sorted() where devices[device]?.group == nil { forget(device) }
    for id in sessions.keys.sorted() {
      perform(SessionWork(task: .command(.interrupt), reply: nil), on: id)
      endIfUnknown(id)
      reconcile(id)
      armSession(id)
      buryIfEnded(id)
    }
    for id in groups.keys.sorted() {
      perform(GroupWork(task: .command(.interrupt)), on: id)
      reconcile(id)
      armGroup(id)
      buryIfClosed(id)
    }
    for id in users.keys.sorted() where users[id]?.messaging.deliveries.isEmpty == false {
      perform(UserWork(command: .interrupted), on: id)
      armUser(id)
    }
  }

  /// A group takes a session as its live one before that begins: one that its group knows nothing of
  /// lost its end, or its group's stream lost what came of it, to damage.
  private mutating func endIfUnknown(_ id: SessionID) {
    guard let session = sessions[id]?.session, let group = groups[session.group]?.group,
      group.session == nil
    else { return }
    perform(SessionWork(task: .command(.terminate(.serverShutdown)), reply: nil), on: id)
  }

  private mutating func restore(_ recovered: Recovery.RecoveredDevice) {
    lives &+= 1
    let greeting = recovered.greeting
    var device = Device(
      identity: greeting.identity, token: greeting.token, life: lives,
      understandsSessions: greeting.understandsSessions)
    device.isKept = true
    device.answers = AnswerMemory(recovered.answers, limit: limits.rememberedAnswers)
    devices[device.id] = device
  }

  private mutating func restore(_ group: Group) {
    var aggregate = GroupAggregate()
    aggregate.group = group
    groups[group.id] = aggregate
    for device in group.members.keys {
      devices[device]?.group = group.id
      devices[device]?.eligibility = .ineligible(.notConnected)
    }
  }

  private mutating func restore(_ recovered: Recovery.RecoveredSession) {
    let session = recovered.session
    var aggregate = SessionAggregate()
    aggregate.session = session
    aggregate.tail.reserve(min(recovered.events.count, limits.retainedEvents))
    var seq = session.seq - recovered.events.count
    for record in recovered.events {
      seq += 1
      guard case .session(let event) = record.event else { continue }
      aggregate.tail.append(event, seq: seq, at: record.at, limits: limits)
    }
    sessions[session.id] = aggregate
    // Those who come back are told what became of them, and not offered it again.
    for (device, reason) in recovered.departures where devices[device]?.group == session.group {
      devices[device]?.departure = .from(session.id, reason)
    }
    for participant in session.participants.values
    where devices[participant.device]?.group == session.group
      // One that started anew as something less could not keep that it left.
      && devices[participant.device]?.understandsSessions == true
    {
      devices[participant.device]?.session = session.id
      devices[participant.device]?.participant = participant.id
    }
  }
}
