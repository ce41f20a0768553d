/// Where a session stands for this device.
public enum SessionState: Hashable, Sendable {
  /// It is attached to the group, and waits for any member to call
  /// ``GroupSession/activateStaged()``.
  case staged
  /// It waits for this device to join.
  case waiting
  /// This device takes part.
  case joined
  /// It is over for this device, for this reason; a rejoin is another object.
  case invalidated(InvalidationReason)
}
