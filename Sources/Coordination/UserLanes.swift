import GroupSessions
import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

/// The lanes of people's messages.
enum UserLanes: LaneKind {
  typealias State = UserAggregate

  static func stream(_ id: UserID) -> AggregateID { .user(id) }
  static func subject(_ id: UserID) -> People.Subject { .user(id) }
  static var clockAdvanced: MessagingCommand { .clockAdvanced }
  static var endsForGood: Bool { false }

  static func change<Result>(
    _ id: UserID, in owner: inout People, _ body: (inout Lane<UserAggregate>) -> Result
  ) -> Result? {
    owner.users.change(id) { $0?.lane.change(body) }
  }

  static func conditions(
    for command: MessagingCommand, of id: UserID, after draft: UserAggregate?,
    in owner: People
  ) -> UserAggregate.Conditions {
    UserAggregate.Conditions(
      messaging: owner.messagingConditions(of: id),
      epochs: owner.users[id]?.epochs ?? [:])
  }

  static func nextDeadline(of id: UserID, in owner: People) -> Instant? {
    owner.users[id]?.messaging.nextDeadline(under: owner.messagingPolicy)
  }

  static func apply(
    _ event: MessagingEvent, at instant: Instant, to id: UserID, in owner: inout People
  ) {
    owner.users.change(id) { $0?.lane.evolve(event, at: instant) }
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: UserID,
    in owner: inout People
  ) {
    owner.carryOut(decided.effects, for: id)
    if let answer = step.answer { owner.turn.tell(answer) }
  }

  static func fail(
    _ work: UserWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: UserID,
    in owner: inout People
  ) {
    owner.turn.refuse(work.reply, error, answer)
  }

  static func miss(_ work: UserWork, on id: UserID, in owner: inout People) {}

  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: UserID,
    in owner: inout People
  ) {
    let isWiped = steps.last?.events.contains { $0.event == .user(.wiped) } == true
    owner.endBatch(after: seq, isWiped: isWiped, isOurs: true, of: id)
    owner.upholdChoices(of: id)
    owner.loseAbsent(id)
  }

  static func take(_ others: [RecordedEvent], on id: UserID, in owner: inout People) {
    // An empty list means that another server erased the stream.
    guard !others.isEmpty else { return owner.eraseUser(id, isOurs: false) }
    let seq = owner.users[id]?.messaging.seq ?? 0
    for record in others {
      guard let event = State.event(in: record.event) else { continue }
      apply(event, at: record.at, to: id, in: &owner)
    }
    let isWiped = others.contains { $0.event == .user(.wiped) }
    owner.endBatch(after: seq, isWiped: isWiped, isOurs: false, of: id)
  }

  static func pause(
    without works: [UserWork], on id: UserID, in owner: inout People
  ) {}

  static func reconcile(_ id: UserID, in owner: inout People) {
    owner.reconcileUser(id)
  }

  /// Removes an unknown person who is not connected.
  static func removeIfOver(_ id: UserID, in owner: inout People) {
    guard owner.users[id]?.isForgettable == true else { return }
    owner.users[id] = nil
    owner.turn.disarm(.user(id))
  }
}

extension People {
  mutating func perform(_ work: UserWork, on id: UserID) { perform(work, on: id, UserLanes.self) }

  /// Performs a command that nobody waits for.
  mutating func perform(_ command: MessagingCommand, on id: UserID) {
    perform(UserWork(command: command), on: id)
  }

  func messagingConditions(of id: UserID) -> MessagingConditions {
    MessagingConditions(
      campaigns: campaigns ?? CampaignSet(), policy: messagingPolicy, limits: turn.limits,
      devices: users[id]?.devices ?? [], salt: erasures)
  }

  /// Marks devices that hold a delivery but are not connected as disconnected, so that the delivery
  /// expires after the grace period.
  ///
  /// This includes devices whose client never reported its app's state.
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
    guard turn.isSnapshotDue(from: seq, to: last), let messaging = users[id]?.messaging else {
      return
    }
    turn.say(.output(.snapshot(.user(messaging))))
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
      let delivery = MessageDelivery(message, expires: expires, wasSeen: wasSeen)
      turn.say(.front(.tell(.inAppMessage(delivery), device, of: id)))
    case .withdraw(let message, let device, let reason, let isForced):
      let revocation = MessageRevocation(message, because: reason, isForced: isForced)
      turn.say(.front(.tell(.messageRevoked(revocation), device, of: id)))
    case .warn(let warning): turn.say(.output(.warn(warning, of: id)))
    }
  }

  /// Makes up for what could not be stored while the lane was paused.
  fileprivate mutating func reconcileUser(_ id: UserID) {
    guard let room = users[id] else { return }
    let holders = Set(room.messaging.deliveries.compactMap(\.device))
    for device in holders.sorted() where !room.devices.contains(where: { $0.device == device }) {
      perform(MessagingCommand.disconnected(device), on: id)
      turn.say(.front(.review(device, of: id)))
    }
    for (device, epoch) in room.epochs {
      perform(MessagingCommand.connected(device, epoch: epoch), on: id)
    }
    if room.messaging.concernsCampaigns { perform(MessagingCommand.campaignsChanged, on: id) }
    reviewSessions(of: id)
    upholdChoices(of: id)
  }

  /// Asks ``Groups`` which of the messages that belong to sessions are over.
  mutating func reviewSessions(of id: UserID) {
    let bound = users[id]?.messaging.deliveries.filter(\.isSessionBound) ?? []
    let deliveries = bound.compactMap { delivery in
      delivery.cause.session.map { session in
        BoundDelivery(
          session: session,
          device: delivery.cause.device == nil ? nil : delivery.device ?? delivery.cause.device)
      }
    }
    guard !deliveries.isEmpty else { return }
    turn.say(.groups(.review(deliveries: deliveries, of: id)))
  }

  // MARK: Wiping

  /// Erases a person's data; the next event begins a new stream.
  ///
  /// The numbers of counted events are erased too, so an event that a client repeats after the wipe
  /// is counted again.
  ///
  /// - Parameter isOurs: whether this server stored the wipe; otherwise the other server erases the
  ///   stream, or has begun a new one.
  mutating func eraseUser(_ id: UserID, isOurs: Bool) {
    guard let old = users[id]?.lane.state else { return }
    erasures &+= 1
    users[id]?.lane.replace(UserAggregate(erasing: old, isOurs: isOurs))
    users[id]?.trace = EvaluationTrace()
    pastTraces.remove(id)
    turn.disarm(.user(id))
    if isOurs { turn.say(.output(.forget(.user(id)))) }
  }

  /// Stores the person's choices again, in the same turn in which their stream was erased.
  mutating func upholdChoices(of id: UserID) {
    guard users[id]?.lane.state.choices.isEmpty == false else { return }
    perform(MessagingCommand.presenceChanged, on: id)
  }
}
