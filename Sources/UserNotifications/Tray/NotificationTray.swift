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
