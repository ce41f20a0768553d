import UserNotifications
import Vocabulary

/// Whose trays a device, a token and a topic belong to: what no single tray knows.
struct TrayIndex: Equatable, Sendable {
  /// The person that notifications on a device are for.
  private(set) var owners: [DeviceID: UserID] = [:]
  /// The person who registered with a push service's token last.
  private(set) var tokens: [String: UserID] = [:]
  private(set) var subscribers: [TopicID: Set<UserID>] = [:]

  /// What a tray says after a change, in place of what it said before.
  mutating func update(_ user: UserID, from old: NotificationTray, to new: NotificationTray) {
    if old.installations != new.installations {
      for installation in old.installations { remove(installation, of: user) }
      for installation in new.installations { add(installation, of: user) }
    }
    guard old.subscriptions != new.subscriptions else { return }
    for case .topic(let topic) in old.subscriptions.subtracting(new.subscriptions) {
      subscribers[topic]?.remove(user)
      if subscribers[topic]?.isEmpty == true { subscribers[topic] = nil }
    }
    for case .topic(let topic) in new.subscriptions.subtracting(old.subscriptions) {
      subscribers[topic, default: []].insert(user)
    }
  }

  private mutating func add(_ installation: Installation, of user: UserID) {
    owners[installation.device] = user
    if let token = installation.endpoint?.token { tokens[token] = user }
  }

  /// Somebody else may have it already: their tray was quicker.
  private mutating func remove(_ installation: Installation, of user: UserID) {
    if owners[installation.device] == user { owners[installation.device] = nil }
    if let token = installation.endpoint?.token, tokens[token] == user { tokens[token] = nil }
  }
}
