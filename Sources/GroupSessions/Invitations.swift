package import Vocabulary

/// A session's invitations, at most one a person.
package struct Invitations: Equatable, Sendable {
  private var people = Roster<Invitation>()
  /// When the first of those that are pending expires; kept, since every command asks for the
  /// session's next deadline.
  package private(set) var nextExpiry: Instant?

  /// No invitations.
  package init() {}

  /// Invitations; of two for one person the last one counts.
  package init(_ invitations: some Sequence<Invitation>) {
    for invitation in invitations { people.enter(invitation) }
    noteNextExpiry()
  }

  /// How many there are, whatever became of them.
  package var count: Int { people.count }

  /// Whether nobody was invited.
  package var isEmpty: Bool { people.isEmpty }

  /// All of them, in the order of the people's identifiers.
  package var values: some RandomAccessCollection<Invitation> { people.values }

  /// A person's invitation.
  package subscript(user: UserID) -> Invitation? { people[user] }

  /// The people whose invitations are pending and have expired by then, in order.
  package func expired(by now: Instant) -> [UserID] {
    guard let nextExpiry, nextExpiry <= now else { return [] }
    return people.values.filter { $0.state == .pending && $0.expires <= now }.map(\.user)
  }

  mutating func enter(_ invitations: some Sequence<Invitation>) {
    for invitation in invitations { people.enter(invitation) }
    noteNextExpiry()
  }

  /// What is pending becomes what was answered.
  mutating func answer(_ user: UserID, _ answer: InvitationAnswer, on device: DeviceID?) {
    people.change(user) {
      $0.state =
        switch answer {
        case .accepted: .accepted
        case .declined: .declined
        }
      $0.device = device
    }
    noteNextExpiry()
  }

  /// Nobody answers these any more.
  mutating func end(_ users: [UserID], as state: Invitation.State) {
    for user in users { people.change(user) { $0.state = state } }
    noteNextExpiry()
  }

  mutating func noteJoined(_ user: UserID) {
    people.change(user) { $0.hasJoined = true }
  }

  private mutating func noteNextExpiry() {
    nextExpiry = people.values.lazy.filter { $0.state == .pending }.map(\.expires).min()
  }
}
