import Vocabulary

/// A decision in the making: each event is applied at once, so that later steps see its effect.
struct TrayDraft {
  private(set) var tray: NotificationTray
  var decision = TrayDecision()
  let now: Instant
  let conditions: TrayConditions

  init(_ tray: NotificationTray, at now: Instant, under conditions: TrayConditions) {
    self.tray = tray
    self.now = now
    self.conditions = conditions
  }

  var policy: TrayPolicy { conditions.policy }

  mutating func record(_ event: TrayEvent) {
    tray.evolve(event, at: now)
    decision.events.append(event)
  }

  func isConnected(_ device: DeviceID) -> Bool { conditions.connected.contains(device) }
}

// MARK: Devices and subscriptions

extension TrayDraft {
  mutating func register(_ installation: Installation) throws(TrayRejection) {
    if let endpoint = installation.endpoint {
      guard endpoint.byteCount <= policy.endpointBytes else {
        throw .tooLong(limit: policy.endpointBytes)
      }
      giveUp(endpoint.token, except: installation.device)
    }
    guard tray.installation(on: installation.device) != installation else { return }
    record(.registered(installation))
    while tray.installations.count > policy.installations,
      let next = leastReachable(except: installation.device)
    {
      unregister(next, .displaced)
    }
    tell(installation.device)
  }

  /// The device that makes way for one that registers: the oldest that neither a connection nor a
  /// push service reaches, because each closed tab of a browser leaves such a device behind; else
  /// the oldest.
  private func leastReachable(except device: DeviceID) -> DeviceID? {
    let others = tray.installations.filter { $0.device != device }
    let silent = others.first { $0.endpoint == nil && !isConnected($0.device) }
    return (silent ?? others.first)?.device
  }

  mutating func unregister(_ device: DeviceID, _ reason: InstallationEnd) {
    if tray.installation(on: device) != nil { record(.unregistered(device, reason)) }
  }

  /// A token belongs to the last device that registered with it.
  mutating func giveUp(_ token: String, except device: DeviceID?) {
    for installation in tray.installations
    where installation.endpoint?.token == token && installation.device != device {
      unregister(installation.device, .takenOver)
    }
  }

  mutating func subscribe(_ subscription: Subscription) throws(TrayRejection) {
    guard !tray.subscriptions.contains(subscription) else { return }
    guard tray.subscriptions.count < policy.subscriptions else {
      throw .tooManySubscriptions(limit: policy.subscriptions)
    }
    record(.subscribed(subscription))
  }

  mutating func unsubscribe(where matches: (Subscription) -> Bool) {
    for subscription in tray.subscriptions.filter(matches).sorted() {
      record(.unsubscribed(subscription))
    }
  }

  /// Lists the standing notifications for a device that just connected or registered.
  mutating func tell(_ device: DeviceID) {
    guard isConnected(device), tray.installation(on: device) != nil else { return }
    decision.effects.append(.list(tray.list(for: device), to: device))
  }

  mutating func wipe() {
    end(tray.entries.map(\.id), .removed, isPushed: false)
    if tray != NotificationTray(tray.user, seq: tray.seq) { record(.wiped) }
  }
}

// MARK: What stands

extension TrayDraft {
  mutating func post(_ notification: RemoteNotification, _ addressing: TrayAddressing)
    throws(TrayRejection)
  {
    guard tray[notification.id] == nil, !tray.past.contains(notification.id),
      notification.payload.isForUser || tray.installations.contains(where: addressing.isMeant)
    else { return }
    var notification = notification
    let expires = min(
      notification.expires ?? now + policy.timeToLive, now + policy.longestTimeToLive)
    guard now < expires else { throw .expired }
    notification.expires = expires
    guard notification.collapseID?.utf8.count ?? 0 <= policy.collapseBytes else {
      throw .tooLong(limit: policy.collapseBytes)
    }
    do throws(PayloadFault) {
      try addressing.options.check(notification.payload, limit: policy.payloadBytes)
    } catch { throw .payload(error) }
    if let older = notification.collapseID.flatMap(tray.entry(collapsing:)) {
      replace(older, by: TrayEntry(notification, addressing))
    }
    makeRoom()
    record(.posted(notification, addressing))
    deliver(notification.id)
  }

  /// Ends an older notification, except on devices that show the later one in its place.
  private mutating func replace(_ older: TrayEntry, by later: TrayEntry) {
    let devices = tray.installations.filter { isShown(later, on: $0) }.map(\.device)
    end([older.id], .collapsed, except: Set(devices))
  }

  /// Whether a notification shows a text on a device, which is told of it over its connection or
  /// else by its push service.
  private func isShown(_ entry: TrayEntry, on installation: Installation) -> Bool {
    guard entry.notification.payload.alert != nil else { return false }
    return isConnected(installation.device)
      ? entry.addressing.reaches(installation, over: .connection)
      : entry.isForPushService(of: installation)
  }

