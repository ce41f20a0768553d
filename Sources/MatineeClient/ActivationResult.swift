public import GroupSessions
public import Vocabulary

/// What is to be done about an activity; alone and not at all are different things.
public enum ActivationResult: Hashable, Sendable {
  /// Start it with the group: call `activate(on:)`.
  case activationPreferred
  /// Do it alone.
  case activationDisabled(DisabledReason)
  /// Do nothing at all: neither share it nor do it alone.
  case cancelled
  /// This very thing goes on already in a session this device is in.
  case alreadyActive(SessionID)
  /// A session of the same type goes on: call its `update(activity:)`.
  case updatesSession(SessionID)
}
