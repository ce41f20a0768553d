import GroupSessions
import JSON
import Naming
import Testing
import Vocabulary
import Wire
import WireTesting

/// Peers receive an event with the bytes that the journal stores.
@Suite struct StoredEventTests {
  private static let seeds: ClosedRange<UInt64> = 1...50

  /// The object that the journal stores as a record's body.
  private func body(_ event: some JSONWritable) -> String {
    var writer = JSONWriter()
    event.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A line to peers: the fields that identify the event, then those of the stored body.
  private func line(_ head: String, _ body: String) -> [UInt8] {
    Array("{\(head),\(body.dropFirst())\n".utf8)
  }

  @Test(arguments: SessionEvent.names)
  func `the line of a session's event has the stored bytes`(name: String) {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let event = random.sessionEvent(name)
      let (session, seq, at) = ("s-1" as SessionID, random.count(), random.instant())
      let head =
        #""type":"event","session":"\#(session)","seq":\#(seq),"at":\#(at.microseconds)"#
      let sent = encode(ServerMessage.event(session, seq: seq, at: at, event))
      #expect(sent == line(head, body(event)), "seed \(seed)")
    }
  }

  @Test(arguments: GroupEvent.names)
  func `the line of a group's event has the stored bytes`(name: String) {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let event = random.groupEvent(name)
      let (group, seq, at) = ("g-1" as GroupID, random.count(), random.instant())
      let head =
        #""type":"groupEvent","group":"\#(group)","seq":\#(seq),"at":\#(at.microseconds)"#
      let sent = encode(ServerMessage.groupEvent(group, seq: seq, at: at, event))
      #expect(sent == line(head, body(event)), "seed \(seed)")
    }
  }
}
