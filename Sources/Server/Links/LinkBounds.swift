import Transports
package import Vocabulary

/// How long nothing has come over a link.
///
/// It counts beats of its own loop, so that a loop that was held up does not blame the other end.
struct LinkSilence {
  /// How often each end says that it lives.
  static let pause = Duration.seconds(1)
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

extension ConnectionLimits {
  /// The limits of a link, over which a server in front says everything.
  ///
  /// 64 MiB may wait, a few seconds of a busy machine's traffic; a line may name a hundred thousand
  /// peers before the largest session.
  static func link(_ limits: Limits) -> ConnectionLimits {
    ConnectionLimits(
      lineBytesMaximum: limits.outboundBytes + 4 * 1024 * 1024,
      backlogBytesMaximum: 64 * 1024 * 1024, droppableBytesMaximum: 8 * 1024 * 1024,
      drainTime: limits.drainDeadline)
  }
}

extension ServerID {
  /// The most bytes of a name: those of any identifier.
  package static var mostBytes: Int { Limits().identifierBytes }

  /// Whether a text can be a server's name, or its version: a short word of visible ASCII, so that it
  /// is one word of a beat and does nothing to a terminal.
  package static func canBe(_ text: some StringProtocol) -> Bool {
    (1...mostBytes).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
