package import GroupSessions
package import Vocabulary

/// One line from a client to the server.
package enum ClientMessage: Equatable, Sendable {
  case hello(Hello)
  case ping(Ping)
  /// Something that gets exactly one answer, an `ok` or an `error` with the same id.
  case request(RequestID, Request)
  /// An invitation answered with the token that came with it: also without a hello, as from a
  /// notification whose app does not run. It gets exactly one answer, like a request.
  case answerInvitation(RequestID, token: String, InvitationAnswer)
  /// Where the player stands; telemetry, not answered, never the truth.
  case report(PositionReport)
  /// A message that may be dropped on the way; not answered.
  case droppable(DroppableMessage)
}

/// A number a client chooses for a request; unique among its last 256, from 0 to 2^53.
package typealias RequestID = Int64

/// The first line of every connection: who, with what, and what to go on with.
package struct Hello: Equatable, Sendable {
  /// The versions of the protocol the client speaks, such as `[1]`.
  package var versions: [Int]
  package var user: UserID
  package var device: DeviceID
  /// What others see.
  package var name: String
  /// Whether it is to keep a group and its session for others; no line can say so.
  package var isKeeper: Bool
  package var features: Set<Feature>
  package var resume: Resumption?

  /// A hello.
  package init(
    versions: [Int] = [ProtocolVersion.current], user: UserID, device: DeviceID, name: String,
    isKeeper: Bool = false, features: Set<Feature>, resume: Resumption? = nil
  ) {
    self.versions = versions
    self.user = user
    self.device = device
    self.name = name
    self.isKeeper = isKeeper
    self.features = features
    self.resume = resume
  }

  /// Begins the users and devices of peers that the server makes itself: nobody says hello as one of
  /// them by a line.
  package static let reserved = "syncplay:"

  /// Whether an identifier is that of a user or device of such a peer.
  package static func isReserved(_ text: String) -> Bool { text.hasPrefix(reserved) }
}

/// What both ends understand; unknown ones are ignored.
package struct Feature: Hashable, Sendable {
  package let text: String

  /// A feature of that name.
  package init(_ text: String) {
    self.text = text
  }

  /// The client takes part in sessions; without it, it is only told of activities.
  package static let sessions = Feature("sessions")
  /// The client pings at least every five seconds and is lost after fifteen of silence.
  package static let heartbeat = Feature("heartbeat")
}

/// The versions of the protocol.
package enum ProtocolVersion {
  /// The version this build speaks.
  package static let current = 1
}

/// What a client was when its connection broke.
package struct Resumption: Equatable, Sendable {
  /// The secret of the `welcome`.
  package var token: String
  /// The session it took part in, and the number of the last event it saw.
  package var session: SessionID?
  package var seq: Int?

  /// A resumption.
  package init(token: String, session: SessionID? = nil, seq: Int? = nil) {
    self.token = token
    self.session = session
    self.seq = seq
  }
}

/// A question for the time; RFC 5905's t1 goes out, t1 to t3 come back.
package struct Ping: Equatable, Sendable {
  /// When it was sent, on the client's own monotonic clock.
  package var sent: HostTime
  /// The 95th percentile of the client's late round trips, for the lead of common starts.
  package var roundTrip: Duration?

  /// A ping.
  package init(sent: HostTime, roundTrip: Duration? = nil) {
    self.sent = sent
    self.roundTrip = roundTrip
  }
}

/// Where a client's player stood at an instant.
package struct PositionReport: Equatable, Sendable {
  package var item: ItemID
  package var mediaTime: MediaTime
  package var at: Instant
  package var isPlaying: Bool

  /// A report.
  package init(item: ItemID, mediaTime: MediaTime, at: Instant, isPlaying: Bool) {
    self.item = item
    self.mediaTime = mediaTime
    self.at = at
    self.isPlaying = isPlaying
  }
}
