import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

/// Who is asked to come, and how they answer: with a connection's word for it, or with a token's.
@Suite struct InvitationRequestTests {
  private static let limits: Limits = {
    var limits = Limits()
    limits.identifierBytes = 11
    limits.invitations = 3
    limits.longestInvitation = .seconds(60)
    return limits
  }()

  private func flaw(_ fields: String) -> ProtocolError? {
    let refusal = refusal(of: "{" + fields + #","id":1}"#, limits: Self.limits)
    #expect(refusal == nil || refusal?.request == 1)
    return refusal?.error
  }

  @Test(
    arguments: [
      (
        .request(1, .invite(nil, ["ben", "cem"], lifetime: nil)),
        #"{"type":"invite","id":1,"users":["ben","cem"]}"#
      ),
      (
        .request(1, .invite("s-1", [], lifetime: .seconds(60))),
        #"{"type":"invite","id":1,"session":"s-1","users":[],"lifetime":60000000}"#
      ),
      (
        .request(1, .revokeInvitations("s-1", ["ben"])),
        #"{"type":"revokeInvitations","id":1,"session":"s-1","users":["ben"]}"#
      ),
      (
        .request(1, .answerInvitation("s-1", .accepted, seq: 2)),
        #"{"type":"answerInvitation","id":1,"session":"s-1","answer":"accepted","seq":2}"#
      ),
      (
        .request(1, .answerInvitation("s-1", .declined, seq: nil)),
        #"{"type":"answerInvitation","id":1,"session":"s-1","answer":"declined"}"#
      ),
      (
        .answerInvitation(1, token: "AXMt", .declined),
        #"{"type":"answerInvitation","id":1,"token":"AXMt","answer":"declined"}"#
      ),
    ] as [(ClientMessage, String)])
  func `clients say`(message: ClientMessage, line: String) throws {
    #expect(text(of: message) == line)
    #expect(try clientMessage(line) == message)
  }

  @Test(
    arguments: [
      (#""type":"invite""#, "users"), (#""type":"invite","users":"ben""#, "users"),
      (#""type":"invite","users":[""]"#, "users[0]"),
      (#""type":"invite","users":["a"],"lifetime":0"#, "lifetime"),
      (#""type":"invite","users":["a"],"lifetime":60000001"#, "lifetime"),
      (#""type":"invite","users":["a"],"session":"""#, "session"),
      (#""type":"revokeInvitations","session":"s""#, "users"),
      (#""type":"answerInvitation","answer":"accepted""#, "session"),
      (#""type":"answerInvitation","session":"s""#, "answer"),
      (#""type":"answerInvitation","session":"s","answer":"maybe""#, "answer"),
      (#""type":"answerInvitation","session":"s","answer":"accepted","seq":-1"#, "seq"),
      (#""type":"answerInvitation","token":"t""#, "answer"),
      (#""type":"answerInvitation","token":"","answer":"accepted""#, "token"),
      (#""type":"answerInvitation","token":7,"answer":"accepted""#, "token"),
      (#""type":"answerInvitation","token":"t","session":"s","answer":"accepted""#, "session"),
      (#""type":"answerInvitation","token":"t","seq":1,"answer":"accepted""#, "seq"),
    ])
  func `a bad field is named by its way, and the request answered`(fields: String, field: String) {
    let flaw = flaw(fields)
    #expect(flaw?.code == .invalidField)
    #expect(flaw?.field == field)
  }

  @Test func `an answer without an id is none`() {
    let refusal = refusal(of: #"{"type":"answerInvitation","token":"t","answer":"accepted"}"#)
    #expect(refusal?.request == nil)
    #expect(refusal?.error.field == "id")
  }

  private static let bounds = [
    Bound(line: #""type":"invite","users":[#]"#, field: "users", limit: 3, element: #""u""#),
    Bound(line: #""type":"invite","users":["%"]"#, field: "users[0]", limit: 11),
    Bound(
      line: #""type":"revokeInvitations","users":[#]"#, field: "users", limit: 3, element: #""u""#),
    Bound(
      line: #""type":"answerInvitation","answer":"accepted","session":"%""#, field: "session",
      limit: 11),
    Bound(
      line: #""type":"answerInvitation","answer":"accepted","token":"%""#, field: "token",
      limit: 300),
  ]

  @Test(arguments: bounds)
  func `a field may be as long as its limit and no longer`(bound: Bound) {
    #expect(flaw(bound.fields(bound.limit)) == nil)
    let flaw = flaw(bound.fields(bound.limit + 1))
    #expect(flaw?.code == .invalidField)
    #expect(flaw?.field == bound.field)
  }
}
