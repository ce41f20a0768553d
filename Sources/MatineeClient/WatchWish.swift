import Vocabulary

/// What the person last wanted, to watch or to leave, while a session is still arriving.
///
/// The answer to an activation and its session arrive separately. If the person leaves in between,
/// this device leaves the session when it arrives.
struct WatchWish: Equatable, Sendable {
  /// How a person leaves.
  enum Departure: Equatable, Sendable {
    case leave
    case dismiss
  }

  /// How the person left; `nil` if they have wanted to watch something since.
  private(set) var departure: Departure?
  /// The session that was last activated here and has not arrived yet.
  private(set) var awaited: SessionID?
  /// The session that has arrived since the person wanted to watch, or that was here then.
  private var arrived: SessionID?

  /// Records that the person wants to watch something.
  ///
  /// - Parameter current: the session that is here already. A session that the person has left does
  ///   not count, because it arrives again when it is activated again.
  mutating func watch(in current: SessionID? = nil) { (departure, arrived) = (nil, current) }

  /// Records that the person leaves.
  mutating func depart(_ departure: Departure) { self.departure = departure }

  /// Records the answer to an activation; its session has arrived already, or is awaited from now
  /// on.
  ///
  /// - Returns: how to leave a session that has arrived and is no longer wanted; `nil` to stay.
  mutating func activated(_ id: SessionID) -> Departure? {
    guard id != arrived else { return departure }
    awaited = id
    return nil
  }

  /// Records that a session arrived.
  ///
  /// - Returns: how to leave it at once, if it was activated here and is no longer wanted.
  mutating func came(_ id: SessionID) -> Departure? {
    arrived = id
    guard id == awaited else { return nil }
    awaited = nil
    return departure
  }
}
