import GroupSessions
import InAppMessaging
import Signatures
import UserNotifications
import Vocabulary
import Wire

/// The people with their messages and notifications.
struct People: LaneOwner {
  enum Subject: Hashable, Sendable {
    case user(UserID)
    case tray(UserID)
    case name(UserID)
  }

  var turn: Turn<Subject>
  /// The campaigns; `nil` if the server sends no messages.
  private(set) var campaigns: CampaignSet?
  let messagingPolicy: MessagingPolicy
  let notifications: NotificationSettings
  /// How people prove who they are.
  let mode: AccessMode
  var users = Users()
  var trays = Trays()
  var names = Names()
  var pairings = Pairings()
  private var costs: Costs

  init(
    limits: Limits, mode: AccessMode, messaging: MessagingPolicy,
    notifications: NotificationSettings
  ) {
    self.mode = mode
    turn = Turn(limits: limits)
    costs = Costs(limits)
    messagingPolicy = messaging
    self.notifications = notifications
  }

  // MARK: Words

  mutating func hear(_ word: PeopleWord) {
    switch word {
    case .prove(let peer, let user, let hash, let code, let name):
      turn.say(.front(.proof(peer, proof(of: user, with: hash, code, named: name))))
    case .claim(let user, let hash, let reply): claim(user, hash, reply)
    case .bounded(let user, let groups): reviewSubscriptions(of: user, within: groups)
    case .pair(let user, let isConfirmed, let reply):
      begin(reply) { people throws(ProtocolError) in
        try people.pair(user, isConfirmed: isConfirmed, reply)
      }
    case .confirmPairing(let isConfirmed, let user, let reply):
      begin(reply) { people throws(ProtocolError) in
        try people.confirm(isConfirmed, user, reply)
      }
    case .tellStatus(let request, var report, let device, let connected, let holdsNames):
      report.usage += usage
      if !report.hasMore { list(in: &report, connected, holdsNames: holdsNames) }
      turn.send(.status(request, report), to: device)
    case .free(let user, let reply): perform(NameWork(command: .free, reply: reply), on: user)
    case .present(let device, let user, let isConnected):
      note(device, of: user, isConnected: isConnected)
    case .lost(let device, let user, let isReleased): lose(device, of: user, isReleased: isReleased)
    case .absent(let device, let user): missTray(of: user, on: device)
    case .messaging(let request, let sender, let isHere, let reply):
      begin(reply) { people throws(ProtocolError) in
        try people.route(request, by: sender, isHere: isHere, reply)
      }
    case .notifications(let request, let sender, let reply):
      begin(reply) { people throws(ProtocolError) in
        try people.route(request, by: sender, reply)
      }
    case .granted(let request, let identity, let reply):
      begin(reply) { people throws(ProtocolError) in
        try people.carryOut(request, by: Sender(identity: identity, session: nil), reply)
      }
    case .post(let notification, let addressing, let user, let isOptional):
      if !isOptional || hasRoom(user) { post(notification, addressing, to: user) }
    case .revoke(let ids, let user): perform(.revoke(ids), on: user)
    case .sessionOver(let session, let user, let device): endSession(session, of: user, on: device)
    case .subscriptionsOver(let subscriptions, let user): end(subscriptions, of: user)
    }
  }

  /// Asks ``Groups`` which subscriptions end, because the credential shown last does not name
  /// their group.
  private mutating func reviewSubscriptions(of user: UserID, within groups: GroupGrants) {
    guard let subscriptions = trays[user]?.tray.subscriptions, !subscriptions.isEmpty else {
      return
    }
    turn.say(.groups(.review(subscriptions: subscriptions.sorted(), within: groups, of: user)))
  }

  private mutating func end(_ subscriptions: [Subscription], of user: UserID) {
    let objects = subscriptions.compactMap(\.object)
    if !objects.isEmpty { perform(TrayCommand.objectsOver(objects), on: user) }
    for subscription in subscriptions where subscription.object == nil {
      perform(TrayCommand.unsubscribe(subscription), on: user)
    }
  }

  private var usage: [StatusReport.Usage] {
    [
      .init("users", used: users.rooms.count, most: turn.limits.users),
      .init("trays", used: trays.rooms.count, most: notifications.policy.trays),
      .init("names", used: names.lanes.count, most: turn.limits.names),
    ]
  }

  private mutating func begin(
    _ reply: Reply, _ body: (inout People) throws(ProtocolError) -> Void
  ) {
    do throws(ProtocolError) {
      try body(&self)
    } catch {
      turn.refuse(reply, error)
    }
  }

  mutating func advanceClock() {
    while let subject = turn.popDue() {
      switch subject {
      case .user(let id): wake(id, UserLanes.self)
      case .tray(let id): wake(id, TrayLanes.self)
      case .name(let id): wake(id, NameLanes.self)
      }
    }
  }

  /// Replaces the campaigns, and checks every delivery of the previous ones again.
  mutating func take(_ campaigns: CampaignSet) {
    self.campaigns = campaigns
    // A command in flight may have been decided with the previous campaigns.
    for id in users.rooms.keys.sorted()
    where users[id]?.messaging.concernsCampaigns == true || users[id]?.lane.isAtWork == true {
      perform(MessagingCommand.campaignsChanged, on: id)
    }
  }

