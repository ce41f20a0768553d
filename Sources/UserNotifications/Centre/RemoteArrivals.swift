import Vocabulary

/// Notifications of the server that arrived and are not acknowledged yet.
struct RemoteArrivals: Equatable, Sendable {
  private var all: [Arrival] = []

  /// What is known of one of them.
  struct Arrival: Equatable, Sendable {
    let id: NotificationID
    let isForUser: Bool
    var showing = Showing.notPresented
    var reception = Reception.none

    enum Showing: Equatable, Sendable {
      case asked
      case presented
      case notPresented
    }

    enum Reception: Equatable, Sendable {
      case none
      case running
      case ended(DeliveryResult)
    }

    /// What the server is told; `nil` while a handler is at work.
    fileprivate var result: DeliveryResult? {
      switch (reception, showing) {
      case (.running, _), (_, .asked): nil
      case (.ended(let result), _): result
      case (.none, .presented): .presented
      case (.none, .notPresented): isForUser ? .notPresented : .noData
      }
    }
  }

  func contains(_ id: NotificationID) -> Bool { all.contains { $0.id == id } }

  mutating func append(_ arrival: Arrival) { all.append(arrival) }

  /// Changes an arrival, and takes it out if no handler is at work on it any more.
  ///
  /// - Returns: what the server is then told.
  mutating func settle(
    _ id: NotificationID, _ change: (inout Arrival) -> Void
  ) -> DeliveryResult? {
    guard let place = all.firstIndex(where: { $0.id == id }) else { return nil }
    change(&all[place])
    guard let result = all[place].result else { return nil }
    all.remove(at: place)
    return result
  }
}

/// What happened to the server's notifications on this device, as far back as is remembered.
struct SeenNotifications: Equatable, Sendable {
  /// In the order in which they were first heard of.
  private var entries: [Entry] = []

  private struct Entry: Equatable, Sendable {
    let id: NotificationID
    var hasArrived = false
    var wasReceived = false
    /// Whether a response or a removal is on its way to the server.
    var isPutAway = false
  }

  /// Notes that one arrived; `false` if it had arrived or was put away before.
  mutating func arrive(_ id: NotificationID, limit: Int) -> Bool {
    let place = place(of: id, limit)
    let isNew = !entries[place].hasArrived && !entries[place].isPutAway
    entries[place].hasArrived = true
    return isNew
  }

  /// Notes that the reception handler hears of one, and says whether it did before.
  mutating func receive(_ id: NotificationID, limit: Int) -> Bool {
    let place = place(of: id, limit)
    defer { entries[place].wasReceived = true }
    return entries[place].wasReceived
  }

  /// Notes that a person responded to one, or that it was removed.
  mutating func putAway(_ id: NotificationID, limit: Int) {
    entries[place(of: id, limit)].isPutAway = true
  }

  /// Notes that the server knows of the response or the removal, or never will.
  mutating func hear(_ id: NotificationID) {
    guard let place = entries.lastIndex(where: { $0.id == id }) else { return }
    entries[place].isPutAway = false
  }

  /// Whether one was put away and the server may not know yet.
  func isPutAway(_ id: NotificationID) -> Bool {
    entries.contains { $0.id == id && $0.isPutAway }
  }

  /// Where one is remembered from now on; the oldest beyond the limit is forgotten.
  private mutating func place(of id: NotificationID, _ limit: Int) -> Int {
    if let place = entries.lastIndex(where: { $0.id == id }) { return place }
    if entries.count >= limit, !entries.isEmpty { entries.removeFirst() }
    entries.append(Entry(id: id))
    return entries.count - 1
  }
}
