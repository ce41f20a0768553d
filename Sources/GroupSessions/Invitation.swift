package import Vocabulary

/// One person's invitation to a session: asked once, answered once, for all their devices.
///
/// The first answer stands. To join is an answer, too; what a person does afterwards, such as leave,
/// changes nothing about it.
package struct Invitation: Identifiable, Equatable, Sendable {
  /// What became of it; all but ``pending`` are final.
  package enum State: String, Equatable, Sendable, CaseIterable {
    case pending
    case accepted
    case declined
    /// Nobody answered in time.
    case expired
    /// It was taken back.
    case revoked
  }

  package let user: UserID
  /// The number of the event that invited: an answer may name it, and is then not taken for one to a
  /// later invitation of the same person.
  package let seq: Int
  /// When it expires unless it is answered, and until when one who accepted is awaited.
  package let expires: Instant
  /// Who invited; `nil` where the session did, as when it began.
  package let inviter: UserID?
  package internal(set) var state: State
  /// The device it was answered on; `nil` where there is no answer, or it came without a device.
  package internal(set) var device: DeviceID?
  /// Whether the person took part at some time since.
  package internal(set) var hasJoined: Bool

  package var id: UserID { user }

  /// An invitation.
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

  /// Whether the person accepted where they could not join, and their next device is to do that.
  ///
  /// Not for ever: a film that starts by itself on the morning after is nobody's wish.
  package func isAwaited(at now: Instant) -> Bool {
    state == .accepted && !hasJoined && now < expires
  }

  /// Whether a participant may invite the person anew.
  ///
  /// A no is a no until the person comes by themselves. Being awaited is an invitation still.
  func mayBeRenewed(at now: Instant) -> Bool {
    switch state {
    case .pending: false
    case .accepted: !isAwaited(at: now)
    case .declined: hasJoined
    case .expired, .revoked: true
    }
  }
}

/// What a person says to an invitation.
package enum InvitationAnswer: String, Equatable, Sendable, CaseIterable {
  case accepted
  case declined
}

/// An answer on its way to a session.
package enum InvitationReply: Equatable, Sendable {
  /// Accepted on a device that joins with it, in the same decision.
  case accept(with: Joiner)
  /// Accepted where nothing can join, such as from a notification whose app does not run.
  case acceptForLater(UserID, on: DeviceID?)
  case decline(UserID, on: DeviceID?)

  /// Whose answer it is.
  package var user: UserID {
    switch self {
    case .accept(let joiner): joiner.user
    case .acceptForLater(let user, _), .decline(let user, _): user
    }
  }

  /// Where it was given, if on a device that is known.
  package var device: DeviceID? {
    switch self {
    case .accept(let joiner): joiner.device
    case .acceptForLater(_, let device), .decline(_, let device): device
    }
  }

  /// What it says.
  package var answer: InvitationAnswer {
    switch self {
    case .accept, .acceptForLater: .accepted
    case .decline: .declined
    }
  }
}
