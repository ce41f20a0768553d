/// Where a session stands for this device.
public enum SessionState: Hashable, Sendable {
  /// It waits for this device to join.
  case waiting
  /// This device takes part.
  case joined
  /// It is over for this device, for this reason; a rejoin is another object.
  case invalidated(InvalidationReason)
}
