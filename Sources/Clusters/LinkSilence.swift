/// How long nothing has come over a link.
///
/// It counts beats of its own loop, so that a loop that was held up does not blame the other end.
package struct LinkSilence: Sendable {
  /// How often each end says that it lives.
  package static let pause = Duration.seconds(1)
  /// So many beats without a word mean that the other end is frozen, or cut off.
  private static let most = 5

  private var beats = 0

  /// Notes that something came.
  mutating func end() { beats = 0 }

  /// Notes a beat of this end; true if the silence is too long.
  mutating func isTooLong() -> Bool {
    beats += 1
    return beats > Self.most
  }
}
