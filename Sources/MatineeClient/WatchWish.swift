import Vocabulary

/// What a person wanted last, to watch or to go, while sessions are on their way.
///
/// An activation is answered at its own time, and its session comes at another: whoever goes in
/// between is taken out of it when it comes.
struct WatchWish: Equatable, Sendable {
  /// How a person goes.
  enum Departure: Equatable, Sendable {
    case leave
    case dismiss
  }

  /// How the person went, if nothing was wanted since.
  private(set) var departure: Departure?
  /// The session that was activated here last, until it comes.
  private(set) var awaited: SessionID?

  /// The person wants to watch something.
  mutating func watch() { departure = nil }

  /// The person goes.
  mutating func depart(_ departure: Departure) { self.departure = departure }

  /// An activation was answered; its session came before, or is awaited from now on.
  ///
  /// - Returns: how to go from a session that came and is not wanted any more.
  mutating func activated(_ id: SessionID, hasCome: Bool) -> Departure? {
    guard !hasCome else { return departure }
    awaited = id
    return nil
  }

  /// A session came.
  ///
  /// - Returns: how to go from it at once, if it was activated here and is not wanted any more.
  mutating func came(_ id: SessionID) -> Departure? {
    guard id == awaited else { return nil }
    awaited = nil
    return departure
  }
}
