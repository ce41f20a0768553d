import GroupSessions
import JSON
package import Vocabulary

/// Encodes a server's messages as lines, in one buffer.
///
/// The state of a session, or of a group, is written once for all who are told it in a row: a crowd that
/// joins, or spectators who come while nothing happens.
package struct ServerLineEncoder {
  private var writer = JSONWriter()
  /// The fields of the session in the last snapshot.
  private var session: Written<SessionID>?
  /// The last group, as a whole message.
  private var group: Written<GroupID>?

  /// A state, as it was written.
  ///
  /// Only events change one, so the number of its last event says whether it is still the same, as long
  /// as it lives.
  private struct Written<ID: Equatable> {
    let id: ID
    let seq: Int
    let bytes: [UInt8]

    /// What was written, if it is of this state.
    func bytes(of id: ID, at seq: Int) -> [UInt8]? {
      self.id == id && self.seq == seq ? bytes : nil
    }
  }

  /// An encoder that has written nothing.
  package init() {}

  /// The last message's line, with its line feed.
  package var line: [UInt8] { writer.bytes }

  /// Encodes a message; ``line`` has it until the next one.
  package mutating func encode(_ message: ServerMessage) {
    writer.removeAll()
    switch message {
    case .snapshot(let snapshot): encode(snapshot)
    case .group(let group): encode(group, as: message)
    default: message.write(to: &writer)
    }
    writer.endLine()
  }

  /// Forgets a group that is over, because another one may begin under its name.
  package mutating func forget(_ id: GroupID) {
    if group?.id == id { group = nil }
  }

  private mutating func encode(_ snapshot: SessionSnapshot) {
    let (id, seq) = (snapshot.session.id, snapshot.session.seq)
    writer.beginObject()
    writer.field(ServerMessage.tag, SessionSnapshot.type)
    snapshot.encodeReceiver(into: &writer)
    if let bytes = session?.bytes(of: id, at: seq) {
      writer.again(bytes)
    } else {
      let start = writer.bytes.count
      snapshot.session.encodeFields(into: &writer)
      session = Written(id: id, seq: seq, bytes: Array(writer.bytes[start...]))
    }
    writer.endObject()
  }

  private mutating func encode(_ group: Group, as message: ServerMessage) {
    if let bytes = self.group?.bytes(of: group.id, at: group.seq) { return writer.again(bytes) }
    message.write(to: &writer)
    self.group = Written(id: group.id, seq: group.seq, bytes: writer.bytes)
  }
}
