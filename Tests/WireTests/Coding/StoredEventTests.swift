import GroupSessions
import JSON
import Naming
import Testing
import Vocabulary
import Wire
import WireTesting

/// Peers receive an event with the bytes that the journal stores.
@Suite struct StoredEventTests {
  enum Owner {
    case session
    case group
  }

  private static let events =
    SessionEvent.names.map { (Owner.session, $0) } + GroupEvent.names.map { (Owner.group, $0) }

  @Test(arguments: events)
  func `the line of an event has the stored bytes`(owner: Owner, name: String) {
    for seed: UInt64 in 1...50 {
      var random = RandomValues(seed: seed)
      let (seq, at) = (random.count(), random.instant())
      let (message, head, stored): (ServerMessage, String, String)
      switch owner {
      case .session:
        let event = random.sessionEvent(name)
        message = .event("s-1", seq: seq, at: at, event)
        (head, stored) = (#""type":"event","session":"s-1""#, body(event))
      case .group:
        let event = random.groupEvent(name)
        message = .groupEvent("g-1", seq: seq, at: at, event)
        (head, stored) = (#""type":"groupEvent","group":"g-1""#, body(event))
      }
      // Peers are sent the fields that identify the event, then those of the stored object.
      let line = #"{\#(head),"seq":\#(seq),"at":\#(at.microseconds),\#(stored.dropFirst())"#
      #expect(encode(message) == Array("\(line)\n".utf8), "seed \(seed)")
    }
  }

  /// The object that the journal stores as a record's body.
  private func body(_ event: some JSONWritable) -> String {
    var writer = JSONWriter()
    event.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
