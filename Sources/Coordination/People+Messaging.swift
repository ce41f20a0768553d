import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

// Requests about in-app messages, other events that affect them, and the lanes that keep them.

extension People {
  /// Carries out a request.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - sender: who asks.
  ///   - isHere: whether the person whom the request names has a device here.
  ///   - done: whom to answer.
  mutating func route(
    _ request: MessagingRequest, by sender: Sender, isHere: Bool, _ done: Reply
  ) throws(ProtocolError) {
    guard let campaigns else { throw ProtocolError(.messagingUnavailable) }
    let user = sender.user
    try charge(request.cost(among: campaigns, by: user))
    if let named = request.namedUser, !isHere { try checkKnown(named) }
    if !request.isQuestion { try admitWork(of: user) }
    switch request {
    case .appState(let state): note(state, of: sender, done)
    case .logEvent(let name, let properties, let sequence):
      log(.event(name: name, properties: properties), sequence, of: sender, done)
    case .logPurchase(let product, let properties, let sequence):
      log(.purchase(product: product, properties: properties), sequence, of: sender, done)
    case .logPushOpened(let campaign, let sequence):
      log(.pushOpened(campaign: campaign), sequence, of: sender, done)
    case .report(let message, let report, let sequence):
      let command = MessagingCommand.report(
        report, of: message, identity: identity(sequence, of: sender))
      perform(UserWork(command: command, reply: done), on: user)
    case .setAttributes(let attributes):
      perform(UserWork(command: .setAttributes(attributes), reply: done), on: user)
    case .setMembership(let list, let isMember):
      perform(UserWork(command: .setMembership(list: list, isMember), reply: done), on: user)
    case .setCollection(let collects):
      perform(UserWork(command: .setCollection(collects), reply: done), on: user)
    case .pause(let isPaused):
      perform(UserWork(command: .setPaused(isPaused), reply: done), on: user)
    case .wipe: perform(UserWork(command: .wipe, reply: done), on: user)
    case .test(let campaign, let variant, let event, let properties):
      try checkSight(of: campaign, among: campaigns, by: sender)
      let what = event.map { AppEvent.event(name: $0, properties: properties) }
      let command = MessagingCommand.test(campaign, variant: variant, on: sender.device, what)
      perform(UserWork(command: command, reply: done), on: user)
    case .revalidate(let messages): revalidate(messages, of: sender, done)
    case .explain(let campaign, of: let named):
      try explain(campaign, among: campaigns, of: named ?? user, to: sender, done)
    }
  }

  /// Checks the limits before any part of a request is accepted, because one request may be two
  /// commands that must not be split.
  private mutating func admitWork(of user: UserID) throws(ProtocolError) {
    try admit(user)
    guard users[user].map({ $0.lane.pendingCount < turn.limits.pendingCommands }) ?? true else {
      throw ProtocolError.busy(turn.limits)
    }
  }

  private mutating func log(
    _ event: AppEvent, _ sequence: Int?, of sender: Sender, _ done: Reply
  ) {
    let occurrence = Occurrence(
      event, identity: identity(sequence, of: sender), on: sender.device, in: sender.session)
    users.touch(sender.device, of: sender.user, at: turn.now)
    perform(UserWork(command: .log(occurrence), reply: done), on: sender.user)
  }

  private func identity(_ sequence: Int?, of sender: Sender) -> EventIdentity? {
    sequence.map { EventIdentity(.client(sender.device), $0) }
  }

  private mutating func note(_ state: AppState, of sender: Sender, _ done: Reply) {
    let user = sender.user
    let wasVisible = users[user]?.devices.first { $0.device == sender.device }?.isVisible ?? false
    let epoch = UInt64(truncatingIfNeeded: state.epoch)
    let presence = DevicePresence(
      sender.device, isVisible: state.isVisible, lastActive: turn.now, app: state.app,
      version: state.version, capabilities: state.capabilities)
    users.note(presence, epoch: epoch, of: user)
    perform(MessagingCommand.connected(sender.device, epoch: epoch), on: user)
    if let change = state.change {
      log(change.event, state.sequence, of: sender, done)
    } else if wasVisible, !state.isVisible {
      perform(UserWork(command: .hidden(sender.device), reply: done), on: user)
    } else {
      perform(UserWork(command: .presenceChanged, reply: done), on: user)
    }
  }

  /// Revokes the messages that the device has but the server no longer delivers.
  private mutating func revalidate(_ messages: [MessageID], of sender: Sender, _ done: Reply) {
    let messaging = users[sender.user]?.messaging
    for message in messages where messaging?.delivery(message) == nil {
      let lapsed = messaging?.lapsed.first { $0.id == message }
      let isRecalled = lapsed.map { campaigns?.recalls($0) == true } ?? false
      let revocation = MessageRevocation(
        message, because: isRecalled ? .stopped : .expired, isForced: isRecalled)
      turn.send(.messageRevoked(revocation), to: sender.device)
    }
    turn.send(.answer(done.id, .done(seq: nil)), to: sender.device)
  }

