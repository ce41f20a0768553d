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
