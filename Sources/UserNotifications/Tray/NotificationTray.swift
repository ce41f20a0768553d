package import Vocabulary

/// One person's notifications on the server: the person's devices and subscriptions, the
/// notifications that stand, and the pushes that are still to be made.
///
/// Pure and event-sourced like a group's session: ``decide(_:at:under:)`` judges a command, and
/// ``evolve(_:at:)`` applies an event. Each command says which devices are connected. A
/// notification stands until somebody responds to it, or until it is revoked, removed, replaced or
/// expires; one for apps alone stands until all apps have it. Feed `.clockAdvanced` once
/// ``nextDeadline`` has passed.
package struct NotificationTray: Equatable, Sendable {
  package let user: UserID
  /// The number of the last event; 0 before the first.
  package internal(set) var seq: Int
  /// The devices that notifications go to, in the order in which they registered.
  package internal(set) var installations: [Installation]
  package internal(set) var subscriptions: Set<Subscription>
  /// The notifications that stand, the oldest first.
  package internal(set) var entries: [TrayEntry]
  /// The last notifications that ended, the latest last: a response to one comes too late, and one
  /// is not posted again.
  package internal(set) var past: [NotificationID]

  /// How many ended notifications are remembered.
  ///
  /// It is no setting, because a replay must give the same state.
  static let mostPast = 128

  /// A person's tray, empty or from a snapshot.
  package init(
    _ user: UserID, seq: Int = 0, installations: [Installation] = [],
    subscriptions: Set<Subscription> = [], entries: [TrayEntry] = [],
    past: [NotificationID] = []
  ) {
    self.user = user
    self.seq = seq
    self.installations = installations
    self.subscriptions = subscriptions
    self.entries = entries
    self.past = past
  }

  /// When `.clockAdvanced` is due; `nil` while only a command can change anything.
  package var nextDeadline: Instant? {
    entries.reduce(nil) { Instant.earlier($0, $1.nextDeadline) }
  }

  /// Whether the person has registered a device or subscribed to something.
  package var isUsed: Bool { !installations.isEmpty || !subscriptions.isEmpty }

  /// Whether nothing about the person needs to be remembered.
  package var isBlank: Bool { !isUsed && entries.isEmpty }
}

// MARK: Reading off

extension NotificationTray {
  package func installation(on device: DeviceID) -> Installation? {
    installations.first { $0.device == device }
  }

  /// The standing notification with that id.
  package subscript(id: NotificationID) -> TrayEntry? { entries.first { $0.id == id } }

  /// The standing notification that a later one with that collapse id replaces.
  package func entry(collapsing collapseID: String) -> TrayEntry? {
    entries.first { $0.notification.collapseID == collapseID }
  }

  /// The notifications that a connected device is told of, the oldest first: all that stand for it.
  ///
  /// Of those for apps alone, only the ones that the device does not have.
  package func list(for device: DeviceID) -> [ListedNotification] {
    guard let installation = installation(on: device) else { return [] }
    return entries.compactMap { entry in
      let delivery = entry.deliveries[device]
      let hasArrived = delivery?.hasArrived == true
      guard let notification = entry.notification(for: installation, over: .connection),
        !(hasArrived && !notification.payload.isForUser)
      else { return nil }
      return ListedNotification(
        notification, isNew: !hasArrived, isPutAway: delivery?.isPutAway == true)
    }
  }
}

extension TrayEntry {
  /// Whether the push service of a device is told of the notification while the device has no
  /// connection.
  ///
  /// A browser must show something for each push: after pushes that show nothing, Safari withdraws
  /// the person's permission, Chrome shows a line of its own, and Firefox delivers fewer. So a
  /// browser's push service is told only of what shows a text, and of what revokes one. The rest
  /// waits until the page connects.
  func isForPushService(of installation: Installation) -> Bool {
    guard let transport = installation.endpoint?.transport,
      let payload = notification(for: installation, over: transport)?.payload
    else { return false }
    return transport != .webPush || payload.alert != nil || !payload.revokes.isEmpty
  }

  /// Whether a device without a connection is owed a push: it has not reported the notification,
  /// and its push service was not asked yet.
  func isOwed(to installation: Installation) -> Bool {
    deliveries[installation.device] == nil && isForPushService(of: installation)
  }

  /// Whether nothing more can be done for a device.
  func isDone(for installation: Installation) -> Bool {
    if let delivery = deliveries[installation.device] {
      return delivery.hasArrived || delivery.nextPush == nil
    }
    return !addressing.reaches(installation, over: .connection) && !isOwed(to: installation)
  }
}

