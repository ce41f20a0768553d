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

/// Whom notifications reach, as far as groups have to know: told by ``People``.
struct Reach: Equatable, Sendable {
  /// Who has a place for notifications.
  private var reachable: Set<UserID> = []
  /// Who hears of what groups start.
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

  /// Everybody else of the group whom a notification can reach, and whoever wants to hear of it.
  ///
  /// Members without a place for notifications have the offer, and would learn of nothing else.
  func people(toInviteTo id: GroupID, of members: some Sequence<UserID>, by initiator: UserID)
    -> [UserID]
  {
    var people = id.topic.flatMap { subscribers[$0] } ?? []
    for member in members where reachable.contains(member) { people.insert(member) }
    people.remove(initiator)
    return people.sorted()
  }
}

/// Whose a topic is, which decides who may speak there and who may listen.
enum TopicOwner: Equatable, Sendable {
  /// Members say things there; anybody may listen, as anybody may join.
  case group(GroupID)
  /// Only its person speaks and listens there.
  case user(UserID)
  /// The administrator says things there, for anybody.
  case app

  /// Whose a topic is by its name: `group/GROUP`, `user/USER`, each alone or with a name behind it,
  /// or `app/NAME`; `nil` if the name is none of these.
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

  /// The scope that messages name.
  var scope: MessageScope {
    switch self {
    case .group(let group): .group(group)
    case .user(let user): .user(user)
    case .app: .app
    }
  }
}

extension GroupID {
  /// The topic of whoever wants to hear what the group starts; `nil` if no topic can name the group.
  var topic: TopicID? {
    let topic = TopicID("group/\(text)")
    return TopicOwner(topic) == .group(self) ? topic : nil
  }
}
