/// Who asks: a person's standing towards what they ask for.
package struct Asker: Equatable, Sendable {
  /// The role in the session; `nil` for somebody who does not take part.
  package var role: Role?
  /// Whether the participant acts for the server, which makes hosts of those who show that they are
  /// entitled to it.
  package var isKeeper = false
  /// Whether the person opened the group.
  package var isFounder = false
  package var isAdministrator = false

  package init(
    role: Role? = nil, isKeeper: Bool = false, isFounder: Bool = false,
    isAdministrator: Bool = false
  ) {
    self.role = role
    self.isKeeper = isKeeper
    self.isFounder = isFounder
    self.isAdministrator = isAdministrator
  }
}

/// The one gate: whether somebody may do something.
///
/// The table of all requests and roles stands in the protocol's article.
///
/// - Parameter control: who controls the session.
package func may(
  _ permission: Permission, _ who: Asker, under control: ControlPolicy = .everyone
) -> Bool {
  switch permission {
  case .administer: who.isAdministrator
  case .closeGroup, .manageMembers: who.isFounder || who.isAdministrator
  case .controlPlayback, .changeActivity, .editQueue, .endSession, .manageParticipants,
    .removeParticipants, .sendMessages, .invite:
    who.role.map { $0.permits(permission, under: control, isKeeper: who.isKeeper) } ?? false
  }
}

extension Role {
  /// The role in words.
  package var noun: String { self == .coHost ? "co-host" : rawValue }

  fileprivate func permits(
    _ permission: Permission, under control: ControlPolicy, isKeeper: Bool
  ) -> Bool {
    switch (self, permission) {
    case (.host, _): true
    case (_, .manageParticipants): isKeeper
    case (.coHost, .endSession): control == .everyone
    case (.coHost, _): true
    case (.guest, .removeParticipants): isKeeper
    case (.guest, .sendMessages): true
    case (.guest, _): control == .everyone
    case (.listener, _): false
    }
  }
}
