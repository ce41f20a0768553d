import Vocabulary

/// A notification that stands on a device until the person or the server removes it.
struct StandingNotification: Equatable, Sendable {
  let notification: UserNotification
  /// A later notification with the same one replaces this one.
  let collapseID: String?
  /// When it is removed on its own.
  let expires: Instant?

  var id: NotificationID { notification.id }

  var isRemote: Bool { notification.trigger.isRemote }

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

  func isExpired(at now: Instant) -> Bool { expires.map { $0 <= now } ?? false }

  /// Whether this one replaces another.
  func replaces(_ other: StandingNotification) -> Bool {
    id == other.id || collapseID != nil && collapseID == other.collapseID
  }
}

/// The notifications that stand on a device, and the actions on them that wait for an unlock.
struct StandingNotifications: Equatable, Sendable {
  /// In the order in which they came to stand.
  private(set) var all: [StandingNotification] = []
  /// The oldest first; each is of a notification that stands.
  private var locked: [LockedAction] = []

  /// An action that waits until the person has unlocked the device.
  struct LockedAction: Equatable, Sendable {
    let id: NotificationID
    let actionID: String
    let text: String?
    let due: HostTime
  }

  subscript(id: NotificationID) -> StandingNotification? { all.first { $0.id == id } }

  /// The one that expires next.
  var nextExpiry: (instant: Instant, id: NotificationID)? {
    all.compactMap { standing in standing.expires.map { (instant: $0, id: standing.id) } }
      .min { $0.instant < $1.instant }
  }

  /// The action that runs out of time next.
  var nextLocked: LockedAction? { locked.min { $0.due < $1.due } }

  /// Those that another one replaces, whether it stands or not.
  func outdated(by later: StandingNotification) -> Set<NotificationID> {
    Set(all.filter { $0.id != later.id && later.replaces($0) }.map(\.id))
  }

  /// Lets one stand.
  ///
  /// - Returns: those that it replaces.
  mutating func add(_ candidate: StandingNotification) -> [NotificationID] {
    let replaced = remove(Set(all.filter(candidate.replaces).map(\.id)))
    all.append(candidate)
    return replaced
  }

  /// Removes notifications and the actions on them.
  ///
  /// - Returns: those of them that stood, in their order.
  mutating func remove(_ ids: Set<NotificationID>) -> [NotificationID] {
    locked.removeAll { ids.contains($0.id) }
    let gone = all.map(\.id).filter(ids.contains)
    if !gone.isEmpty { all.removeAll { ids.contains($0.id) } }
    return gone
  }

  /// Lets an action wait, in place of another on the same notification.
  ///
  /// - Returns: the notification whose action is dropped because too many wait.
  mutating func lock(_ action: LockedAction, limit: Int) -> NotificationID? {
    cancelAction(on: action.id)
    locked.append(action)
    return locked.count > limit ? locked.removeFirst().id : nil
  }

  mutating func cancelAction(on id: NotificationID) {
    locked.removeAll { $0.id == id }
  }

  /// Takes out all actions that wait, the oldest first.
  mutating func unlock() -> [LockedAction] {
    defer { locked = [] }
    return locked
  }
}

extension PresentationOptions {
  /// Those of them that have something to present, apart from the badge.
  func reduced(to content: NotificationContent) -> PresentationOptions {
    var options = intersection([.sound, .list, .banner])
    if content.sound == nil { options.remove(.sound) }
    if !content.hasText { options.subtract([.list, .banner]) }
    return options
  }
}
