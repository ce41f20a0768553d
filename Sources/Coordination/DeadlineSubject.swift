import Vocabulary

/// Who of the coordinator's is woken when time passes.
enum DeadlineSubject: Hashable, Sendable {
  case group(GroupID)
  case session(SessionID)
  case user(UserID)
  case tray(UserID)
  /// A stop waits no longer for the journal.
  case stop
}
