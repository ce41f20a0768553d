package import Vocabulary

/// One person's notifications on the server: where they go, what the person wants to hear of, what
/// stands, and what is still to be pushed.
///
/// Pure and event-sourced, as a group's session is: ``decide(_:at:under:)`` judges, and
/// ``evolve(_:at:)`` makes it so. Who has a connection comes with each command. A notification
/// stands until somebody responds to it, it is taken back, removed, replaced, or expires; one for
/// apps alone until all have it. Feed `.clockAdvanced` once ``nextDeadline`` has passed.
package struct NotificationTray: Equatable, Sendable {
  package let user: UserID
  /// The number of the last event; 0 for a person nothing is known of.
  package internal(set) var seq: Int
  /// The devices that notifications go to, the one registered the longest ago first.
  package internal(set) var installations: [Installation]
  package internal(set) var subscriptions: Set<Subscription>
  /// What stands, the oldest first.
  package internal(set) var entries: [TrayEntry]
  /// What stood last for the person to see, the latest last: an answer to it came too late, and it
  /// is not posted again.
  package internal(set) var past: [NotificationID]

  /// How many of the past are remembered; no setting changes it, as what is replayed must come out
  /// the same.
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

  /// When `.clockAdvanced` is due; `nil` while only somebody's command can change anything.
  package var nextDeadline: Instant? {
    entries.reduce(nil) { Instant.earlier($0, $1.nextDeadline) }
  }

  /// Whether there is nothing to remember the person by.
  package var isBlank: Bool { installations.isEmpty && subscriptions.isEmpty && entries.isEmpty }
}

// MARK: Reading off

extension NotificationTray {
  /// Where notifications go on a device, if they do.
  package func installation(on device: DeviceID) -> Installation? {
    installations.first { $0.device == device }
  }

  /// What stands under that name.
  package subscript(id: NotificationID) -> TrayEntry? { entries.first { $0.id == id } }

  /// What stands in the place that a later notification would take.
  package func entry(collapsing collapseID: String) -> TrayEntry? {
    entries.first { $0.notification.collapseID == collapseID }
  }

  /// What a device that has a connection is to be told: all that stands for it, the oldest first.
  ///
  /// Of what is for apps alone, only what the device does not have.
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
  /// Whether a push is owed to a device that does not hear of it over a connection: nothing says that
  /// it has the notification, and nobody asked its push service yet.
  func isOwed(to installation: Installation) -> Bool {
    guard let transport = installation.endpoint?.transport else { return false }
    return deliveries[installation.device] == nil
      && addressing.reaches(installation, over: transport)
  }

  /// Whether all that could be done was done for a device.
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
    case .sessionOver(let session): draft.unsubscribe { $0.concerns(session) }
    case .post(let notification, let addressing): try draft.post(notification, addressing)
    case .report(let id, let report, let device): try draft.report(id, report, on: device)
    case .remove(let ids): draft.end(ids, .removed)
    case .revoke(let ids): draft.end(ids, .revoked)
    case .connected(let device): draft.tell(device)
    case .presenceChanged: break
    case .pushEnded(let id, let device, let attempt, let result):
      draft.pushEnded(id, to: device, attempt: attempt, result)
    case .wipe: draft.wipe()
    case .clockAdvanced: draft.clockAdvanced()
    }
    draft.settle()
    return draft.decision
  }
}

extension NotificationTray {
  /// Makes what happened so, and counts it.
  package mutating func evolve(_ event: TrayEvent, at now: Instant) {
    seq += 1
    switch event {
    case .registered(let installation):
      installations.removeAll { $0.device == installation.device }
      installations.makeRoom()
      installations.append(installation)
    case .unregistered(let device, _): forget(device)
    case .subscribed(let subscription): subscriptions.insert(subscription)
    case .unsubscribed(let subscription): subscriptions.remove(subscription)
    case .posted(let notification, let addressing):
      entries.makeRoom()
      entries.append(TrayEntry(notification, addressing))
    case .pushing(let id, let devices, let until):
      for device in devices {
        changeDelivery(of: id, to: device) {
          $0.attempts += 1
          $0.nextPush = until
        }
      }
    case .pushed(let id, let device):
      changeDelivery(of: id, to: device) {
        $0.isPushed = true
        $0.nextPush = nil
      }
    case .pushPostponed(let id, let device, let until):
      changeDelivery(of: id, to: device) { $0.nextPush = until }
    case .pushRefused(let id, let device):
      changeDelivery(of: id, to: device) { $0.nextPush = nil }
    case .pushSpared(let id, let device): change(id) { $0.deliveries[device] = nil }
    case .acknowledged(let id, let result, let device):
      changeDelivery(of: id, to: device) {
        $0.result = result
        $0.nextPush = nil
      }
    case .putAway(let id, let device): putAway(id, on: device)
    case .responded(let id, let response):
      change(id) { $0.response = response }
      if let device = response.device { putAway(id, on: device) }
    case .ended(let ids, _): end(ids)
    case .wiped: self = NotificationTray(user, seq: seq)
    }
  }

  private mutating func forget(_ device: DeviceID) {
    installations.removeAll { $0.device == device }
    installations.giveBackRoom()
    for place in entries.indices { entries[place].deliveries[device] = nil }
  }

  private mutating func putAway(_ id: NotificationID, on device: DeviceID) {
    changeDelivery(of: id, to: device) {
      $0.isPutAway = true
      $0.nextPush = nil
    }
  }

  /// Nobody answers what was for apps alone, and there is too much of that to remember.
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

  /// Of devices that notifications do not go to, nothing is remembered: whoever answers from ever
  /// other devices fills no memory.
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
