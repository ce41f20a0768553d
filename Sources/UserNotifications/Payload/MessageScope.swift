public import Vocabulary

/// Whose a topic or a bucket is: `st`, and the owner's name in `su`, `sg` or `sth`.
public enum MessageScope: Hashable, Sendable {
  /// Everybody's.
  case app
  case user(UserID)
  case group(GroupID)
  /// A device without a person, such as a screen in a hall.
  case thing(String)

  var name: String {
    switch self {
    case .app: "APP"
    case .user: "APP_AND_USER"
    case .group: "APP_AND_GROUP"
    case .thing: "APP_AND_THING"
    }
  }
}

extension MessageScope {
  /// The scope that a message tells; `nil` if it tells none, or not whose.
  init?(_ fields: [String: PayloadValue]) {
    switch fields[.scopeType]?.string {
    case "APP": self = .app
    case "APP_AND_USER":
      guard let user = fields[.scopeUser]?.string else { return nil }
      self = .user(UserID(user))
    case "APP_AND_GROUP":
      guard let group = fields[.scopeGroup]?.string else { return nil }
      self = .group(GroupID(group))
    case "APP_AND_THING":
      guard let thing = fields[.scopeThing]?.string else { return nil }
      self = .thing(thing)
    default: return nil
    }
  }

  /// Adds the scope to a message.
  func write(app: String, to fields: inout [String: PayloadValue]) {
    fields[.scopeType] = .string(name)
    fields[.scopeApp] = .string(app)
    switch self {
    case .app: break
    case .user(let user): fields[.scopeUser] = .string(user.text)
    case .group(let group): fields[.scopeGroup] = .string(group.text)
    case .thing(let thing): fields[.scopeThing] = .string(thing)
    }
  }
}