  /// Takes what a request costs from its person's allowances.
  mutating func charge(_ cost: Cost) throws(ProtocolError) { try costs.take(cost, at: turn.now) }

  // MARK: Devices

  /// Records a device's person: sends the person's notifications, or unregisters the previous
  /// person.
  private mutating func note(_ device: DeviceID, of user: UserID, isConnected: Bool) {
    let owner = trays.note(device, of: user, isConnected: isConnected)
    // A restored device is handled when its tray is reconciled.
    guard isConnected, let owner else { return }
    perform(owner == user ? TrayCommand.connected(device) : .unregister(device), on: owner)
  }

  /// Handles a device that disconnected or changed to another person.
  private mutating func lose(_ device: DeviceID, of user: UserID, isReleased: Bool) {
    trays.disconnect(device, of: user)
    losePresence(of: device, user, isReleased: isReleased)
  }

  /// Hands the standing notifications of a device that is not expected back to its push service.
  private mutating func missTray(of user: UserID, on device: DeviceID) {
    trays.forget(device, of: user)
    guard trays.index.owners[device] == user, trays[user]?.tray.entries.isEmpty == false else {
      return
    }
    perform(TrayCommand.presenceChanged, on: user)
  }
}

// MARK: Eviction

// At the limit of known people, the person who has been away longest makes room for a new one.

extension People {
  /// Begins to know a person who uses messages, if there is room.
  mutating func admit(_ user: UserID) throws(ProtocolError) {
    guard users[user] == nil else { return }
    guard users.rooms.count < turn.limits.users || forgetAbsentee() else {
      throw ProtocolError(.usersFull, limit: turn.limits.users)
    }
    users.add(UserMessaging(user))
  }

  /// Evicts the person who has been away longest, in the journal too.
  ///
  /// - Returns: whether anybody has been away for long enough.
  private mutating func forgetAbsentee() -> Bool {
    guard let user = users.popAbsentee(at: turn.now, turn.limits) else { return false }
    eraseUser(user, isOurs: true)
    users.remove(user)
    return true
  }

  /// Creates a tray for a person who is to receive something, if there is room.
  mutating func admitTray(of user: UserID) throws(ProtocolError) {
    guard trays[user] == nil else { return }
    guard notifications.policy.trays > 0 else { throw ProtocolError(.notificationsUnavailable) }
    guard trays.rooms.count < notifications.policy.trays || forgetAbsentTray() else {
      throw ProtocolError(.traysFull, limit: notifications.policy.trays)
    }
    trays.add(user)
  }

  /// Evicts the tray of the person who has not been seen for longest, in the journal too.
  ///
  /// - Returns: whether anybody has not been seen for long enough.
  private mutating func forgetAbsentTray() -> Bool {
    guard let user = trays.popAbsentee(at: turn.now, turn.limits) else { return false }
    eraseTray(user, isOurs: true)
    trays.remove(user)
    return true
  }
}

// MARK: Recovery

extension People {
  /// Restores the state from a journal.
  mutating func restore(_ recovery: Recovery) {
    users.reserve(recovery.users.count)
    for user in recovery.users { users.add(user.messaging) }
    for (user, name) in recovery.names {
      names.add(user, name)
      // The server stopped after the name was freed, and before that was forgotten.
      NameLanes.removeIfOver(user, in: &self)
    }
    trays.reserve(recovery.trays.count)
    // In this order, a device or token belongs to the person who registered it last.
    let inOrder = recovery.trays.map(\.tray).sorted { $0.lastRegistered < $1.lastRegistered }
    for tray in inOrder {
      trays.add(tray.user)
      replaceTray(of: tray.user, by: tray)
    }
  }

  /// Makes up for what the server could not do before it died; groups and sessions are restored by
  /// now.
  mutating func resume(_ recovery: Recovery) {
    // Most people have no deliveries; these are reconciled only when needed.
    for user in recovery.users where user.isOver || !user.messaging.deliveries.isEmpty {
      resume(user)
    }
    for recovered in recovery.trays.sorted(by: { $0.tray.user < $1.tray.user }) {
      let user = recovered.tray.user
      if recovered.isOver { eraseTray(user, isOurs: true) }
      reconcileTray(user)
      arm(user, TrayLanes.self)
      TrayLanes.removeIfOver(user, in: &self)
    }
    for tray in recovery.trays.map(\.tray) {
      for entry in tray.entries {
        guard let response = entry.response else { continue }
        turn.say(.groups(.replied(response, to: entry.id, by: tray.user)))
      }
    }
  }

  private mutating func resume(_ recovered: Recovery.RecoveredUser) {
    let id = recovered.messaging.id
    guard !recovered.isOver else {
      eraseUser(id, isOurs: true)
      upholdChoices(of: id)
      return UserLanes.removeIfOver(id, in: &self)
    }
    perform(MessagingCommand.interrupted, on: id)
    reviewSessions(of: id)
    arm(id, UserLanes.self)
  }
}

extension NotificationTray {
  fileprivate var lastRegistered: Instant {
    installations.map(\.registered).max() ?? Instant(microseconds: .min)
  }
}
