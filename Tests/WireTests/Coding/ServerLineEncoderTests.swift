import GroupSessions
import Naming
import Testing
import Vocabulary
import WireTesting

@testable import Wire

/// One buffer for all of a server's messages, in which a session's state is written once.
@Suite struct ServerLineEncoderTests {
  /// Whether the encoder writes each message as it is written anew.
  private static func writesEach(of messages: [ServerMessage]) -> Bool {
    var encoder = ServerLineEncoder()
    return messages.allSatisfy { message in
      encoder.encode(message)
      return encoder.line == encode(message)
    }
  }

  private static func snapshot(
    of session: GroupSession, for participant: ParticipantID = "p-1", at time: Int64 = 1
  ) -> ServerMessage {
    .snapshot(
      SessionSnapshot(
        session: session, participant: participant, at: Instant(microseconds: time)))
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func `each line is the message's own`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    let messages = (0..<300).map { _ in values.anyServerMessage() }
    #expect(Self.writesEach(of: messages + messages.reversed()))
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func `who are told one state are told it as themselves`(
    seed: UInt64
  ) {
    var values = RandomValues(seed: seed)
    let session = values.session()
    var messages: [ServerMessage] = []
    for number in 0..<5 {
      messages.append(
        Self.snapshot(of: session, for: ParticipantID("p-\(number)"), at: Int64(number)))
      messages.append(values.anyServerMessage())
    }
    #expect(Self.writesEach(of: messages))
  }

  @Test func `neither a later state nor another session's is taken for it`() {
    var values = RandomValues(seed: 5)
    let session = values.session("s-1", seq: 7)
    var later = session
    later.evolve(
      .activitySet(session.activity, revision: 99, by: "p-1"), at: Instant(microseconds: 2))
    let others = [later, values.session("s-2", seq: 7), values.session("s-1", seq: 9), session]
    let messages = ([session] + others).map { Self.snapshot(of: $0) }
    #expect(Set(messages.map { encode($0) }).count == 4)
    #expect(Self.writesEach(of: messages))
  }

  @Test func `a group's state is told to many, until it is another one`() {
    var values = RandomValues(seed: 6)
    let group = values.group("g", seq: 7)
    let others = [values.group("g", seq: 8), values.group("h", seq: 8), group]
    let messages = ([group, group] + others).map { ServerMessage.group($0) }
    #expect(Set(messages.map { encode($0) }).count == 3)
    #expect(Self.writesEach(of: messages))
  }
}
