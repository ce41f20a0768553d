import GroupSessions
import JSON
import Naming
import Testing
import Vocabulary
import Wire
import WireTesting

@Suite struct RoundTripTests {
  private static let clientTypes = ClientMessage.types
  private static let events = SessionEvent.names
  private static let seeds: ClosedRange<UInt64> = 1...100

  @Test(arguments: clientTypes)
  func `every message of a client reads back as it was`(name: String) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let message = random.clientMessage(name)
      let line = text(of: message)
      #expect(line.hasPrefix(#"{"type":"\#(name)""#))
      #expect(try clientMessage(line) == message, "seed \(seed): \(line)")
    }
  }

  @Test(arguments: ServerMessage.types)
  func `every message of a server reads back as it was`(type: String) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let message = random.serverMessage(type)
      let line = text(of: message)
      #expect(line.hasPrefix(#"{"type":"\#(type)""#))
      #expect(try serverMessage(line) == message, "seed \(seed): \(line)")
    }
  }

  @Test(arguments: events)
  func `every event of a session reads back, on the wire and in a journal`(name: String) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let event = random.sessionEvent(name)
      let message = ServerMessage.event(
        random.id(), seq: random.count(), at: random.instant(), event)
      #expect(try serverMessage(text(of: message)) == message, "seed \(seed)")
      let kept = try read(event) { (object) throws(DecodingFlaw) in
        try SessionEvent(decoding: object)
      }
      #expect(kept == event, "seed \(seed)")
    }
  }

  @Test(arguments: GroupEvent.names)
  func `every event of a group reads back, on the wire and in a journal`(
    name: String
  ) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let event = random.groupEvent(name)
      let message = ServerMessage.groupEvent(
        random.id(), seq: random.count(), at: random.instant(), event)
      #expect(try serverMessage(text(of: message)) == message, "seed \(seed)")
      let kept = try read(event) { (object) throws(DecodingFlaw) in
        try GroupEvent(decoding: object)
      }
      #expect(kept == event, "seed \(seed)")
    }
  }

  @Test(arguments: RandomValues.AnswerKind.allCases)
  func `every kind of answer is told apart by its fields`(kind: RandomValues.AnswerKind) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let message = ServerMessage.answer(7, random.answer(kind))
      #expect(try serverMessage(text(of: message)) == message, "seed \(seed)")
    }
  }

  @Test func `an answer that was kept names its session and its participant`() throws {
    let answer = Answer.joined("s", "p")
    #expect(
      try read(answer) { (object) throws(DecodingFlaw) in try Answer(decoding: object) } == answer)
    #expect(throws: DecodingFlaw.self) {
      try read(Answer.joined("s", "")) { (object) throws(DecodingFlaw) in
        try Answer(decoding: object)
      }
    }
  }

  @Test func `a status report takes in what the next one tells`() {
    func report(_ name: String, hasMore: Bool) -> StatusReport {
      StatusReport(
        at: Instant(microseconds: 1), peers: 2,
        groups: [Group(id: GroupID(name), founder: "ann")], sessions: [],
        places: [.init(participant: ParticipantID(name), offset: .zero, roundTrip: nil)],
        hasMore: hasMore)
    }
    var whole = report("a", hasMore: true)
    whole.append(report("b", hasMore: false))
    #expect(whole.groups.map(\.id) == ["a", "b"])
    #expect(whole.places.map(\.participant) == ["a", "b"])
    #expect(!whole.hasMore)
  }

  @Test(arguments: EndReason.Name.allCases)
  func `every reason of an end reads back`(name: EndReason.Name) throws {
    var random = RandomValues(seed: 1)
    let reason = random.endReason(name)
    #expect(reason.name == name)
    for message in [
      ServerMessage.sessionOver("s-1", reason), .offerWithdrawn("s-1", .ended(reason)),
    ] {
      #expect(try serverMessage(text(of: message)) == message)
    }
  }

  @Test func `every error code and every reason for ineligibility reads back`() throws {
    for code in ErrorCode.allCases {
      let message = ServerMessage.closing(ProtocolError(code))
      #expect(try serverMessage(text(of: message)) == message)
    }
    for reason in Ineligibility.allCases {
      let message = ServerMessage.eligibility(.ineligible(reason))
      #expect(try serverMessage(text(of: message)) == message)
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `whole groups and sessions read back from a snapshot`(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let group = random.group()
    let session = random.session()
    #expect(
      try read(group) { (object) throws(DecodingFlaw) in try Group(decoding: object) } == group)
    #expect(
      try read(session) { (object) throws(DecodingFlaw) in
        try GroupSession(decoding: object)
      } == session)
  }

  @Test func `the same value is always the same bytes`() {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      var again = RandomValues(seed: seed)
      #expect(encode(random.serverMessage("status")) == encode(again.serverMessage("status")))
    }
  }
}
