package import Vocabulary

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
