/// What to do if the group is in a session of something else.
public enum BusyPolicy: Hashable, Sendable {
  /// Fail with ``GroupWatchError/Code/activityInProgress``.
  case fail
  /// End that session, and begin this one.
  case replace
}
