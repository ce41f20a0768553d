import GroupSessions
import Naming
import Signatures
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// People, where their notifications go, and what they are told.
extension Stage {
  static let administratorKey = "the-key-of-the-administrator"

  /// A server that signs tokens and has an administrator, and no client yet.
  static func notifying(
    limits: Limits = Limits(), seed: UInt64 = 1, journal: SharedJournal = SharedJournal(),
    _ change: (inout NotificationSettings) -> Void = { _ in }
  ) throws -> Stage {
    var settings = NotificationSettings()
    let key = InvitationKey(bytes: Array(repeating: 7, count: InvitationKey.size))
    settings.signer = InvitationSigner(key: try #require(key))
    settings.administratorKey = try AdministratorKey(administratorKey)
    change(&settings)
    return Stage(limits: limits, notifications: settings, seed: seed, journal: journal)
  }

  /// A person enters a group with a device, subscribes to its topic and leaves.
  mutating func subscribe(_ device: DeviceID, toGroup group: GroupID = "g") throws {
    try ask(device, .joinGroup(group))
    try notify(device, .subscribe(.topic(TopicID("group/\(group)"))))
    try ask(device, .leaveGroup)
  }

  @discardableResult
  mutating func notify(
    _ device: DeviceID, _ request: TrayRequest, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Answer {
    try ask(device, .notifications(request), sourceLocation: sourceLocation)
  }

  /// The device says hello, and that its person's notifications go there.
  mutating func install(
    _ device: DeviceID, as user: UserID, _ endpoint: PushEndpoint? = nil, in group: GroupID? = nil
  ) throws {
    connect(as: device, user: user)
    try notify(device, .register(endpoint))
    if let group { try ask(device, .joinGroup(group)) }
  }

  @discardableResult
  mutating func respond(_ device: DeviceID, _ id: NotificationID, _ action: String) throws
    -> Answer
  {
    try notify(device, .report(id, .responded(actionID: action, text: nil)))
  }

  /// What the response of a device is refused with.
  mutating func refusedResponse(_ device: DeviceID, _ id: NotificationID, _ action: String) throws
    -> ProtocolError
  {
    try refusal(
      device, .notifications(.report(id, .responded(actionID: action, text: nil))))
  }

  // MARK: Looking

  func notifications(_ device: DeviceID) -> [RemoteNotification] {
    inbox(device).compactMap {
      if case .notification(let notification) = $0 { notification } else { nil }
    }
  }

  /// What a device was last told stands.
  func listed(_ device: DeviceID) -> [NotificationID]? {
    inbox(device).reduce(nil) { last, message in
      if case .notifications(let listed) = message { listed.map(\.notification.id) } else { last }
    }
  }

  func revoked(_ device: DeviceID) -> [NotificationID] {
    inbox(device).flatMap { message -> [NotificationID] in
      if case .notificationsRevoked(let ids) = message { ids } else { [] }
    }
  }

  func tray(_ user: UserID) -> NotificationTray? { coordinator.people.trays[user]?.tray }

  /// The invitations that stand in a person's tray.
  func standing(_ user: UserID) -> [RemoteNotification] {
    (tray(user)?.entries ?? []).map(\.notification).filter {
      $0.payload.categoryID == NotificationCategory.groupWatchInviteID
    }
  }

  /// The one invitation in a person's tray.
  func invitation(_ user: UserID, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> RemoteNotification
  {
    #expect(standing(user).count == 1, sourceLocation: sourceLocation)
    return try #require(standing(user).first, sourceLocation: sourceLocation)
  }

  func members(_ user: UserID, of session: SessionID) -> [Participant] {
    (self.session(session)?.participants.values ?? Roster<Participant>().values).filter {
      $0.user == user
    }
  }

  // MARK: Without a hello

  /// Somebody answers by token on a connection that says hello to nobody, and is answered once.
  mutating func answer(
    _ answer: InvitationAnswer, byToken token: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Answer {
    let peer = connectSilently()
    say(.answerInvitation(1, token: token, answer), on: peer)
    let answers = clients[peer]?.answers[1] ?? []
    #expect(answers.count == 1, sourceLocation: sourceLocation)
    handle(.disconnected(peer))
    return try #require(answers.first, sourceLocation: sourceLocation).get()
  }

  /// What an answer by token is refused with.
  mutating func refusedAnswer(_ answer: InvitationAnswer, byToken token: String) throws
    -> ProtocolError
  {
    do {
      Issue.record("not refused: \(try self.answer(answer, byToken: token))")
    } catch let error as ProtocolError { return error }
    throw ProtocolError(.busy)
  }
}

extension RemoteNotification {
  var token: String { payload.custom["token"]?.string ?? "" }
}

extension PushEndpoint {
  static func browser(_ name: String) -> PushEndpoint {
    .webPush(endpoint: "https://push.example/\(name)", publicKey: "key", secret: "secret")
  }
}
