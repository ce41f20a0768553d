import GroupSessions
import Playback
public import Vocabulary

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
