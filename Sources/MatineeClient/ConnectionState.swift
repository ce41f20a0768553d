/// How a client stands to its server.
public enum ConnectionState: Hashable, Sendable {
  /// Not welcomed yet; the text says what went wrong with the last attempt, if one did.
  case connecting(String?)
  /// The server knows this device.
  case online
  /// It was online, and tries to be again; the text says what went wrong.
  case reconnecting(String)
  /// It will not try again, for this reason.
  case offline(GroupWatchError)
}
