import GroupSessions
import JSON
import Testing
import Vocabulary
import Wire
import WireTesting

/// An event that is kept is sent with the bytes that are kept.
@Suite struct EncodedEventTests {
  private static let seeds: ClosedRange<UInt64> = 1...50

  private func body(_ event: some JSONWritable) -> String {
    var writer = JSONWriter()
    event.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(arguments: SessionEvent.names)
  func `the line of a session's event holds the body as it is kept`(name: String) {
    var writer = JSONWriter()
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let event = random.sessionEvent(name)
      let (session, seq, at) = (random.id() as SessionID, random.count(), random.instant())
      let encoded = EncodedEvent(event, with: &writer)
      #expect(encoded.body == body(event))
      #expect(
        encoded.line(of: session, seq: seq, at: at)
          == encode(ServerMessage.event(session, seq: seq, at: at, event)), "seed \(seed)")
    }
  }

  @Test(arguments: GroupEvent.names)
  func `the line of a group's event holds the body as it is kept`(name: String) {
    var writer = JSONWriter()
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let event = random.groupEvent(name)
      let (group, seq, at) = (random.id() as GroupID, random.count(), random.instant())
      let encoded = EncodedEvent(event, with: &writer)
      #expect(encoded.body == body(event))
      #expect(
        encoded.line(of: group, seq: seq, at: at)
          == encode(ServerMessage.groupEvent(group, seq: seq, at: at, event)), "seed \(seed)")
    }
  }
}
