public import GroupSessions
public import Vocabulary

/// What became of a wish to play something; see ``CoordinationManager/prepareToPlay(_:at:)``.
public enum PrepareOutcome: Hashable, Sendable {
  /// The group watches this very item already.
  case alreadyEnqueued
  /// The session that goes on here is about this item now.
  case updatedSession(SessionID)
  /// It is to be played here, alone; ``CoordinationManager/enqueuedMedia`` has it.
  case local(DisabledReason)
  /// A session was started; the item is enqueued when the session comes.
  case activated(SessionDelivery)
  /// The person wants neither: nothing was changed.
  case cancelled
}
