import Vocabulary

// Pushes to devices that have no connection.

extension TrayDraft {
  /// After every command: starts the pushes that are owed, and ends notifications that all apps
  /// have.
  mutating func settle() {
    for entry in tray.entries { pushOwed(entry) }
    let settled = tray.entries.filter { entry in
      !entry.notification.payload.isForUser
        && tray.installations.contains { entry.addressing.isMeant(for: $0) }
        && tray.installations.allSatisfy {
          !entry.addressing.isMeant(for: $0) || entry.isDone(for: $0)
        }
    }
    if !settled.isEmpty { record(.ended(settled.map(\.id), .settled)) }
  }

  /// Starts the pushes of a notification that are owed.
  mutating func pushOwed(_ entry: TrayEntry) {
    push(entry.id, to: tray.installations.filter { !hears(entry, $0) && entry.isOwed(to: $0) })
  }

  /// Retries a push whose answer is overdue, unless the device connected in the meantime.
  mutating func pushAgain() {
    for entry in tray.entries {
      var again: [Installation] = []
      for (device, delivery) in entry.deliveries {
        guard let due = delivery.nextPush, due <= now else { continue }
        if let installation = tray.installation(on: device),
          entry.isForPushService(of: installation), !hears(entry, installation)
        {
          again.append(installation)
        } else {
          record(.pushSpared(entry.id, to: device))
        }
      }
      push(entry.id, to: again)
    }
  }

  /// Whether a device gets a notification without its push service.
  private func hears(_ entry: TrayEntry, _ installation: Installation) -> Bool {
    isConnected(installation.device)
      && entry.addressing.reaches(installation, over: .connection)
  }

  private mutating func push(_ id: NotificationID, to installations: [Installation]) {
    guard !installations.isEmpty else { return }
    record(
      .pushing(id, to: installations.map(\.device).sorted(), until: now + policy.pushPatience))
    guard let entry = tray[id] else { return }
    for installation in installations {
      guard let endpoint = installation.endpoint,
        let notification = entry.notification(for: installation, over: endpoint.transport)
      else { continue }
      decision.effects.append(
        .push(
          PushOrder(
            notification: notification, device: installation.device, endpoint: endpoint,
            attempt: entry.deliveries[installation.device]?.attempts ?? 1)))
    }
  }

  /// The result of the last attempt counts; of an earlier attempt, only success does.
  mutating func pushEnded(
    _ id: NotificationID, to device: DeviceID, at endpoint: PushEndpoint, attempt: Int,
    _ result: PushResult
  ) {
    if case .forget(let since) = result { return forget(endpoint, of: device, since: since) }
    guard let delivery = tray[id]?.deliveries[device], delivery.nextPush != nil else { return }
    let isLast = attempt == delivery.attempts
    switch result {
    case .delivered: record(.pushed(id, to: device))
    case .retry(let wait) where isLast:
      record(.pushPostponed(id, to: device, until: now + max(.zero, wait)))
    case .refused where isLast: record(.pushRefused(id, to: device))
    case .retry, .refused, .forget: break
    }
  }

  /// A device that registered again after its push service dropped it is known there again; one that
  /// registered another endpoint meanwhile is known at that.
  private mutating func forget(_ endpoint: PushEndpoint, of device: DeviceID, since: Instant) {
    guard let installation = tray.installation(on: device), installation.endpoint == endpoint,
      installation.registered <= since
    else { return }
    unregister(device, .gone)
  }
}

extension TrayAddressing {
  /// Whether the notification goes to an installation over any transport.
  func isMeant(for installation: Installation) -> Bool {
    reaches(installation, over: .connection)
      || installation.endpoint.map { reaches(installation, over: $0.transport) } ?? false
  }
}
