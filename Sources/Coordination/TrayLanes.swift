import GroupSessions
import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

/// The lanes of people's notifications.
enum TrayLanes: LaneKind {
  typealias State = TrayAggregate

  static func stream(_ id: UserID) -> AggregateID { .tray(id) }
  static func subject(_ id: UserID) -> People.Subject { .tray(id) }
  static var clockAdvanced: TrayCommand { .clockAdvanced }
  static var endsForGood: Bool { false }

  static func change<Result>(
    _ id: UserID, in owner: inout People, _ body: (inout Lane<TrayAggregate>) -> Result
  ) -> Result? {
    owner.trays.change(id) { $0?.lane.change(body) }
  }

  static func conditions(
    for command: TrayCommand, of id: UserID, after draft: TrayAggregate?,
    in owner: People
  ) -> TrayConditions {
    let tray = draft?.tray ?? owner.trays[id]?.tray
    var installed = tray?.installations.map(\.device) ?? []
    // A device that registers gets the standing notifications, but is not an installation yet.
    if case .register(let device, _, _, _) = command { installed.append(device) }
    // A device within its grace period counts as connected.
    let connected = installed.filter { owner.expected[$0]?.user == id }
    return TrayConditions(policy: owner.notifications.policy, connected: Set(connected))
  }

  static func nextDeadline(of id: UserID, in owner: People) -> Instant? {
    owner.trays[id]?.tray.nextDeadline
  }

  static func apply(
    _ event: TrayEvent, at instant: Instant, to id: UserID, in owner: inout People
  ) {
    guard let old = owner.trays[id]?.tray else { return }
    owner.trays.change(id) { $0?.lane.evolve(event, at: instant) }
    owner.index(id, from: old)
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: UserID,
    in owner: inout People
  ) {
    owner.carryOut(decided.effects, for: id)
    for case .tray(.responded(let notification, let response)) in step.events.map(\.event) {
      owner.turn.say(.groups(.replied(response, to: notification, by: id)))
    }
    if let answer = step.answer { owner.turn.tell(answer) }
  }

  static func fail(
    _ work: TrayWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: UserID,
    in owner: inout People
  ) {
    owner.turn.refuse(work.reply, error, answer)
  }

  static func miss(_ work: TrayWork, on id: UserID, in owner: inout People) {}

  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: UserID,
    in owner: inout People
  ) {
    owner.endTrayBatch(after: seq, isOurs: true, of: id)
  }

  static func take(_ others: [RecordedEvent], on id: UserID, in owner: inout People) {
    // An empty list means that another server erased the stream.
    if others.isEmpty { owner.replaceTray(of: id, by: NotificationTray(id)) }
    let seq = owner.trays[id]?.tray.seq ?? 0
    for record in others {
      guard let event = State.event(in: record.event) else { continue }
      apply(event, at: record.at, to: id, in: &owner)
    }
    owner.endTrayBatch(after: seq, isOurs: false, of: id)
  }

  static func pause(
    without works: [TrayWork], on id: UserID, in owner: inout People
  ) {}

  static func reconcile(_ id: UserID, in owner: inout People) {
    owner.reconcileTray(id)
    owner.turn.say(.groups(.reinvite(id)))
  }

  static func removeIfOver(_ id: UserID, in owner: inout People) {
    guard owner.trays[id]?.isForgettable == true else { return }
    owner.trays[id] = nil
    owner.turn.disarm(.tray(id))
  }
}

extension People {
  mutating func perform(_ work: TrayWork, on id: UserID) { perform(work, on: id, TrayLanes.self) }

  /// Performs a command that nobody waits for.
  mutating func perform(_ command: TrayCommand, on id: UserID) {
    perform(TrayWork(command: command), on: id)
  }

  fileprivate mutating func endTrayBatch(after seq: Int, isOurs: Bool, of id: UserID) {
    guard let tray = trays[id]?.tray, tray.seq != seq else { return }
    guard !tray.isBlank else { return eraseTray(id, isOurs: isOurs) }
    if turn.isSnapshotDue(from: seq, to: tray.seq) { turn.say(.output(.snapshot(.tray(tray)))) }
  }

