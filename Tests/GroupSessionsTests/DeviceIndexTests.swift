import GroupSessions
import Naming
import Testing
import Vocabulary

/// Finding participants by their devices, be they few or many.
@Suite struct DeviceIndexTests {
  private static let now = Instant(microseconds: 1_000_000)

  @Test(arguments: 1...4)
  func `a device is who joined on it, while people come and go`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var session = GroupSession(id: "s", Scene.beginning())
    var model: [DeviceID: ParticipantID] = [:]
    // Mostly coming until there are many, then mostly going until few are left, and once more.
    for step in 0..<1_200 {
      let isGrowing = step % 600 < 300
      let number = Int(random.next() % 120)
      let device = DeviceID("device-\(number)")
      if let id = model[device] {
        if !isGrowing || random.next() % 4 == 0 {
          session.evolve(.left(id, .left), at: Self.now)
          model[device] = nil
        }
      } else if isGrowing || random.next() % 4 == 0 {
        // As often before as behind those who are there.
        let id = ParticipantID("p\(random.next() % 1_000_000)-\(step)")
        session.evolve(.joined(participant(id, on: device)), at: Self.now)
        model[device] = id
      }
      #expect(session.participant(on: device)?.id == model[device])
      let other = DeviceID("device-\(random.next() % 120)")
      #expect(session.participant(on: other)?.id == model[other])
      // Who is gone leaves nothing behind.
      let isClean = step % 50 > 0 || Self.copy(of: session) == session
      #expect(isClean)
    }
    for number in 0..<120 {
      let device = DeviceID("device-\(number)")
      #expect(session.participant(on: device)?.id == model[device])
    }
  }

  @Test(arguments: [0, 1, 31, 32, 33, 34, 200])
  func `a session put together from a snapshot finds the same`(count: Int) {
    var session = GroupSession(id: "s", Scene.beginning())
    for number in 0..<count {
      session.evolve(
        .joined(participant(ParticipantID("p\(number)"), on: DeviceID("d\(number)"))),
        at: Self.now)
    }
    let copy = Self.copy(of: session)
    let isSame = copy == session
    #expect(isSame)
    for number in 0...count {
      let device = DeviceID("d\(number)")
      let id = number < count ? ParticipantID("p\(number)") : nil
      #expect(session.participant(on: device)?.id == id)
      #expect(copy.participant(on: device)?.id == id)
    }
  }

  @Test func `nobody is on any device of a session that is over`() {
    var session = GroupSession(id: "s", Scene.beginning())
    for number in 0..<50 {
      session.evolve(
        .joined(participant(ParticipantID("p\(number)"), on: DeviceID("d\(number)"))),
        at: Self.now)
    }
    session.evolve(.ended(.dismissedBy("p0")), at: Self.now)
    #expect(session.participant(on: "d7") == nil)
  }

  private func participant(_ id: ParticipantID, on device: DeviceID) -> Participant {
    Participant(
      id: id, user: UserID(device.text), device: device, name: "n", role: .guest,
      joinedAt: Self.now)
  }

  private static func copy(of session: GroupSession) -> GroupSession {
    GroupSession(
      id: session.id, group: session.group, initiator: session.initiator, state: session.state,
      seq: session.seq, activity: session.activity, revision: session.revision,
      control: session.control, dismissalPolicy: session.dismissalPolicy,
      oneDevicePerUser: session.oneDevicePerUser, initialTiming: session.initialTiming,
      participants: session.participants, lost: session.lost, playback: session.playback,
      queue: session.queue, declined: session.declined, banned: session.banned,
      invitations: session.invitations, joinBy: session.joinBy,
      initiatorHasJoined: session.initiatorHasJoined)
  }
}
