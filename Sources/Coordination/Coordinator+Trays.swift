import GroupSessions
import UserNotifications
import Vocabulary
import Wire

/// The lanes of people's notifications.
enum TrayLanes: LaneKind {
  typealias State = TrayAggregate

  static func stream(_ id: UserID) -> AggregateID { .tray(id) }
  static func subject(_ id: UserID) -> DeadlineSubject { .tray(id) }
  static var clockAdvanced: TrayCommand { .clockAdvanced }
  static var isBuried: Bool { false }

  static func change<Result>(
    _ id: UserID, in coordinator: inout Coordinator, _ body: (inout Lane<TrayAggregate>) -> Result
  ) -> Result? {
    coordinator.trays.change(id) { $0?.lane.change(body) }
  }

  static func conditions(
    for command: TrayCommand, of id: UserID, after draft: TrayAggregate?,
    in coordinator: Coordinator
  ) -> TrayConditions {
    let tray = draft?.tray ?? coordinator.trays[id]?.tray
    var installed = tray?.installations.map(\.device) ?? []
    // A device that registers is told what stands, and is no installation yet.
    if case .register(let device, _, _, _) = command { installed.append(device) }
    // A device within its grace is expected back.
    let connected = installed.filter { coordinator.devices[$0]?.identity.user == id }
    return TrayConditions(policy: coordinator.notifications.policy, connected: Set(connected))
  }

  static func nextDeadline(of id: UserID, in coordinator: Coordinator) -> Instant? {
    coordinator.trays[id]?.tray.nextDeadline
  }

  static func apply(
    _ event: TrayEvent, at instant: Instant, to id: UserID, in coordinator: inout Coordinator
  ) {
    guard let old = coordinator.trays[id]?.tray else { return }
    coordinator.trays.change(id) { $0?.lane.evolve(event, at: instant) }
    coordinator.index(id, from: old)
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: UserID,
    in coordinator: inout Coordinator
  ) {
    coordinator.carryOut(decided.effects, for: id)
    coordinator.followReplies(in: step.events, of: id)
    if let answer = step.answer { coordinator.tell(answer) }
    // A session may be over before it is kept that somebody follows it.
    if case .subscribe(.object(let object)) = decided.work.command,
      coordinator.sessions[object.session]?.session == nil
    {
      coordinator.perform(.sessionOver(object.session), on: id)
    }
  }

  static func fail(
    _ work: TrayWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: UserID,
    in coordinator: inout Coordinator
  ) {
    coordinator.refuse(work.reply, error, answer)
  }

  static func miss(_ work: TrayWork, on id: UserID, in coordinator: inout Coordinator) {}

  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: UserID,
    in coordinator: inout Coordinator
  ) {
    coordinator.endTrayBatch(after: seq, isOurs: true, of: id)
  }

  static func take(_ others: [RecordedEvent], on id: UserID, in coordinator: inout Coordinator) {
    // A stream that is shorter than what was known of it is another one.
    if others.isEmpty { coordinator.replaceTray(of: id, by: NotificationTray(id)) }
    let seq = coordinator.trays[id]?.tray.seq ?? 0
    for record in others {
      guard let event = State.event(in: record.event) else { continue }
      apply(event, at: record.at, to: id, in: &coordinator)
    }
    coordinator.endTrayBatch(after: seq, isOurs: false, of: id)
  }

  static func rest(
    without works: [TrayWork], on id: UserID, in coordinator: inout Coordinator
  ) {}

  static func reconcile(_ id: UserID, in coordinator: inout Coordinator) {
    coordinator.reconcileTray(id)
    coordinator.postPendingInvitations(to: id)
  }

  static func buryIfOver(_ id: UserID, in coordinator: inout Coordinator) {
    guard coordinator.trays[id]?.isForgettable == true else { return }
    coordinator.trays[id] = nil
    coordinator.deadlines.forget(.tray(id))
  }
}

extension Coordinator {
  mutating func perform(_ work: TrayWork, on id: UserID) { perform(work, on: id, TrayLanes.self) }

  /// Carries out what has to happen, for nobody who waits.
  mutating func perform(_ command: TrayCommand, on id: UserID) {
    perform(TrayWork(command: command), on: id)
  }

  fileprivate mutating func endTrayBatch(after seq: Int, isOurs: Bool, of id: UserID) {
    guard let tray = trays[id]?.tray, tray.seq != seq else { return }
    guard !tray.isBlank else { return eraseTray(id, isOurs: isOurs) }
    if isSnapshotDue(from: seq, to: tray.seq) { outputs.append(.snapshot(.tray(tray))) }
  }

  /// A tray becomes another one at once.
  mutating func replaceTray(of id: UserID, by tray: NotificationTray) {
    guard let old = trays[id]?.tray else { return }
    trays[id]?.lane.replace(TrayAggregate(tray))
    index(id, from: old)
  }

  /// Whoever finds people by what stands in their trays finds them by what stands there now.
  fileprivate mutating func index(_ id: UserID, from old: NotificationTray) {
    guard let tray = trays[id]?.tray else { return }
    trayIndex.update(id, from: old, to: tray)
    guard old.subscriptions != tray.subscriptions else { return }
    for case .object(let object) in old.subscriptions.subtracting(tray.subscriptions) {
      forget(object, by: id)
    }
    for case .object(let object) in tray.subscriptions.subtracting(old.subscriptions) {
      follow(object, by: id)
    }
  }

  fileprivate mutating func carryOut(_ effects: [TrayEffect], for id: UserID) {
    for effect in effects {
      switch effect {
      case .deliver(let notification, let device):
        send(.notification(notification), to: device, of: id)
      case .list(let listed, let device): send(.notifications(listed), to: device, of: id)
      case .revoke(let ids, let device): send(.notificationsRevoked(ids), to: device, of: id)
      case .push(let order): outputs.append(.push(order, PushAttempt(order, of: id)))
      }
    }
  }

  /// What is a person's goes to no device that is another's by now.
  private mutating func send(_ message: ServerMessage, to device: DeviceID, of user: UserID) {
    if devices[device]?.identity.user == user { send(message, to: device) }
  }
}

// MARK: Who has a tray

extension Coordinator {
  /// Whoever is to be sent anything has a tray from there on.
  mutating func admitTray(of user: UserID) throws(ProtocolError) {
    guard trays[user] == nil else { return }
    guard notifications.policy.trays > 0 else { throw ProtocolError(.notificationsUnavailable) }
    guard trays.count < notifications.policy.trays || forgetAbsentTray() else {
      throw ProtocolError(.traysFull, limit: notifications.policy.trays)
    }
    trays[user] = TrayRoom(NotificationTray(user))
  }

  /// Posts what the server itself has to say; to nobody for whom there is no room.
  mutating func post(
    _ notification: RemoteNotification, _ addressing: TrayAddressing = TrayAddressing(),
    to user: UserID
  ) {
    do {
      try admitTray(of: user)
    } catch { return }
    perform(.post(notification, addressing), on: user)
    TrayLanes.buryIfOver(user, in: &self)
  }

  /// A tray in which nothing stands takes no room, in the journal neither.
  ///
  /// - Parameter isOurs: whether it was this server that wrote it so; else the other one erases the
  ///   stream.
  mutating func eraseTray(_ id: UserID, isOurs: Bool) {
    guard let seq = trays[id]?.tray.seq, seq > 0 else { return }
    replaceTray(of: id, by: NotificationTray(id))
    deadlines.forget(.tray(id))
    if isOurs { outputs.append(.forget(.tray(id))) }
  }
}
