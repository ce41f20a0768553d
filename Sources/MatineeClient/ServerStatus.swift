import GroupSessions
import Playback
public import Vocabulary
import Wire

/// What goes on at a server.
public struct ServerStatus: Hashable, Sendable {
  /// When it was so, in the group's time.
  public let at: Instant
  /// How many connections the server has.
  public let peers: Int
  /// The groups.
  public let groups: [GroupSummary]
  /// The sessions.
  public let sessions: [SessionSummary]
  /// Where the participants' players are, as their last reports told.
  public let places: [ParticipantPlace]
  /// Whether there are more groups, behind the last one here.
  public let hasMore: Bool

  init(_ report: StatusReport) {
    at = report.at
    peers = report.peers
    groups = report.groups.map(GroupSummary.init)
    sessions = report.sessions.map { SessionSummary($0) }
    places = report.places.map { ParticipantPlace($0) }
    hasMore = report.hasMore
  }
}

/// A session as a server tells of it.
public struct SessionSummary: Hashable, Identifiable, Sendable {
  /// The session.
  public let id: SessionID
  /// Its group.
  public let group: GroupID
  /// The ``GroupActivity/activityIdentifier`` of what people do.
  public let activityIdentifier: String
  /// What they do, for people.
  public let title: String
  /// Whether somebody has to activate it first.
  public let isStaged: Bool
  /// Who has joined, longest present first, keepers among them.
  public let participants: [Participant]
  /// How many people have joined: one on two devices is one, a keeper is none.
  public var peopleCount: Int { participants.peopleCount }
  /// What is on; `nil` for an activity without media, or until somebody has it open.
  public let item: ItemID?
  /// What the item is doing.
  public let phase: PlaybackStatus.Phase?

  init(_ session: GroupSessions.GroupSession) {
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

/// Where one participant's player is, as its last report told.
public struct ParticipantPlace: Hashable, Sendable {
  /// The participant.
  public let participant: ParticipantID
  /// How far its player was from where the group was then; positive is ahead.
  public let offset: Duration
  /// How long a word to the server and back takes; `nil` if it never said.
  public let roundTrip: Duration?

  init(_ place: StatusReport.Place) {
    participant = place.participant
    offset = place.offset
    roundTrip = place.roundTrip
  }
}