extension NotificationTray {
  /// Judges one command.
  ///
  /// - Parameters:
  ///   - command: what someone wants, or what happened.
  ///   - now: the command's instant.
  ///   - conditions: the bounds, and which of the person's devices have a connection.
  /// - Returns: what happened, to be numbered from `seq + 1`, and what is to be done about it.
  /// - Throws: why it may not be, with nothing changed.
  package func decide(
    _ command: TrayCommand, at now: Instant, under conditions: TrayConditions
  ) throws(TrayRejection) -> TrayDecision {
    var draft = TrayDraft(self, at: now, under: conditions)
    switch command {
    case .register(let device, let mode, let isDevelopment, let endpoint):
      try draft.register(
        Installation(
          device: device, mode: mode, isDevelopment: isDevelopment, endpoint: endpoint,
          registered: now))
    case .unregister(let device): draft.unregister(device, .unregistered)
    case .tokenTaken(let token): draft.giveUp(token, except: nil)
    case .subscribe(let subscription): try draft.subscribe(subscription)
    case .unsubscribe(let subscription): draft.unsubscribe { $0 == subscription }
    case .objectsOver(let objects):
      draft.unsubscribe { subscription in subscription.object.map(objects.contains) == true }
    case .post(let notification, let addressing): try draft.post(notification, addressing)
    case .report(let id, let report, let device): try draft.report(id, report, on: device)
    case .remove(let ids): draft.end(ids, .removed)
    case .revoke(let ids): draft.end(ids, .revoked)
    case .connected(let device): draft.tell(device)
    case .presenceChanged: break
    case .pushEnded(let id, let device, let endpoint, let attempt, let result):
      draft.pushEnded(id, to: device, at: endpoint, attempt: attempt, result)
    case .wipe: draft.wipe()
    case .clockAdvanced: draft.clockAdvanced()
    }
    draft.settle()
    return draft.decision
  }
}

extension NotificationTray {
  /// Applies an event, and counts it.
  package mutating func evolve(_ event: TrayEvent, at now: Instant) {
    seq += 1
    switch event {
    case .registered(let installation): add(installation)
    case .unregistered(let device, _): forget(device)
    case .subscribed(let subscription): subscriptions.insert(subscription)
    case .unsubscribed(let subscription): subscriptions.remove(subscription)
    case .posted(let notification, let addressing):
      entries.makeRoom()
      entries.append(TrayEntry(notification, addressing))
    case .pushing(let id, let devices, let until):
      for device in devices { changeDelivery(of: id, to: device) { $0.beginPush(until: until) } }
    case .pushed(let id, let device):
      changeDelivery(of: id, to: device) { $0.endPush() }
    case .pushPostponed(let id, let device, let until):
      changeDelivery(of: id, to: device) { $0.nextPush = until }
    case .pushRefused(let id, let device):
      changeDelivery(of: id, to: device) { $0.nextPush = nil }
    case .pushSpared(let id, let device): change(id) { $0.deliveries[device] = nil }
    case .acknowledged(let id, let result, let device):
      changeDelivery(of: id, to: device) { $0.acknowledge(result) }
    case .putAway(let id, let device): putAway(id, on: device)
    case .responded(let id, let response):
      change(id) { $0.response = response }
      if let device = response.device { putAway(id, on: device) }
    case .ended(let ids, _): end(ids)
    case .wiped: self = NotificationTray(user, seq: seq)
    }
  }

  private mutating func add(_ installation: Installation) {
    installations.removeAll { $0.device == installation.device }
    installations.makeRoom()
    installations.append(installation)
  }

  private mutating func forget(_ device: DeviceID) {
    installations.removeAll { $0.device == device }
    installations.giveBackRoom()
    for place in entries.indices { entries[place].deliveries[device] = nil }
  }

  private mutating func putAway(_ id: NotificationID, on device: DeviceID) {
    changeDelivery(of: id, to: device) { $0.putAway() }
  }

  /// Ended notifications for apps alone are not remembered: nobody responds to them, and there are
  /// too many.
  private mutating func end(_ ids: [NotificationID]) {
    past += entries.filter { $0.notification.payload.isForUser && ids.contains($0.id) }.map(\.id)
    entries.removeAll { ids.contains($0.id) }
    entries.giveBackRoom()
    past.removeFirst(max(0, past.count - Self.mostPast))
  }

  private mutating func change(_ id: NotificationID, _ change: (inout TrayEntry) -> Void) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
    change(&entries[place])
  }

  /// Deliveries to unregistered devices are not kept, so that reports from ever new devices cannot
  /// fill the memory.
  private mutating func changeDelivery(
    of id: NotificationID, to device: DeviceID, _ change: (inout TrayDelivery) -> Void
  ) {
    guard installation(on: device) != nil else { return }
    self.change(id) { entry in
      var delivery = entry.deliveries[device] ?? TrayDelivery()
      change(&delivery)
      entry.deliveries[device] = delivery
    }
  }
}