  /// Replaces a tray's state.
  mutating func replaceTray(of id: UserID, by tray: NotificationTray) {
    guard let old = trays[id]?.tray else { return }
    trays[id]?.lane.replace(TrayAggregate(tray))
    index(id, from: old)
  }

  /// Updates the indexes after a tray changed.
  fileprivate mutating func index(_ id: UserID, from old: NotificationTray) {
    guard let tray = trays[id]?.tray else { return }
    trayIndex.update(id, from: old, to: tray)
    if old.installations.isEmpty != tray.installations.isEmpty {
      turn.say(.groups(.reachable(id, !tray.installations.isEmpty)))
    }
    for installation in old.installations where trayIndex.owners[installation.device] == nil {
      expected[installation.device] = nil
    }
    guard old.subscriptions != tray.subscriptions else { return }
    for subscription in old.subscriptions.subtracting(tray.subscriptions) {
      turn.say(.groups(.subscribed(subscription, id, false)))
    }
    for subscription in tray.subscriptions.subtracting(old.subscriptions) {
      turn.say(.groups(.subscribed(subscription, id, true)))
    }
  }

  fileprivate mutating func carryOut(_ effects: [TrayEffect], for id: UserID) {
    for effect in effects {
      switch effect {
      case .deliver(let notification, let device):
        turn.say(.front(.tell(.notification(notification), device, of: id)))
      case .list(let listed, let device):
        turn.say(.front(.tell(.notifications(listed), device, of: id)))
      case .revoke(let ids, let device):
        turn.say(.front(.tell(.notificationsRevoked(ids), device, of: id)))
      case .push(let order): turn.say(.output(.push(order, PushAttempt(order, of: id))))
      }
    }
  }

  /// Posts a notification from the server itself; it is dropped if nobody has claimed the name, or
  /// if there is no room for the tray.
  mutating func post(
    _ notification: RemoteNotification, _ addressing: TrayAddressing = TrayAddressing(),
    to user: UserID
  ) {
    guard !isUnclaimed(user) else { return }
    do {
      try admitTray(of: user)
    } catch { return }
    perform(TrayCommand.post(notification, addressing), on: user)
    TrayLanes.removeIfOver(user, in: &self)
  }

  /// Erases an empty tray, in the journal too.
  ///
  /// - Parameter isOurs: whether this server stored the event that emptied the tray; otherwise the
  ///   other server erases the stream.
  mutating func eraseTray(_ id: UserID, isOurs: Bool) {
    guard let seq = trays[id]?.tray.seq, seq > 0 else { return }
    replaceTray(of: id, by: NotificationTray(id))
    turn.disarm(.tray(id))
    if isOurs { turn.say(.output(.forget(.tray(id)))) }
  }

  /// Withdraws what is no longer true in a tray, and delivers what is pending.
  mutating func reconcileTray(_ id: UserID) {
    guard let tray = trays[id]?.tray else { return }
    for installation in tray.installations { giveUp(installation, of: id) }
    turn.say(
      .groups(
        .review(
          invitations: tray.entries.compactMap(InvitationName.init).filter { $0.belongs(to: id) },
          subscriptions: tray.subscriptions.sorted(), of: id)))
    for installation in tray.installations
    where expected[installation.device]?.isConnected == true {
      perform(TrayCommand.connected(installation.device), on: id)
    }
    if !tray.entries.isEmpty { perform(TrayCommand.presenceChanged, on: id) }
  }

  /// Gives up a device or token that another person has taken over.
  private mutating func giveUp(_ installation: Installation, of id: UserID) {
    if trayIndex.owners[installation.device] != id {
      perform(TrayCommand.unregister(installation.device), on: id)
    } else if let token = installation.endpoint?.token, trayIndex.tokens[token] != id {
      perform(TrayCommand.tokenTaken(token), on: id)
    }
  }
}
