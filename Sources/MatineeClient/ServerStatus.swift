public import GroupSessions
import Playback
public import Vocabulary
import Wire

/// A server's status.
public struct ServerStatus: Hashable, Sendable {
  /// When the status was taken, in the group's time.
  public let at: Instant
  /// The number of connections to the server.
  public let peers: Int
  /// Why people cannot do what they want, such as that the journal is full, in a sentence for people;
  /// `nil` if they can.
  public let obstacle: String?
  /// The groups.
  public let groups: [GroupSummary]
  /// The sessions.
  public let sessions: [SessionSummary]
  /// The positions of the participants' players, as last reported.
  public let places: [ParticipantPlace]
  /// The servers at which people come in, if they have links; for administrators only.
  public let servers: [ServerSummary]
  /// Whether there are more groups after the last one in ``groups``.
  public let hasMore: Bool

  init(_ report: StatusReport) {
    at = report.at
    peers = report.peers
    obstacle = report.obstacle
    groups = report.groups.map(GroupSummary.init)
    let audiences = Dictionary(
      report.audiences.map { ($0.session, $0.size) }, uniquingKeysWith: { first, _ in first })
    sessions = report.sessions.map { SessionSummary($0, audiences[$0.id] ?? AudienceSize()) }
    places = report.places.map { ParticipantPlace($0) }
    servers = report.servers.map(ServerSummary.init)
    hasMore = report.hasMore
  }
}

/// A server of a cluster.
public struct ServerSummary: Hashable, Identifiable, Sendable {
  /// The address that it advertises to the others.
  public let id: ServerID
  /// Its version.
  public let version: String
  /// The number of connections that people have there.
  public let peers: Int
  /// Whether it is the one that decides; the others take people in for it.
  public let decides: Bool
  /// Whether it sends its people to the others, and stops then.
  public let isDraining: Bool

  init(_ server: StatusReport.Server) {
    id = server.id
    version = server.version
    peers = server.peers
    decides = server.decides
    isDraining = server.isDraining
  }
}

/// A session in a server's status.
public struct SessionSummary: Hashable, Identifiable, Sendable {
  /// The session's identifier.
  public let id: SessionID
  /// The identifier of its group.
  public let group: GroupID
  /// The ``GroupActivity/activityIdentifier`` of the session's activity.
  public let activityIdentifier: String
  /// The activity's title.
  public let title: String
  /// Whether the session is staged and must be activated first.
  public let isStaged: Bool
  /// The participants, longest present first; keepers are included.
  public let participants: [Participant]
  /// How many people have joined: a person on two devices counts once, a keeper does not count.
  public var peopleCount: Int { participants.peopleCount }
  /// How many watch besides, as the session's audience.
  public let audience: AudienceSize
  /// The current item; `nil` for an activity without media, and until somebody has opened it.
  public let item: ItemID?
  /// The item's state.
  public let phase: PlaybackStatus.Phase?

  init(_ session: GroupSessions.GroupSession, _ audience: AudienceSize) {
    self.audience = audience
    id = session.id
    group = session.group
    activityIdentifier = session.activity.type
    title = session.activity.metadata.title
    isStaged = session.state == .staged
    participants = session.participants.values
      .sorted { ($0.joinedAt, $0.id) < ($1.joinedAt, $1.id) }
      .map { Participant($0, in: session) }
    let timeline = session.activity.media.flatMap { session.playback.timelines[$0.item] }
    item = timeline == nil ? nil : session.activity.media?.item
    phase = timeline.map { PlaybackStatus.Phase($0.phase) }
  }
}

/// The position of one participant's player, as last reported.
public struct ParticipantPlace: Hashable, Sendable {
  /// The participant's identifier.
  public let participant: ParticipantID
  /// The player's distance from the group's position at the report; positive is ahead.
  public let offset: Duration
  /// The 95th percentile of the round-trip times to the server; `nil` if the participant has not
  /// reported it.
  public let roundTrip: Duration?
  /// Whether the server doubts the participant's clock, and takes no frame of a pause from it: the
  /// round trip is above 500 ms.
  ///
  /// The device itself knows better: ``GroupWatchClient/isClockPoor``.
  public let isClockPoor: Bool

  init(_ place: StatusReport.Place) {
    participant = place.participant
    offset = place.offset
    roundTrip = place.roundTrip
    isClockPoor = place.isClockPoor()
  }
}
