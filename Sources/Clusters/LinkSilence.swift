package import Vocabulary

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
