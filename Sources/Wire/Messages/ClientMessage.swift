package import GroupSessions
package import Vocabulary

/// One line from a client to the server.
package enum ClientMessage: Equatable, Sendable {
  case hello(Hello)
  case ping(Ping)
  /// A request; it gets exactly one answer, an `ok` or an `error` with the same id.
  case request(RequestID, Request)
  /// An answer to an invitation with its token, allowed before a hello, for example from a
  /// notification while the app is not running.
  ///
  /// It gets exactly one answer, like a request.
  case answerInvitation(RequestID, token: String, InvitationAnswer)
  /// The player's position, for statistics only; not answered.
  case report(PositionReport)
  /// A message that may be dropped; not answered.
  case droppable(DroppableMessage)
}

/// The number that a client chooses for a request, from 0 to 2^53; unique among its last 256
/// requests.
package typealias RequestID = Int64

/// The first line of every connection: the person and device, their features, and what to resume.
package struct Hello: Equatable, Sendable {
  /// The protocol versions that the client supports, such as `[1]`.
  package var versions: [Int]
  package var user: UserID
  package var device: DeviceID
  /// The name that others see.
  package var name: String
  /// Whether the peer only keeps a group and its session alive for others; a line cannot set this.
  package var isKeeper: Bool
  package var features: Set<Feature>
  package var resume: Resumption?
  /// What proves that the person is `user`, where the server asks for it: a JSON Web Token, or 26
  /// letters and digits that the client made and keeps.
  package var credential: String?
  /// The code with which another device of the person lets this one in.
  package var code: String?
  /// The server's administrator key, which lets the connection do what only an administrator may.
  ///
  /// It needs no credential, and is in no group.
  package var administratorKey: String?

  package init(
    versions: [Int] = [ProtocolVersion.current], user: UserID, device: DeviceID, name: String,
    isKeeper: Bool = false, features: Set<Feature>, resume: Resumption? = nil,
    credential: String? = nil, code: String? = nil, administratorKey: String? = nil
  ) {
    self.versions = versions
    self.user = user
    self.device = device
    self.name = name
    self.isKeeper = isKeeper
    self.features = features
    self.resume = resume
    self.credential = credential
    self.code = code
    self.administratorKey = administratorKey
  }

  /// The prefix of users and devices that the server makes itself; a hello with it is refused.
  ///
  /// Journals contain these identifiers, so the prefix stays as it is.
  package static let reserved = "syncplay:"
  /// The person that an administrator's connection stands for; no hello may name it.
  package static let administrator = UserID("matinee:administrator")

  /// Whether an identifier belongs to such a peer.
  package static func isReserved(_ text: String) -> Bool {
    text.hasPrefix(reserved) || text == administrator.text
  }
}

/// How the server knows who somebody is, and who may enter a group.
package enum AccessMode: String, Equatable, Sendable, CaseIterable {
  /// People are not identified, and anybody may enter any group: for a trial on one machine.
  case open
  /// By a credential that the client made, and that the person's first joining with a group's key
  /// tied to their name.
  case keys
  /// By tokens that an app's backend signs, which name the person and their groups.
  case tokens
}

/// A feature of the protocol that an end supports; unknown features are ignored.
package struct Feature: Hashable, Sendable {
  package let text: String

  /// A feature with this name.
  package init(_ text: String) {
    self.text = text
  }

  /// The client supports sessions; otherwise it gets only notices of activities.
  package static let sessions = Feature("sessions")
  /// The client pings at least every five seconds, and counts as lost after fifteen seconds of
  /// silence.
  package static let heartbeat = Feature("heartbeat")
  /// The client may watch as a spectator, whom the session does not list.
  package static let audience = Feature("audience")
}

/// The versions of the protocol.
package enum ProtocolVersion {
  /// The version that this build supports.
  package static let current = 1
}

/// What a client resumes after its connection broke.
package struct Resumption: Equatable, Sendable {
  /// The secret from the `welcome`.
  package var token: String
  /// The session it took part in, and the number of the last event it received.
  package var session: SessionID?
  package var seq: Int?

  package init(token: String, session: SessionID? = nil, seq: Int? = nil) {
    self.token = token
    self.session = session
    self.seq = seq
  }
}

/// A request for the server's time; it carries t1 of RFC 5905, and the answer t1 to t3.
package struct Ping: Equatable, Sendable {
  /// When it was sent, on the client's monotonic clock.
  package var sent: HostTime
  /// The 95th percentile of the client's recent round trips, which the lead of common starts
  /// depends on.
  package var roundTrip: Duration?

  package init(sent: HostTime, roundTrip: Duration? = nil) {
    self.sent = sent
    self.roundTrip = roundTrip
  }
}

/// The position of a client's player at an instant.
package struct PositionReport: Equatable, Sendable {
  package var item: ItemID
  package var mediaTime: MediaTime
  package var at: Instant
  package var isPlaying: Bool

  package init(item: ItemID, mediaTime: MediaTime, at: Instant, isPlaying: Bool) {
    self.item = item
    self.mediaTime = mediaTime
    self.at = at
    self.isPlaying = isPlaying
  }
}
