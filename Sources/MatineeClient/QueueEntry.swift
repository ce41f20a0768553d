import GroupSessions
public import Vocabulary

/// One place in a session's queue.
public struct QueueEntry: Hashable, Identifiable, Sendable {
  /// Names the place; the same item may stand in several.
  public let id: EntryID
  /// What is to be played.
  public let media: MediaItem
  /// Who put it there; `nil` for what the session began with.
  public let addedBy: ParticipantID?

  init(_ entry: GroupSessions.QueueEntry) {
    id = entry.id
    media = MediaItem(entry.media)
    addedBy = entry.addedBy
  }
}
