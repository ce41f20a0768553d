import UserNotifications
import Vocabulary

/// Which person a device or a token belongs to, and who subscribes to a topic.
struct TrayIndex: Equatable, Sendable {
  /// The person whose notifications a device gets.
  private(set) var owners: [DeviceID: UserID] = [:]
  /// The person who registered last with a push service's token.
  private(set) var tokens: [String: UserID] = [:]
  private(set) var subscribers: [TopicID: Set<UserID>] = [:]

  /// Updates the index where a tray changed.
  ///
  /// An unchanged installation is not added again, because another person may have taken its device
  /// or token over before this tray hears of it.
  mutating func update(_ user: UserID, from old: NotificationTray, to new: NotificationTray) {
    if old.installations != new.installations {
      for gone in old.installations where !new.installations.contains(gone) {
        remove(gone, of: user)
      }
      for added in new.installations where !old.installations.contains(added) {
        add(added, of: user)
      }
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

  /// Another person may have taken the device or token over already.
  private mutating func remove(_ installation: Installation, of user: UserID) {
    if owners[installation.device] == user { owners[installation.device] = nil }
    if let token = installation.endpoint?.token, tokens[token] == user { tokens[token] = nil }
  }
}

/// The parts of the trays that ``Groups`` needs for invitations; ``People`` tells them.
struct Reach: Equatable, Sendable {
  /// The people with a registered device.
  private var reachable: Set<UserID> = []
  /// The people who subscribed to a group's topic.
  private var subscribers: [TopicID: Set<UserID>] = [:]

  mutating func set(_ user: UserID, _ isReachable: Bool) {
    if isReachable { reachable.insert(user) } else { reachable.remove(user) }
  }

  mutating func set(_ user: UserID, of topic: TopicID, _ isSubscribed: Bool) {
    guard case .group? = TopicOwner(topic) else { return }
    if isSubscribed {
      subscribers[topic, default: []].insert(user)
    } else {
      subscribers[topic]?.remove(user)
      if subscribers[topic]?.isEmpty == true { subscribers[topic] = nil }
    }
  }

  /// The topics of a group to which a person subscribed.
  func topics(of group: GroupID, subscribedBy user: UserID) -> [TopicID] {
    subscribers.filter { $0.value.contains(user) && TopicOwner($0.key) == .group(group) }
      .keys.sorted()
  }

  /// The members whom notifications reach, and the subscribers of the group's topic.
  ///
  /// Members without a registered device get the offer only. Members come first: a session invites a
  /// limited number of people.
  func people(toInviteTo id: GroupID, of members: some Sequence<UserID>, by initiator: UserID)
    -> [UserID]
  {
    var present = Set(members).intersection(reachable)
    present.remove(initiator)
    var absent = (id.topic.flatMap { subscribers[$0] } ?? []).subtracting(present)
    absent.remove(initiator)
    return present.sorted() + absent.sorted()
  }
}

/// The owner of a topic, who decides who may publish and subscribe.
enum TopicOwner: Equatable, Sendable {
  /// Members publish and subscribe; whoever subscribed stays subscribed after leaving, unless they
  /// are removed for good, or show a token that does not name the group.
  case group(GroupID)
  /// Only this person publishes and subscribes.
  case user(UserID)
  /// The administrator publishes; anybody may subscribe.
  case app

  /// Parses a topic's name: `group/GROUP` or `user/USER`, optionally with a further name, or
  /// `app/NAME`; `nil` for other names.
  init?(_ topic: TopicID) {
    let parts = topic.text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 3, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    switch (parts[0], parts.count) {
    case ("group", 2...): self = .group(GroupID(String(parts[1])))
    case ("user", 2...): self = .user(UserID(String(parts[1])))
    case ("app", 2): self = .app
    default: return nil
    }
  }

  var isGroup: Bool { if case .group = self { true } else { false } }

  var scope: MessageScope {
    switch self {
    case .group(let group): .group(group)
    case .user(let user): .user(user)
    case .app: .app
    }
  }
}

extension GroupID {
  /// The topic for what the group starts; `nil` if no topic can name the group.
  var topic: TopicID? {
    let topic = TopicID("group/\(text)")
    return TopicOwner(topic) == .group(self) ? topic : nil
  }
}
