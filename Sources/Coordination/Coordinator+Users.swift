import GroupSessions
import InAppMessaging
import Vocabulary
import Wire

/// The lanes of people's messages.
enum UserLanes: LaneKind {
  typealias State = UserAggregate

  static func stream(_ id: UserID) -> AggregateID { .user(id) }
  static func subject(_ id: UserID) -> DeadlineSubject { .user(id) }
  static var clockAdvanced: MessagingCommand { .clockAdvanced }
  static var isBuried: Bool { false }

  static func change<Result>(
    _ id: UserID, in coordinator: inout Coordinator, _ body: (inout Lane<UserAggregate>) -> Result
  ) -> Result? {
    coordinator.users.change(id) { $0?.lane.change(body) }
  }

  static func conditions(
    for command: MessagingCommand, of id: UserID, after draft: UserAggregate?,
    in coordinator: Coordinator
  ) -> UserAggregate.Conditions {
    UserAggregate.Conditions(
      messaging: coordinator.messagingConditions(of: id),
      epochs: coordinator.users[id]?.epochs ?? [:])
  }

  static func nextDeadline(of id: UserID, in coordinator: Coordinator) -> Instant? {
    coordinator.users[id]?.messaging.nextDeadline(under: coordinator.messagingPolicy)
  }

  static func apply(
    _ event: MessagingEvent, at instant: Instant, to id: UserID, in coordinator: inout Coordinator
  ) {
    coordinator.users.change(id) { $0?.lane.evolve(event, at: instant) }
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: UserID,
    in coordinator: inout Coordinator
  ) {
    coordinator.carryOut(decided.effects, for: id)
    if let answer = step.answer { coordinator.tell(answer) }
  }

  static func fail(
    _ work: UserWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: UserID,
    in coordinator: inout Coordinator
  ) {
    coordinator.refuse(work.reply, error, answer)
  }

  static func miss(_ work: UserWork, on id: UserID, in coordinator: inout Coordinator) {}

  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: UserID,
    in coordinator: inout Coordinator
  ) {
    let isWiped = steps.last?.events.contains { $0.event == .user(.wiped) } == true
    coordinator.endBatch(after: seq, isWiped: isWiped, isOurs: true, of: id)
    coordinator.upholdChoices(of: id)
    coordinator.loseAbsent(id)
  }

  static func take(_ others: [RecordedEvent], on id: UserID, in coordinator: inout Coordinator) {
    // A stream that is shorter than what was known of it is another one.
    guard !others.isEmpty else { return coordinator.eraseUser(id, isOurs: false) }
    let seq = coordinator.users[id]?.messaging.seq ?? 0
    for record in others {
      guard let event = State.event(in: record.event) else { continue }
      apply(event, at: record.at, to: id, in: &coordinator)
    }
    let isWiped = others.contains { $0.event == .user(.wiped) }
    coordinator.endBatch(after: seq, isWiped: isWiped, isOurs: false, of: id)
  }

  static func rest(
    without works: [UserWork], on id: UserID, in coordinator: inout Coordinator
  ) {}

  static func reconcile(_ id: UserID, in coordinator: inout Coordinator) {
    coordinator.reconcileUser(id)
  }

  /// Somebody nothing is known of, and who is not here, takes no room.
  static func buryIfOver(_ id: UserID, in coordinator: inout Coordinator) {
    guard coordinator.users[id]?.isForgettable == true else { return }
    coordinator.users[id] = nil
    coordinator.deadlines.forget(.user(id))
  }
}

extension Coordinator {
  mutating func perform(_ work: UserWork, on id: UserID) { perform(work, on: id, UserLanes.self) }

  /// Carries out what has to happen, for nobody who waits.
  mutating func perform(_ command: MessagingCommand, on id: UserID) {
    perform(UserWork(command: command), on: id)
  }

  func messagingConditions(of id: UserID) -> MessagingConditions {
    MessagingConditions(
      campaigns: campaigns ?? CampaignSet(), policy: messagingPolicy, limits: limits,
      devices: users[id]?.devices ?? [], salt: erasures)
  }

