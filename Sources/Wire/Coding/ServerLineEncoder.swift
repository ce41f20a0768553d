import GroupSessions
import JSON
import Vocabulary

/// Encodes a server's messages as lines, in one buffer.
///
/// A session's state is written once for all who are told it in a row: a crowd that joins, or spectators
/// who come while nothing happens.
package struct ServerLineEncoder {
  private var writer = JSONWriter()
  private var state: WrittenState?

  /// The state in the last snapshot, as it was written.
  ///
  /// Only events change a session, so its last event's number says whether it is still the same.
  private struct WrittenState {
    let session: SessionID
    let seq: Int
    let fields: [UInt8]

    func isOf(_ session: GroupSession) -> Bool { self.session == session.id && seq == session.seq }
  }

  /// An encoder that has written nothing.
  package init() {}

  /// The last message's line, with its line feed.
  package var line: [UInt8] { writer.bytes }

  /// Encodes a message; ``line`` has it until the next one.
  package mutating func encode(_ message: ServerMessage) {
    writer.removeAll()
    if case .snapshot(let snapshot) = message {
      encode(snapshot)
    } else {
      message.write(to: &writer)
    }
    writer.endLine()
  }

  private mutating func encode(_ snapshot: SessionSnapshot) {
    writer.beginObject()
    writer.field(ServerMessage.tag, SessionSnapshot.type)
    snapshot.encodeReceiver(into: &writer)
    if let state, state.isOf(snapshot.session) {
      writer.again(state.fields)
    } else {
      let start = writer.bytes.count
      snapshot.session.encodeFields(into: &writer)
      state = WrittenState(
        session: snapshot.session.id, seq: snapshot.session.seq,
        fields: Array(writer.bytes[start...]))
    }
    writer.endObject()
  }
}
