package import GroupSessions
package import JSON
package import Vocabulary

/// The JSON object of a session's or a group's event.
///
/// The journal stores it as a record's body, and a line to peers contains the same bytes after the
/// fields that identify the event.
package struct EncodedEvent: Hashable, Sendable {
  /// `{"event":"lost","participant":"p-1","until":7}`.
  package let body: String

  /// An object from a journal in the current format.
  package init(body: String) {
    self.body = body
  }

  /// Encodes an event; the writer's memory is reused.
  package init(_ event: SessionEvent, with writer: inout JSONWriter) {
    self.init(event, &writer)
  }

  /// Encodes an event; the writer's memory is reused.
  package init(_ event: GroupEvent, with writer: inout JSONWriter) {
    self.init(event, &writer)
  }

  private init(_ event: some JSONWritable, _ writer: inout JSONWriter) {
    writer.removeAll()
    event.write(to: &writer)
    body = String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The line of ``ServerMessage/event(_:seq:at:_:)``, with its line feed.
  package func line(of session: SessionID, seq: Int, at instant: Instant) -> [UInt8] {
    line("event", "session", session.text, seq, instant)
  }

  /// The line of ``ServerMessage/groupEvent(_:seq:at:_:)``, with its line feed.
  package func line(of group: GroupID, seq: Int, at instant: Instant) -> [UInt8] {
    line("groupEvent", "group", group.text, seq, instant)
  }

  private func line(
    _ type: String, _ kind: String, _ name: String, _ seq: Int, _ instant: Instant
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: body.utf8.count + name.utf8.count + 80)
    writer.beginObject()
    writer.field("type", type)
    writer.field(kind, name)
    writer.field("seq", seq)
    writer.field("at", instant)
    // After its opening brace, the body has the fields and the closing brace.
    writer.literal(body.utf8.dropFirst())
    writer.endLine()
    return writer.bytes
  }
}
