import Vocabulary

/// A notification that stands on a device until something is done about it.
struct StandingNotification: Equatable, Sendable {
  let notification: UserNotification
  /// One with the same takes its place.
  let collapseID: String?
  /// When it goes by itself.
  let expires: Instant?

  var id: NotificationID { notification.id }

  init(_ remote: RemoteNotification, in texts: [String: String]) {
    notification = UserNotification(
      id: remote.id, date: remote.date, content: NotificationContent(remote.payload, in: texts),
      trigger: .push)
    collapseID = remote.collapseID
    expires = remote.expires
  }

  init(_ request: NotificationRequest, at date: Instant) {
    notification = UserNotification(
      id: request.id, date: date, content: request.content, trigger: request.trigger)
    collapseID = nil
    expires = nil
  }

  /// Whether this one takes the place of another.
  func replaces(_ other: StandingNotification) -> Bool {
    id == other.id || collapseID != nil && collapseID == other.collapseID
  }
}

/// The server's notifications that a device had to do with, as far back as is remembered.
struct SeenNotifications: Equatable, Sendable {
  /// In the order in which they were first heard of.
  private var entries: [Entry] = []

  private struct Entry: Equatable, Sendable {
    let id: NotificationID
    var hasArrived = false
    var wasReceived = false
    var wasAnswered = false
  }

  /// Notes that one arrived; no, if it had, or was answered already.
  mutating func arrive(_ id: NotificationID, limit: Int) -> Bool {
    let place = place(of: id, limit)
    let isNew = !entries[place].hasArrived && !entries[place].wasAnswered
    entries[place].hasArrived = true
    return isNew
  }

  /// Notes that the reception handler hears of one, and says whether it did before.
  mutating func receive(_ id: NotificationID, limit: Int) -> Bool {
    let place = place(of: id, limit)
    defer { entries[place].wasReceived = true }
    return entries[place].wasReceived
  }

  /// Notes that a person did something about one.
  mutating func answer(_ id: NotificationID, limit: Int) {
    entries[place(of: id, limit)].wasAnswered = true
  }

  /// Notes that the server knows what a person did about one.
  mutating func hear(_ id: NotificationID) {
    guard let place = entries.lastIndex(where: { $0.id == id }) else { return }
    entries[place].wasAnswered = false
  }

  /// Whether a person did something about one that the server may not know yet.
  func isAnswered(_ id: NotificationID) -> Bool {
    entries.contains { $0.id == id && $0.wasAnswered }
  }

  /// Where one is remembered from now on; the oldest beyond the limit is forgotten.
  private mutating func place(of id: NotificationID, _ limit: Int) -> Int {
    if let place = entries.lastIndex(where: { $0.id == id }) { return place }
    if entries.count >= limit, !entries.isEmpty { entries.removeFirst() }
    entries.append(Entry(id: id))
    return entries.count - 1
  }

  /// How many are remembered.
  var count: Int { entries.count }
}
