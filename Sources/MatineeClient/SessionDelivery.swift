public import Vocabulary

/// Where a session that was started is delivered.
public enum SessionDelivery: Hashable, Sendable {
  /// It comes to this device.
  case here(SessionID)
  /// It comes to another device of this person's: nothing is to be played here, nor tried again.
  case elsewhere(SessionID)

  /// The session.
  public var session: SessionID {
    switch self {
    case .here(let id), .elsewhere(let id): id
    }
  }
}
