import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// A story drawn from a seed: invited people answer on several devices, by tokens and otherwise, come
/// and go, while invitations expire, are taken back and sent anew, writing fails and servers crash.
struct RandomInvitations {
  private(set) var stage: Stage
  private var random: SplitMix64
  private static let people: [DeviceID: UserID] = [
    "phone": "bob", "tablet": "bob", "tv": "bob", "desk": "cat", "watch": "cat",
  ]
  private let devices: [DeviceID] = ["desk", "phone", "tablet", "tv", "watch"]
  /// Whether a second device of a person takes the first one's place, whichever way it comes.
  private let isSingle: Bool
  /// All invitations there were, as their notifications told of them.
  private var invitations: [UserID: [RemoteNotification]] = [:]
  private var open: [(device: DeviceID, peer: PeerID, id: RequestID)] = []
  /// Who took part because of which invitation.
  private(set) var joined: [NotificationID: Set<ParticipantID>] = [:]
  private var answers: [RequestID: NotificationID] = [:]
  private(set) var outcomes: Set<String> = []

  init(seed: UInt64) throws {
    var limits = Limits()
    limits.messageBurst = 1_000_000
    limits.idleDeadline = .seconds(1_000_000)
    limits.invitationLifetime = .seconds(40)
    limits.snapshotInterval = 8
    stage = try Stage.notifying(limits: limits, seed: seed)
    random = SplitMix64(seed: seed &* 0x9E37 &+ 11)
    isSingle = seed.isMultiple(of: 2)
    for device in devices {
      let endpoint = device == "tablet" ? PushEndpoint.browser("b") : nil
      try stage.install(device, as: Self.people[device] ?? "nobody", endpoint, in: "g")
    }
    try stage.gather(["ann"])
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private var live: SessionID? { stage.coordinator.groups.rooms.groups["g"]?.group?.session }

  private func isConnected(_ device: DeviceID) -> Bool {
    stage.coordinator.front.devices[device]?.peer != nil
  }

  /// Nothing is being kept, nothing waits for a journal that cannot be written, and nothing is due,
  /// as it is after a journal that took its time.
  var isSettled: Bool {
    stage.held.isEmpty && !stage.isHeld
      && stage.coordinator.nextDeadline.map { $0 > stage.now } ?? true
      && !stage.coordinator.people.trays.rooms.contains {
        $0.value.lane.isPaused || $0.value.lane.isAtWork
      }
      && !stage.coordinator.groups.rooms.sessions.contains { $0.value.lane.isPaused }
      && !stage.coordinator.groups.rooms.groups.contains { $0.value.lane.isPaused }
  }
}

// MARK: What happens

extension RandomInvitations {
  mutating func step() {
    let device = pick(devices)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50: if isConnected(device) { answer(device) } else { comeBack(device) }
    case 50..<58: answerByToken(pick(["bob", "cat"]))
    case 58..<66: if isConnected(device) { wander(device) }
    case 66..<70: stage.disconnect(device)
    case 70..<78: host()
    case 78..<86: stage.advance(.milliseconds(pick([1, 5, 900, 4_000])))
    case 86: stage.advance(.seconds(pick([11, 31, 41])))
    case 87..<91: stage.isHeld = true
    case 91..<94: stage.release(pick([1, 1, 2, 5]))
    case 94: if chance(50) { crash() }
    case 95: if chance(60) { stage.journal.failures = pick([1, 2, 3]) }
    default: letGo()
    }
    collect()
    check()
  }

  private mutating func collect() {
    for user in ["bob", "cat"] as [UserID] {
      for notification in stage.standing(user)
      where invitations[user]?.contains(where: { $0.id == notification.id }) != true {
        invitations[user, default: []].append(notification)
      }
    }
    for client in stage.clients.values {
      for (request, given) in client.answers {
        guard let invitation = answers[request] else { continue }
        for case .success(.joined(_, let participant)) in given {
          joined[invitation, default: []].insert(participant)
        }
        for case .success(let answer) in given { outcomes.insert("\(answer)".firstWord) }
        for case .failure(let error) in given { outcomes.insert(error.code.rawValue) }
      }
    }
  }

  private mutating func post(_ device: DeviceID, _ request: Request) -> RequestID? {
    guard let peer = stage.peers[device] else { return nil }
    let id = stage.post(request, from: device)
    open.append((device, peer, id))
    return id
  }

