import UserNotifications
import Vocabulary

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