  /// Explains why a person does or does not see campaigns; reads only, and is not remembered.
  private mutating func explain(
    _ campaign: CampaignID?, among campaigns: CampaignSet, of user: UserID, to sender: Sender,
    _ done: Reply
  ) throws(ProtocolError) {
    if let campaign { try checkSight(of: campaign, among: campaigns, by: sender) }
    let messaging = users[user]?.messaging ?? UserMessaging(user)
    let asked = campaign.map { [$0] } ?? campaigns.campaigns.filter(sender.sees).map(\.id)
    let trace = users.trace(of: user)
    let explanations = asked.map { campaign in
      messaging.explain(campaign, trace, at: turn.now, under: messagingConditions(of: user))
    }
    turn.send(.explanation(done.id, explanations), to: sender.device)
  }

  /// Checks that there is a trace of a person without a device here: their name, something kept for
  /// them, or why they did not see campaigns before they left.
  private func checkKnown(_ user: UserID) throws(ProtocolError) {
    guard
      names.lanes[user] != nil || users[user] != nil || trays[user] != nil
        || !users.trace(of: user).rows.isEmpty
    else { throw ProtocolError(.unknownUser) }
  }

  /// Checks that a campaign exists as far as a sender may know.
  private func checkSight(
    of campaign: CampaignID, among campaigns: CampaignSet, by sender: Sender
  ) throws(ProtocolError) {
    guard let known = campaigns[campaign], sender.sees(known) else {
      throw ProtocolError(.unknownCampaign)
    }
  }
}

extension Sender {
  /// Whether it may know of a campaign: a draft says what is not announced yet.
  fileprivate func sees(_ campaign: Campaign) -> Bool { campaign.state != .draft || seesDrafts }
}

// MARK: Events from elsewhere

extension People {
  /// Handles a device that disconnected or changed to another person.
  mutating func losePresence(of device: DeviceID, _ user: UserID, isReleased: Bool) {
    let presence = users.removePresence(of: device, of: user)
    guard presence != nil || isReleased, users[user] != nil else { return }
    if presence?.isVisible == true { perform(MessagingCommand.vanished(device), on: user) }
    perform(isReleased ? MessagingCommand.released(device) : .disconnected(device), on: user)
  }

  /// Ends the messages that belong to a session which is over for a person.
  mutating func endSession(_ session: SessionID, of user: UserID, on device: DeviceID?) {
    let concerns = users[user]?.messaging.deliveries.contains { $0.cause.session == session }
    // A command in flight may be about to deliver such a message.
    guard concerns == true || users[user]?.lane.isAtWork == true else { return }
    perform(MessagingCommand.sessionOver(session, on: device), on: user)
  }
}

/// The lanes of people's messages.
enum UserLanes: LaneKind {
  typealias State = UserAggregate

  static func stream(_ id: UserID) -> AggregateID { .user(id) }
  static func subject(_ id: UserID) -> People.Subject { .user(id) }
  static var clockAdvanced: MessagingCommand { .clockAdvanced }

  static func change<Result>(
    _ id: UserID, in owner: inout People, _ body: (inout Lane<UserAggregate>) -> Result
  ) -> Result? {
    owner.users.change(id, body)
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
    owner.users.change(id) { $0.evolve(event, at: instant) }
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: UserID,
    in owner: inout People
  ) {
    owner.carryOut(decided.effects, for: id)
    if let answer = step.answer { owner.turn.tell(answer) }
  }

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
    apply(others, to: id, in: &owner)
    let isWiped = others.contains { $0.event == .user(.wiped) }
    owner.endBatch(after: seq, isWiped: isWiped, isOurs: false, of: id)
  }

  static func reconcile(_ id: UserID, in owner: inout People) {
    owner.reconcileUser(id)
  }

  /// Removes an unknown person who is not connected.
  static func removeIfOver(_ id: UserID, in owner: inout People) {
    guard owner.users[id]?.isForgettable == true else { return }
    owner.users.remove(id)
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
      devices: users[id]?.devices ?? [], salt: users.erasures)
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
      case .trace(let evaluations): users.note(evaluations, of: id)
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
  /// - Parameter isOurs: whether this server stored the wipe; otherwise the other server erases the
  ///   stream, or has begun a new one.
  mutating func eraseUser(_ id: UserID, isOurs: Bool) {
    guard users.erase(id, isOurs: isOurs) else { return }
    turn.disarm(.user(id))
    if isOurs { turn.say(.output(.forget(.user(id)))) }
  }

  /// Stores the person's choices again, in the same turn in which their stream was erased.
  mutating func upholdChoices(of id: UserID) {
    guard users[id]?.lane.state.choices.isEmpty == false else { return }
    perform(MessagingCommand.presenceChanged, on: id)
  }
}