  /// What lies on a device is kept for as long as it may come back, also where a client tells of it
  /// that never said how its app is: so none lies there for ever.
  fileprivate mutating func loseAbsent(_ id: UserID) {
    for delivery in users[id]?.messaging.deliveries ?? [] {
      guard let device = delivery.lyingOn, users[id]?.messaging.lost[device] == nil,
        users[id]?.devices.contains(where: { $0.device == device }) == false
      else { continue }
      perform(.disconnected(device), on: id)
    }
  }

  fileprivate mutating func endBatch(after seq: Int, isWiped: Bool, isOurs: Bool, of id: UserID) {
    guard let last = users[id]?.messaging.seq, last != seq else { return }
    guard !isWiped, users[id]?.messaging.isBlank == false else {
      return eraseUser(id, isOurs: isOurs)
    }
    guard isSnapshotDue(from: seq, to: last), let messaging = users[id]?.messaging else { return }
    outputs.append(.snapshot(.user(messaging)))
  }

  fileprivate mutating func carryOut(_ effects: [UserAggregate.Effect], for id: UserID) {
    for effect in effects {
      switch effect {
      case .carryOut(let effect): carryOut(effect, for: id)
      case .trace(let evaluations): users[id]?.trace.note(evaluations)
      }
    }
  }

  private mutating func carryOut(_ effect: MessagingEffect, for id: UserID) {
    switch effect {
    case .deliver(let message, let device, let expires, let wasSeen):
      guard devices[device]?.identity.user == id else { return }
      let delivery = MessageDelivery(message, expires: expires, wasSeen: wasSeen)
      send(.inAppMessage(delivery), to: device)
    case .withdraw(let message, let device, let reason, let isForced):
      guard devices[device]?.identity.user == id else { return }
      let revocation = MessageRevocation(message, because: reason, isForced: isForced)
      send(.messageRevoked(revocation), to: device)
    case .warn(let warning): outputs.append(.warn(warning, of: id))
    }
  }

  /// Brings a person's messages up to what is so meanwhile: what happened while nothing could be
  /// kept.
  fileprivate mutating func reconcileUser(_ id: UserID) {
    guard let room = users[id] else { return }
    let holders = Set(room.messaging.deliveries.compactMap(\.device))
    for device in holders.sorted() {
      if let known = devices[device], known.identity.user != id {
        perform(.released(device), on: id)
      } else if !room.devices.contains(where: { $0.device == device }) {
        perform(.disconnected(device), on: id)
      }
    }
    for (device, epoch) in room.epochs { perform(.connected(device, epoch: epoch), on: id) }
    if room.messaging.concernsCampaigns { perform(.campaignsChanged, on: id) }
    endLostSessions(of: id)
    upholdChoices(of: id)
  }

  /// Messages that belong to a session go when that is over, or their device has left it.
  mutating func endLostSessions(of id: UserID) {
    for delivery in users[id]?.messaging.deliveries ?? [] where delivery.isSessionBound {
      guard let session = delivery.cause.session else { continue }
      if sessions[session]?.session == nil {
        perform(.sessionOver(session, on: nil), on: id)
      } else if let device = delivery.device ?? delivery.cause.device,
        delivery.cause.device != nil, devices[device]?.session != session
      {
        perform(.sessionOver(session, on: device), on: id)
      }
    }
  }

  // MARK: Wiping

  /// Nothing of a person is kept any more, not even that there was anything; a new stream begins with
  /// the next thing that is kept of them.
  ///
  /// What counted events goes, too: a client that sends one again which was taken before, though it
  /// knows of the wipe, tells it anew.
  ///
  /// - Parameter isOurs: whether it was this server that wrote it so; else the other one erases the
  ///   stream, or has begun a new one already.
  mutating func eraseUser(_ id: UserID, isOurs: Bool) {
    guard let old = users[id]?.lane.state else { return }
    erasures &+= 1
    users[id]?.lane.replace(UserAggregate(erasing: old, isOurs: isOurs))
    users[id]?.trace = EvaluationTrace()
    pastTraces.remove(id)
    deadlines.forget(.user(id))
    if isOurs { outputs.append(.forget(.user(id))) }
  }

  /// Has what the person chose kept anew, if it is not: in the same turn as the end of what it was
  /// kept in.
  mutating func upholdChoices(of id: UserID) {
    guard users[id]?.lane.state.choices.isEmpty == false else { return }
    perform(.presenceChanged, on: id)
  }
}
