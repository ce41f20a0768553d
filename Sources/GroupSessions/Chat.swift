package import Vocabulary

/// The last lines of chat in a session, which whoever joins later gets with its state.
///
/// It keeps what was said to everyone; a line for some only stays theirs.
package struct Chat: Equatable, Sendable {
  /// A line, as it was sent.
  package struct Line: Equatable, Sendable {
    /// The number of the event.
    package let seq: Int
    package let at: Instant
    package let by: ParticipantID
    /// The sender's name; the sender may have left.
    package let name: String
    package let payload: JSONText

    package init(seq: Int, at: Instant, by: ParticipantID, name: String, payload: JSONText) {
      self.seq = seq
      self.at = at
      self.by = by
      self.name = name
      self.payload = payload
    }
  }

  /// The first field of a line's payload.
  package static let field = "chat"
  fileprivate static let beginning = "{\"\(field)\":"

  /// What a window shows, and what somebody who comes late reads.
  package static let maximumLines = 50
  /// A twentieth of what a session may take, because everybody who joins gets it.
  package static let maximumBytes = 48 * 1024

  /// The oldest first.
  package private(set) var lines: [Line] = []
  /// How many bytes they take as JSON at most.
  private(set) var bytes = 0

  /// No lines, or those of a snapshot.
  package init(_ lines: [Line] = []) {
    for line in lines { add(line) }
  }

  /// Adds a line, and forgets the oldest ones beyond the bounds.
  mutating func add(_ line: Line) {
    lines.append(line)
    bytes += line.byteBound
    while lines.count > Self.maximumLines || bytes > Self.maximumBytes {
      bytes -= lines.removeFirst().byteBound
    }
  }
}

extension Chat.Line {
  package var byteBound: Int {
    Self.fixedBytes + seq.byteBound + at.microseconds.byteBound + by.byteBound + name.byteBound
      + payload.byteBound
  }

  /// The names of all fields.
  private static let fixedBytes = 48
}

extension JSONText {
  /// Whether it is a line of chat: an object whose first field is ``Chat/field``.
  var isChat: Bool { text.hasPrefix(Chat.beginning) }
}
