import GroupSessions
import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

// Requests about in-app messages, and other events that affect them.

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
    try takeCost(of: request, among: campaigns, by: user)
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
    touch(sender)
    perform(UserWork(command: .log(occurrence), reply: done), on: sender.user)
  }

  private func identity(_ sequence: Int?, of sender: Sender) -> EventIdentity? {
    sequence.map { EventIdentity(.client(sender.device), $0) }
  }

  /// Marks a device as active; of several visible devices, the last active one gets the messages.
  private mutating func touch(_ sender: Sender) {
    guard
      let index = users[sender.user]?.devices.firstIndex(where: {
        $0.device == sender.device
      })
    else { return }
    users[sender.user]?.devices[index].lastActive = turn.now
  }

  private mutating func note(_ state: AppState, of sender: Sender, _ done: Reply) {
    let user = sender.user
    let wasVisible = users[user]?.devices.first { $0.device == sender.device }?.isVisible ?? false
    let epoch = UInt64(truncatingIfNeeded: state.epoch)
    if pastTraces[user] != nil {
      let trace = trace(of: user)
      users[user]?.trace = trace
      pastTraces.remove(user)
    }
    users[user]?.note(
      DevicePresence(
        sender.device, isVisible: state.isVisible, lastActive: turn.now, app: state.app,
        version: state.version, capabilities: state.capabilities),
      epoch: epoch)
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
    let standing = Set(users[sender.user]?.messaging.deliveries.map(\.id) ?? [])
    for message in messages where !standing.contains(message) {
      let revocation = MessageRevocation(message, because: .expired)
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
    let room = users[user] ?? UserRoom(UserMessaging(user))
    let asked = campaign.map { [$0] } ?? campaigns.campaigns.filter(sender.sees).map(\.id)
    let trace = trace(of: user)
    let explanations = asked.map { campaign in
      room.messaging.explain(campaign, trace, at: turn.now, under: messagingConditions(of: user))
    }
    turn.send(.explanation(done.id, explanations), to: sender.device)
  }

  /// Checks that there is a trace of a person without a device here: their name, something kept for
  /// them, or why they did not see campaigns before they left.
  private func checkKnown(_ user: UserID) throws(ProtocolError) {
    guard
      names[user] != nil || users[user] != nil || trays[user] != nil || pastTraces[user] != nil
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

  /// The person's latest evaluations, including those from before they left.
  private func trace(of id: UserID) -> EvaluationTrace {
    guard var trace = pastTraces[id] else { return users[id]?.trace ?? EvaluationTrace() }
    trace.note(users[id]?.trace.rows ?? [])
    return trace
  }
}

extension Sender {
  /// Whether it may know of a campaign: a draft says what is not announced yet.
  fileprivate func sees(_ campaign: Campaign) -> Bool { campaign.state != .draft || seesDrafts }
}

// MARK: Events from elsewhere

extension People {
  /// Replaces the campaigns, and checks every delivery of the previous ones again.
  mutating func take(_ campaigns: CampaignSet) {
    self.campaigns = campaigns
    // A command in flight may have been decided with the previous campaigns.
    for id in users.keys.sorted()
    where users[id]?.messaging.concernsCampaigns == true || users[id]?.lane.isAtWork == true {
      perform(MessagingCommand.campaignsChanged, on: id)
    }
  }

  /// Handles a device that disconnected or changed to another person.
  mutating func losePresence(of device: DeviceID, _ user: UserID, isReleased: Bool) {
    let trace = trace(of: user)
    let wasHere = users[user]?.removePresence(of: device) == true
    if wasHere, users[user]?.devices.isEmpty == true { pastTraces.add(trace, of: user) }
    guard wasHere || isReleased, users[user] != nil else { return }
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
