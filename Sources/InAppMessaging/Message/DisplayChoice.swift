/// What an app wants done with a message that is about to be shown.
public enum DisplayChoice: Hashable, Sendable, CaseIterable, RawRepresentable {
  /// Shows it.
  case now
  /// Puts it on top of the stack; it is not used up.
  case reenqueue
  /// Drops it; it counts as used up.
  case discard

  /// An older name of ``reenqueue``.
  @available(*, deprecated, renamed: "reenqueue")
  public static var later: DisplayChoice { .reenqueue }

  /// The choice of that name; `later` is read as ``reenqueue``.
  public init?(rawValue: String) {
    switch rawValue {
    case "now": self = .now
    case "reenqueue", "later": self = .reenqueue
    case "discard": self = .discard
    default: return nil
    }
  }

  /// Its name; never `later`.
  public var rawValue: String {
    switch self {
    case .now: "now"
    case .reenqueue: "reenqueue"
    case .discard: "discard"
    }
  }
}
