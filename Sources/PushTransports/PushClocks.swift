package import Vocabulary

/// The two clocks of pushes; any thread may read them.
package struct PushClocks: Sendable {
  private let group: @Sendable () -> Instant
  private let wall: @Sendable () -> Instant

  /// Combines two clocks.
  ///
  /// - Parameters:
  ///   - group: the group's common time, which never steps, and may be wrong until the machine's
  ///     next start. Expiries are told by it.
  ///   - wall: the time of day, which may step. Push services compare it with their own.
  package init(
    group: @escaping @Sendable () -> Instant, wall: @escaping @Sendable () -> Instant
  ) {
    self.group = group
    self.wall = wall
  }

  func read() -> PushTime { PushTime(group: group(), wall: wall()) }
}

/// One instant by both clocks.
struct PushTime: Equatable, Sendable {
  var group: Instant
  var wall: Instant

  /// The time of day at an instant of the group's time.
  func wall(at instant: Instant) -> Instant { wall + (instant - group) }

  /// The group's time at a time of day.
  func group(at instant: Instant) -> Instant { group + (instant - wall) }
}

extension Instant {
  /// The largest step back of the time of day that is no reason to make new tokens.
  ///
  /// Time servers correct a clock by less than a second at a time; Apple rejects tokens that are
  /// renewed too often.
  private static let smallStep = Duration.seconds(60)

  /// Whether something made at `start` is still in use, by the time of day.
  ///
  /// It is not if the clock was set back since, because then the time at which it was made has not
  /// come yet.
  func isInUse(since start: Instant, for use: Duration) -> Bool {
    let age = self - start
    return age > .zero - Self.smallStep && age < use
  }
}