  /// Removes notifications for apps alone first, because apps fetch what they miss.
  mutating func makeRoom() {
    while tray.entries.count >= max(1, policy.notifications) {
      let silent = tray.entries.first { !$0.notification.payload.isForUser }
      guard let oldest = silent ?? tray.entries.first else { return }
      // A revocation that this command has posted is pushed once, as there is no room to retry it.
      if !oldest.notification.payload.revokes.isEmpty { pushOwed(oldest) }
      // A removal for lack of room is not pushed.
      end([oldest.id], .displaced, isPushed: false)
    }
  }

  /// Sends to the devices that have a connection.
  private mutating func deliver(_ id: NotificationID) {
    guard let entry = tray[id] else { return }
    for installation in tray.installations where isConnected(installation.device) {
      guard let notification = entry.notification(for: installation, over: .connection) else {
        continue
      }
      decision.effects.append(.deliver(notification, to: installation.device))
    }
  }

  /// Removes notifications from the tray and from the devices that may show them.
  ///
  /// - Parameters:
  ///   - known: the devices that know already.
  ///   - isPushed: whether those without a connection are told, too.
  mutating func end(
    _ ids: [NotificationID], _ reason: TrayEntryEnd, except known: Set<DeviceID> = [],
    isPushed: Bool = true
  ) {
    let entries = tray.entries.filter { ids.contains($0.id) }
    guard !entries.isEmpty else { return }
    record(.ended(entries.map(\.id), reason))
    let shown = entries.filter { $0.notification.payload.isForUser }
    for installation in tray.installations
    where isConnected(installation.device) && !known.contains(installation.device) {
      let ids = shown.filter { $0.addressing.reaches(installation, over: .connection) }.map(\.id)
      if !ids.isEmpty { decision.effects.append(.revoke(ids, on: installation.device)) }
    }
    if isPushed { pushRevocation(of: shown, except: known) }
  }

  /// Devices without a connection that may show one of these learn of the removal by a push.
  private mutating func pushRevocation(of entries: [TrayEntry], except known: Set<DeviceID>) {
    let devices = tray.installations.filter { installation in
      guard let transport = installation.endpoint?.transport else { return false }
      let device = installation.device
      return !known.contains(device) && !isConnected(device)
        && entries.contains { $0.deliveries[device]?.mayBeShown(over: transport) == true }
    }.map(\.device)
    guard let first = entries.first, !devices.isEmpty else { return }
    let ids = entries.map { PayloadValue.string($0.id.text) }
    let revocation = RemoteNotification(
      id: NotificationID("\(first.id)-revoked"), date: now,
      payload: .silent(["revoke": .list(ids)]), expires: now + policy.revocationLifetime)
    makeRoom()
    record(.posted(revocation, TrayAddressing(devices: devices.sorted())))
  }

  mutating func clockAdvanced() {
    let expired = tray.entries.filter { $0.notification.expires.map { $0 <= now } ?? false }
    end(expired.map(\.id), .expired)
    pushAgain()
  }
}

// MARK: What devices and people say

extension TrayDraft {
  /// A late response of a person is refused; other late reports are ignored.
  mutating func report(
    _ id: NotificationID, _ report: NotificationReport, on device: DeviceID?
  ) throws(TrayRejection) {
    switch (report, device) {
    case (.acknowledged(let result), let device?): acknowledge(id, result, on: device)
    case (.removed, let device?): putAway(id, on: device)
    case (.responded(let actionID, let text), _):
      try respond(id, TrayResponse(actionID: actionID, text: text, on: device))
    case (.acknowledged, nil), (.removed, nil): break
    }
  }

  /// `alreadyDelivered` does not change what the device reported before.
  private mutating func acknowledge(
    _ id: NotificationID, _ result: DeliveryResult, on device: DeviceID
  ) {
    guard let entry = tray[id], tray.installation(on: device) != nil else { return }
    let known = entry.deliveries[device]?.result
    guard known != result, !(known != nil && result == .alreadyDelivered) else { return }
    record(.acknowledged(id, result, on: device))
  }

  private mutating func putAway(_ id: NotificationID, on device: DeviceID) {
    guard let entry = tray[id], tray.installation(on: device) != nil,
      entry.deliveries[device]?.isPutAway != true
    else { return }
    record(.putAway(id, on: device))
  }

  /// A dismissal removes a notification from one device.
  ///
  /// Any other response ends it, unless its sender decides when it ends.
  private mutating func respond(_ id: NotificationID, _ response: TrayResponse)
    throws(TrayRejection)
  {
    guard let entry = tray[id] else {
      throw tray.past.contains(id) ? .notificationOver : .unknownNotification
    }
    guard response.byteCount <= policy.responseBytes else {
      throw .tooLong(limit: policy.responseBytes)
    }
    guard entry.response != response else { return }
    record(.responded(id, response))
    guard response.actionID != ActionIdentifier.dismissAction,
      !entry.addressing.outlivesResponse
    else { return }
    end([id], .answered, except: Set([response.device].compactMap(\.self)))
  }
}

extension Subscription: Comparable {
  /// Topics first; each kind sorted by name.
  package static func < (left: Subscription, right: Subscription) -> Bool {
    switch (left, right) {
    case (.topic(let left), .topic(let right)): left < right
    case (.topic, .object): true
    case (.object, .topic): false
    case (.object(let left), .object(let right)): left < right
    }
  }
}
