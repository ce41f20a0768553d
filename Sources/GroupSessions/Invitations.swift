package import Vocabulary

/// A session's invitations, at most one per person.
package struct Invitations: Equatable, Sendable {
  private var people = Roster<Invitation>()
  /// When the first pending invitation expires; cached, because every command asks for the
  /// session's next deadline.
  package private(set) var nextExpiry: Instant?
  /// How many bytes all take as JSON at most.
  private(set) var bytes = 0

  package init() {}

  /// Makes invitations; of two for the same person, the last one counts.
  package init(_ invitations: some Sequence<Invitation>) {
    enter(invitations)
  }

  /// The number of invitations in any state.
  package var count: Int { people.count }

  /// All invitations, ordered by the people's identifiers.
  package var values: some RandomAccessCollection<Invitation> { people.values }

  package subscript(user: UserID) -> Invitation? { people[user] }

  /// The people whose pending invitations have expired, in order.
  package func expired(by now: Instant) -> [UserID] {
    guard let nextExpiry, nextExpiry <= now else { return [] }
    return people.values.filter { $0.state == .pending && $0.expires <= now }.map(\.user)
  }

  mutating func enter(_ invitations: some Sequence<Invitation>) {
    for invitation in invitations {
      bytes += invitation.byteBound - (people[invitation.user]?.byteBound ?? 0)
      people.enter(invitation)
    }
    noteNextExpiry()
  }

  /// Records an answer to a pending invitation.
  mutating func answer(_ user: UserID, _ answer: InvitationAnswer, on device: DeviceID?) {
    guard let asked = people[user] else { return }
    bytes -= asked.byteBound
    people.change(user) {
      $0.state =
        switch answer {
        case .accepted: .accepted
        case .declined: .declined
        }
      $0.device = device
    }
    bytes += people[user]?.byteBound ?? 0
    noteNextExpiry()
  }

  /// Ends pending invitations without an answer.
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
