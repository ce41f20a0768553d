public import Vocabulary

/// A person's invitation to a session: one invitation and one answer for all of the person's
/// devices.
///
/// The first answer stands, and joining counts as accepting. Leaving later does not change it.
public struct Invitation: Hashable, Identifiable, Sendable {
  /// The invitation's state; all states but ``pending`` are final.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Nobody answered yet.
    case pending
    /// The person wants to take part.
    case accepted
    /// The person does not want to take part.
    case declined
    /// Nobody answered in time.
    case expired
    /// The inviter, or a host, took it back.
    case revoked
  }

  /// The invited person.
  public let user: UserID
  /// The number of the event that invited; an answer may name it, so that it does not answer a
  /// later invitation of the same person.
  public let seq: Int
  /// When a pending invitation expires, and until when a person who accepted is expected to join.
  public let expires: Instant
  /// The person who invited; `nil` if the session itself did, for example when it began.
  public let inviter: UserID?
  /// The invitation's state.
  public internal(set) var state: State
  /// The device that answered; `nil` without an answer, or if the answer names no device.
  public internal(set) var device: DeviceID?
  /// Whether the person has joined since the invitation.
  public internal(set) var hasJoined: Bool

  /// The person: a session invites each once at a time.
  public var id: UserID { user }

  package init(
    user: UserID, seq: Int, expires: Instant, inviter: UserID?, state: State = .pending,
    device: DeviceID? = nil, hasJoined: Bool = false
  ) {
    self.user = user
    self.seq = seq
    self.expires = expires
    self.inviter = inviter
    self.state = state
    self.device = device
    self.hasJoined = hasJoined
  }

  /// Whether the person accepted on a device that could not join, so that their next device should.
  ///
  /// This ends when the invitation expires: a film that starts by itself the next morning is
  /// unwanted.
  package func isAwaited(at now: Instant) -> Bool {
    state == .accepted && !hasJoined && now < expires
  }

  /// Whether a participant may invite the person again.
  ///
  /// A person who declined is not invited again until they have joined on their own. A person who
  /// is expected to join still has a valid invitation.
  func mayBeRenewed(at now: Instant) -> Bool {
    switch state {
    case .pending: false
    case .accepted: !isAwaited(at: now)
    case .declined: hasJoined
    case .expired, .revoked: true
    }
  }
}

/// A person's answer to an invitation.
package enum InvitationAnswer: String, Equatable, Sendable, CaseIterable {
  case accepted
  case declined
}

/// An answer together with the device that gives it.
package enum InvitationReply: Equatable, Sendable {
  /// Accepted on a device that joins at once.
  case accept(with: Joiner)
  /// Accepted where nothing can join, for example in a notification while the app is not running.
  case acceptForLater(UserID, on: DeviceID?)
  case decline(UserID, on: DeviceID?)

  /// The person who answers.
  package var user: UserID {
    switch self {
    case .accept(let joiner): joiner.user
    case .acceptForLater(let user, _), .decline(let user, _): user
    }
  }

  package var answer: InvitationAnswer {
    switch self {
    case .accept, .acceptForLater: .accepted
    case .decline: .declined
    }
  }
}
