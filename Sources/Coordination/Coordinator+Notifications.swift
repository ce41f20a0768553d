import GroupSessions
import UserNotifications
import Vocabulary
import Wire

// What devices say and ask about their person's notifications, and who is there to hear of them.

extension Coordinator {
  mutating func route(_ request: TrayRequest, of device: Device, _ done: Reply)
    throws(ProtocolError)
  {
    let user = device.identity.user
    guard request.isQuestion || hasRoom(user) else { throw ProtocolError.busy(limits) }
    switch request {
    case .register(let mode, let isDevelopment, let endpoint):
      try register(mode, isDevelopment, endpoint, device, done)
    case .unregister: settle(.unregister(device.id), user, done)
    case .subscribe(let subscription): try subscribe(subscription, device, done)
    case .unsubscribe(let subscription): settle(.unsubscribe(subscription), user, done)
    case .publish(let publication): try publish(publication, device, done)
    case .push(let push): try self.push(push, done)
    case .report(let id, .responded(let actionID, let text)):
      try respond(id, actionID, text, device, done)
    case .report(let id, let report): settle(.report(id, report, on: device.id), user, done)
    case .remove(let ids): settle(.remove(ids), user, done)
    case .wipe: settle(.wipe, user, done)
    case .list: listNotifications(for: device, done)
    case .objectState(let object): try tellState(of: object, to: device, done)
    }
  }

  /// Carries out what changes nothing for a person who has no tray.
  private mutating func settle(_ command: TrayCommand, _ user: UserID, _ done: Reply) {
    guard trays[user] != nil else { return settle(done, .answered(.done(seq: nil))) }
    perform(TrayWork(command: command, reply: done), on: user)
  }

  /// The last person who registers on a device, or with a token, has it.
  private mutating func register(
    _ mode: RegistrationMode, _ isDevelopment: Bool, _ endpoint: PushEndpoint?, _ device: Device,
    _ done: Reply
  ) throws(ProtocolError) {
    let user = device.identity.user
    if let flaw = endpoint.flatMap(notifications.endpointFlaw) {
      throw ProtocolError(.invalidEndpoint, reason: flaw)
    }
    try admitTray(of: user)
    if let endpoint, let other = trayIndex.tokens[endpoint.token], other != user {
      perform(.tokenTaken(endpoint.token), on: other)
    }
    takeOver(device)
    perform(
      TrayWork(
        command: .register(
          device.id, mode: mode, isDevelopment: isDevelopment, endpoint), reply: done),
      on: user)
  }

  /// A response to an invitation is the person's answer; any other is its tray's to keep.
  private mutating func respond(
    _ id: NotificationID, _ actionID: String, _ text: String?, _ device: Device, _ done: Reply
  ) throws(ProtocolError) {
    let user = device.identity.user
    if let name = InvitationName(id), wasInvited(user, name),
      let answer = InvitationAnswer(actionID, category: categoryID(of: id, for: user))
    {
      return try self.answer(answer, to: name.session, seq: name.seq, device, done)
    }
    guard trays[user] != nil else { throw ProtocolError(.unknownNotification) }
    let report = NotificationReport.responded(actionID: actionID, text: text)
    perform(TrayWork(command: .report(id, report, on: device.id), reply: done), on: user)
  }

  /// Whether an invitation of that name was the person's, as far as anybody knows: names can be
  /// guessed.
  private func wasInvited(_ user: UserID, _ name: InvitationName) -> Bool {
    guard name.belongs(to: user) else { return false }
    return sessions[name.session]?.session?.invitations[user] != nil
      || tombstones[name.session] != nil
  }

  /// The category of a person's notification; of one that stands no more, an invitation's, as its
  /// name says.
  private func categoryID(of id: NotificationID, for user: UserID) -> String? {
    guard let entry = trays[user]?.tray[id] else {
      return NotificationCategory.groupWatchInviteID
    }
    return entry.notification.payload.categoryID
  }

  /// Tells all that stands for a device; changes nothing, and is not remembered.
  private mutating func listNotifications(for device: Device, _ done: Reply) {
    let listed = trays[device.identity.user]?.tray.list(for: device.id) ?? []
    send(.notifications(listed), to: device.id)
    send(.answer(done.id, .done(seq: nil)), to: device.id)
  }
}

extension InvitationAnswer {
  /// What an action of a category answers; `nil` if it is no answer.
  ///
  /// The category comes before the action: the same action of another category means nothing here.
  init?(_ actionID: String, category: String?) {
    switch (category, actionID) {
    case (NotificationCategory.groupWatchInviteID, ActionIdentifier.accept): self = .accepted
    case (NotificationCategory.groupWatchInviteID, ActionIdentifier.decline): self = .declined
    default: return nil
    }
  }
}

// MARK: Who is there

extension Coordinator {
  /// A device has said hello: it is told what stands, or is another person's from here on.
  mutating func tellTray(of device: Device) {
    guard let owner = trayIndex.owners[device.id] else { return }
    guard owner == device.identity.user else { return takeOver(device) }
    perform(.connected(device.id), on: owner)
  }

  private mutating func takeOver(_ device: Device) {
    guard let owner = trayIndex.owners[device.id], owner != device.identity.user else { return }
    perform(.unregister(device.id), on: owner)
  }

  /// A device is not expected back on a connection: what stands goes to its push service.
  mutating func tellTray(ofAbsent device: Device) {
    let user = device.identity.user
    guard trayIndex.owners[device.id] == user, trays[user]?.tray.entries.isEmpty == false else {
      return
    }
    perform(.presenceChanged, on: user)
  }

  /// What became of an attempt to push.
  mutating func take(_ result: PushResult, of attempt: PushAttempt) {
    perform(
      TrayWork(
        command: .pushEnded(
          attempt.notification, to: attempt.device, attempt: attempt.number, result)),
      on: attempt.user)
  }
}
