/// When a ``CoordinationManager`` joins a session that comes.
public enum JoinPolicy: Hashable, Sendable {
  /// As soon as it comes.
  case atOnce
  /// Not by itself: the app calls ``GroupSession/join()`` once it can show the media, so that nobody
  /// takes part who sees nothing.
  case byApp
}
