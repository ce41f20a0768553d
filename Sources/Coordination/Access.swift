import GroupSessions
package import Signatures
import Vocabulary
package import Wire

/// How people prove who they are.
package enum Access: Sendable {
  /// Not at all.
  case open
  /// By credentials that clients make, which a group's key ties to a name.
  case keys(AccessKeys)
  /// By tokens of an app's backend.
  case tokens(TokenVerifier)

  package var mode: AccessMode {
    switch self {
    case .open: .open
    case .keys: .keys
    case .tokens: .tokens
    }
  }
}

// The keys of groups.

extension Access {
  /// What a key is worth at a group's door.
  ///
  /// - Parameter group: the group; `nil` if it is not there.
  func pass(to id: GroupID, _ group: Group?, with key: String?, by user: UserID) -> Pass {
    guard case .keys(let keys) = self else { return .free }
    // The dialect has looked at the keys of its clients; it opens no groups.
    guard !Hello.isReserved(user.text) else { return group == nil ? .wrong : .free }
    guard let key else { return .nothing }
    if keys.founding.matches(key) { return .founding }
    let generation = group?.entry?.generation ?? 1
    // Equal names may differ in their bytes, of which the key is made: "é" is one letter or two.
    let isRight = keys.key(of: group?.id ?? id, generation: generation).matches(key)
    return isRight ? .key(generation: generation) : .wrong
  }

  /// The message that tells a group's members its key; `nil` if it has none.
  func keyMessage(of group: Group) -> ServerMessage? {
    key(of: group).map { .groupKey(group.id, key: $0.text) }
  }

  /// The key that opens a group now; `nil` if it has none.
  func key(of group: Group) -> Secret? {
    guard case .keys(let keys) = self, let generation = group.entry?.generation else { return nil }
    return keys.key(of: group.id, generation: generation)
  }
}
