import GroupSessions

/// What a session does when a person dismisses the message that hosts the watching.
///
/// Dismissed is what the person did away with. A message that is covered, replaced by another one or
/// drawn anew, or whose connection is gone for a while, is not dismissed. The last one out ends a
/// session under every policy.
public enum DismissalPolicy: Hashable, Sendable, CaseIterable {
  /// The initiator's dismissal, on any device of theirs, ends it for all; anybody else's is a leaving.
  case endsWithInitiator
  /// Anybody's dismissal ends it for all.
  case endsForEveryone
  /// A dismissal is a leaving, whoever's it is.
  case leavesOnly

  init(_ policy: GroupSessions.DismissalPolicy) {
    switch policy {
    case .endsWithInitiator: self = .endsWithInitiator
    case .endsForEveryone: self = .endsForEveryone
    case .leavesOnly: self = .leavesOnly
    }
  }

  var value: GroupSessions.DismissalPolicy {
    switch self {
    case .endsWithInitiator: .endsWithInitiator
    case .endsForEveryone: .endsForEveryone
    case .leavesOnly: .leavesOnly
    }
  }
}
