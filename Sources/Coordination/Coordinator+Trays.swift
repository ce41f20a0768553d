import DequeModule
import GroupSessions
import UserNotifications
import Vocabulary
import Wire

// The one way a person's notifications change: decide, append, and, once kept, evolve, deliver,
// answer.

extension Coordinator {
  /// Carries a command out on a person's tray, or behind those that wait for its journal.
  ///
  /// Requests met the bound on waiting before; what has to happen anyway, such as a revocation, does
  /// not meet it. While writing fails, requests are turned away, and the rest is made good later.
  mutating func perform(_ work: TrayWork, on id: UserID) {
    guard let isBusy = trays[id]?.inFlight.isPresent else { return }
    guard trays[id]?.isResting == false else {
      return refuse(work.reply, .journalUnavailable(limits))
    }
    guard isBusy else { return decide(work, on: id) }
    trays[id]?.wait(work)
  }

  private func trayConditions(of id: UserID, for command: TrayCommand) -> TrayConditions {
    var installed = trays[id]?.tray.installations.map(\.device) ?? []
    // A device that registers is told what stands, and is no installation yet.
    if case .register(let device, _, _, _) = command { installed.append(device) }
    // A device within its grace is expected back.
    let connected = installed.filter { devices[$0]?.identity.user == id }
    return TrayConditions(policy: notifications.policy, connected: Set(connected))
  }

  private mutating func decide(_ work: TrayWork, on id: UserID) {
    do throws(TrayRejection) {
      let conditions = trayConditions(of: id, for: work.command)
      guard
        let decision = try trays[id]?.tray.decide(work.command, at: now, under: conditions)
      else { return }
      let answer = record(.done(seq: nil), for: work.reply)
      guard !decision.events.isEmpty || answer != nil else {
        carryOut(decision.effects, for: id)
        return forgetBlank(id)
      }
      var work = work
      work.effects = decision.effects
      trays[id]?.inFlight = .present(work)
      append(
        decision.events.map { .tray($0) }, to: .tray(id), after: trays[id]?.tray.seq ?? 0,
        answer: answer)
    } catch {
      refuse(work.reply, ProtocolError(error))
      forgetBlank(id)
    }
  }

  /// Takes in what became of an append.
  ///
  /// What follows from its events waits until all are applied.
  mutating func trayAppended(_ id: UserID, _ append: Append, _ outcome: AppendOutcome) {
    guard let work = trays[id]?.inFlight.value else { return }
    trays[id]?.inFlight = .absent
    switch outcome {
    case .kept:
      apply(append.events, to: id, areOurs: true)
      carryOut(work.effects, for: id)
      followReplies(in: append.events, of: id)
      if let answer = append.answer { tell(answer) }
      endIfOver(work, of: id)
    case .preceded(let others):
      // A stream that is shorter than what was known of it is another one.
      if others.isEmpty { replaceTray(of: id, by: NotificationTray(id)) }
      apply(others, to: id, areOurs: false)
      decide(work, on: id)
    case .failed:
      return rest(id, without: work)
    }
    while trays[id]?.inFlight.isPresent == false, let next = trays[id]?.takeWaiting() {
      decide(next, on: id)
    }
    armTray(id)
    forgetBlank(id)
  }

  /// A session may be over before it is kept that somebody follows it.
  private mutating func endIfOver(_ work: TrayWork, of id: UserID) {
    guard case .subscribe(.object(let object)) = work.command,
      sessions[object.session]?.session == nil
    else { return }
    perform(TrayWork(command: .sessionOver(object.session)), on: id)
  }

  private mutating func apply(_ records: [RecordedEvent], to id: UserID, areOurs: Bool) {
    guard !records.isEmpty, var tray = trays[id]?.tray else { return }
    let before = tray.seq
    for record in records {
      if case .tray(let event) = record.event { tray.evolve(event, at: record.at) }
    }
    replaceTray(of: id, by: tray)
    guard !tray.isBlank else { return eraseTray(id, isOurs: areOurs) }
    if isSnapshotDue(from: before, to: tray.seq) { outputs.append(.snapshot(.tray(tray))) }
  }

  /// The one place where a tray becomes another, so that whoever finds people by what stands in
  /// theirs finds them.
  mutating func replaceTray(of id: UserID, by tray: NotificationTray) {
    guard let old = trays[id]?.tray else { return }
    trays[id]?.tray = tray
    trayIndex.update(id, from: old, to: tray)
    guard old.subscriptions != tray.subscriptions else { return }
    for case .object(let object) in old.subscriptions.subtracting(tray.subscriptions) {
      forget(object, by: id)
    }
    for case .object(let object) in tray.subscriptions.subtracting(old.subscriptions) {
      follow(object, by: id)
    }
  }

  private mutating func carryOut(_ effects: [TrayEffect], for id: UserID) {
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

  mutating func armTray(_ id: UserID) {
    guard trays[id]?.inFlight.isPresent == false else { return }
    deadlines.arm(.tray(id), at: trays[id]?.tray.nextDeadline)
  }

  /// Time passed for a person's notifications.
  mutating func wakeTray(_ id: UserID) {
    if trays[id]?.isResting == true {
      trays[id]?.isResting = false
      reconcileTray(id)
      postPendingInvitations(to: id)
    }
    if trays[id]?.tray.nextDeadline.map({ $0 <= now }) == true {
      perform(TrayWork(command: .clockAdvanced), on: id)
    }
    armTray(id)
    forgetBlank(id)
  }

  /// Writing failed: what was asked is turned away, and the tray tries again later.
  private mutating func rest(_ id: UserID, without work: TrayWork) {
    let waiting = trays[id]?.waiting ?? []
    trays[id]?.waiting = []
    trays[id]?.isResting = true
    for work in [work] + waiting { refuse(work.reply, .journalUnavailable(limits)) }
    deadlines.arm(.tray(id), at: now + limits.journalRetry)
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
    trays[user] = TrayAggregate(NotificationTray(user))
  }

  /// Posts what the server itself has to say; to nobody for whom there is no room.
  mutating func post(
    _ notification: RemoteNotification, _ addressing: TrayAddressing = TrayAddressing(),
    to user: UserID
  ) {
    do {
      try admitTray(of: user)
    } catch { return }
    perform(TrayWork(command: .post(notification, addressing)), on: user)
    forgetBlank(user)
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

  mutating func forgetBlank(_ id: UserID) {
    guard trays[id]?.isForgettable == true else { return }
    trays[id] = nil
    deadlines.forget(.tray(id))
  }
}