  /// Mostly to the latest invitation, now and then to an old one; again and again.
  private mutating func answer(_ device: DeviceID) {
    guard let user = Self.people[device], let known = invitations[user], let last = known.last
    else {
      return
    }
    let invitation = chance(85) ? last : pick(known)
    let answer: InvitationAnswer = chance(65) ? .accepted : .declined
    let action = answer == .accepted ? ActionIdentifier.accept : ActionIdentifier.decline
    let session = SessionID(invitation.payload.custom["session"]?.string ?? "")
    let request: RequestID?
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5:
      let report = NotificationReport.responded(actionID: action, text: nil)
      request = post(device, .notifications(.report(invitation.id, report)))
    case 5..<7:
      let seq = InvitationName(invitation.id)?.seq
      request = post(device, .answerInvitation(session, answer, seq: seq))
    case 7: request = post(device, .notifications(.remove([invitation.id])))
    default:
      let id = RequestID(1_000_000 + answers.count)
      stage.say(.answerInvitation(id, token: invitation.token, answer), from: device)
      request = id
    }
    if let request { answers[request] = invitation.id }
  }

  private mutating func answerByToken(_ user: UserID) {
    guard let known = invitations[user], let last = known.last else { return }
    let invitation = chance(85) ? last : pick(known)
    let peer = stage.connectSilently()
    stage.say(
      .answerInvitation(7, token: invitation.token, chance(50) ? .accepted : .declined), on: peer)
  }

  private mutating func wander(_ device: DeviceID) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: _ = post(device, .leave(nil))
    case 2: _ = post(device, .leaveGroup)
    case 3: _ = post(device, .setSharing(chance(60)))
    case 4: _ = post(device, .joinGroup("g"))
    default: if isSingle, let live { _ = post(device, .join(live, handoffFrom: nil)) }
    }
  }

  private mutating func comeBack(_ device: DeviceID) {
    if chance(50), stage.coordinator.front.devices[device] != nil {
      stage.resume(device)
    } else {
      stage.connect(as: device, user: Self.people[device])
    }
    if chance(80) { _ = post(device, .joinGroup("g")) }
  }

  /// Ann starts, invites, takes back and ends.
  private mutating func host() {
    if !isConnected("ann") {
      if stage.coordinator.front.devices["ann"] != nil {
        stage.resume("ann")
      } else {
        stage.connect(as: "ann")
      }
      _ = post("ann", .joinGroup("g"))
    }
    guard let live else {
      _ = post("ann", .activate(Activation(Stage.movie(), oneDevicePerUser: isSingle)))
      return
    }
    if stage.coordinator.groups.seats["ann"]?.session == nil {
      _ = post("ann", .join(live, handoffFrom: nil))
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: _ = post("ann", .invite(nil, ["bob", "cat"], lifetime: .seconds(pick([3, 30]))))
    case 5, 6: _ = post("ann", .revokeInvitations(nil, [pick(["bob", "cat"])]))
    case 7: if chance(30) { _ = post("ann", .end(nil)) }
    default: break
    }
  }

  private mutating func crash() {
    stage.journal.failures = 0
    stage.isHeld = false
    open = []
    stage.crash()
    // What was due while nobody was there is due at once.
    stage.advance(.zero)
  }

  mutating func letGo() {
    stage.isHeld = false
    stage.release()
    for (device, peer, id) in open where stage.peers[device] == peer {
      if stage.clients[peer]?.closedWith != nil || !isConnected(device) { continue }
      #expect(stage.clients[peer]?.answers[id]?.count == 1, "request \(id) of \(device)")
    }
    open = []
  }

  mutating func finish() {
    stage.journal.failures = 0
    letGo()
    stage.advance(.seconds(2))
    collect()
    check()
    checkReplay()
    stage.advance(.seconds(3_600))
    #expect(stage.coordinator.people.trays.rooms.allSatisfy { stage.standing($0.key).isEmpty })
  }
}

// MARK: What has to hold

extension RandomInvitations {
  func check() {
    stage.checkMirrors()
    for session in stage.coordinator.groups.rooms.sessions.compactMap(\.value.session) {
      for user in ["bob", "cat"] as [UserID] {
        #expect(stage.members(user, of: session.id).count <= 1, "\(user)")
      }
    }
    // An invitation brings one device in, once.
    for (invitation, participants) in joined {
      #expect(isSingle || participants.count <= 1, "\(invitation): \(participants)")
    }
    guard isSettled else { return }
    checkTrays()
  }

  /// What stands in a tray is what is still to be answered, unless its person removed it.
  private func checkTrays() {
    let session = live.flatMap { stage.session($0) }
    for user in ["bob", "cat"] as [UserID] {
      let invitation = session?.invitations[user]
      let isPending = invitation?.state == .pending
      let name = isPending ? session.flatMap { invitation?.name(in: $0.id).id } : nil
      let standing = stage.standing(user).map(\.id)
      let isRemoved = name.map { stage.tray(user)?.past.contains($0) == true } ?? false
      #expect(standing == (isRemoved ? [] : name.map { [$0] } ?? []), "\(user)")
    }
  }

  /// The journal alone makes the same trays.
  func checkReplay() {
    guard isSettled else { return }
    for (user, aggregate) in stage.coordinator.people.trays.rooms {
      var replayed = NotificationTray(user)
      for record in stage.journal.live[.tray(user)] ?? [] {
        if case .tray(let event) = record.event { replayed.evolve(event, at: record.at) }
      }
      #expect(replayed == aggregate.tray, "\(user)")
    }
  }
}

extension String {
  fileprivate var firstWord: String { String(prefix { $0 != "(" }) }
}
