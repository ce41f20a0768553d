import GroupSessions
import Naming
import Signatures
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// Whoever is not asked, or says what they may not, is refused, and nothing changes.
@Suite struct ForgeryTests {
  /// Bob is invited on his phone, in the group; Cat is a member who is not.
  private func scene() throws -> (stage: Stage, session: SessionID, RemoteNotification) {
    var stage = try Stage.notifying()
    try stage.gather(["ann"])
    try stage.install("phone", as: "bob", in: "g")
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    try stage.install("tv", as: "cat", in: "g")
    return (stage, id, try stage.invitation("bob"))
  }

  /// Nobody but Ann takes part, and Bob is still asked.
  private func checkUntouched(
    _ stage: Stage, _ id: SessionID, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      stage.session(id)?.participants.values.map(\.user) == ["ann"],
      sourceLocation: sourceLocation)
    #expect(
      stage.session(id)?.invitations["bob"]?.state == .pending, sourceLocation: sourceLocation)
    #expect(stage.standing("bob").count == 1, sourceLocation: sourceLocation)
  }

  @Test func `a token that was changed anywhere is none`() throws {
    var (stage, id, invitation) = try scene()
    let token = Array(invitation.token)
    for place in token.indices {
      var forged = token
      forged[place] = forged[place] == "A" ? "B" : "A"
      let error = try stage.refusedAnswer(.accepted, byToken: String(forged))
      #expect(error.code == .invalidToken, "\(place)")
    }
    for text in ["", "x", String(token.dropLast()), String(token) + "A", "\(invitation.id)"] {
      let error = try stage.refusedAnswer(.declined, byToken: text)
      #expect(error.code == .invalidToken)
    }
    let key = try #require(
      InvitationKey(bytes: Array(repeating: 8, count: InvitationKey.size)))
    let claim = InvitationClaim(
      session: id, user: "bob", seq: 2, expires: stage.now + .seconds(60))
    let forged = InvitationSigner(key: key).token(for: claim)
    #expect(try stage.refusedAnswer(.accepted, byToken: forged).code == .invalidToken)
    checkUntouched(stage, id)
  }

  @Test func `a device answers with its own person's tokens only`() throws {
    var (stage, id, invitation) = try scene()
    stage.say(.answerInvitation(90, token: invitation.token, .accepted), from: "tv")
    #expect(
      stage["tv"].answers[90] == [.failure(ProtocolError(.invalidToken, reason: "person"))])
    stage.say(.answerInvitation(91, token: "x", .accepted), from: "phone")
    #expect(stage["phone"].answers[91] == [.failure(ProtocolError(.invalidToken))])
    checkUntouched(stage, id)
    // Its own is as good as the session's name, and joins.
    for _ in 0..<2 {
      stage.say(.answerInvitation(92, token: invitation.token, .accepted), from: "phone")
    }
    let participant = try #require(stage.members("bob", of: id).first?.id)
    let joined: Result<Answer, ProtocolError> = .success(.joined(id, participant))
    #expect(stage["phone"].answers[92] == [joined, joined])
  }

  @Test func `a server that signs nothing takes no tokens`() throws {
    let (first, _, invitation) = try scene()
    var stage = try Stage.notifying { $0.signer = nil }
    stage.now = first.now
    let error = try stage.refusedAnswer(.accepted, byToken: invitation.token)
    #expect(error.code == .invalidToken)
  }

  @Test func `another person's invitation is unknown, and a member who is not asked is told so`()
    throws
  {
    var (stage, id, invitation) = try scene()
    for action in [ActionIdentifier.accept, ActionIdentifier.decline] {
      let error = try stage.refusedResponse("tv", invitation.id, action)
      #expect(error.code == .unknownNotification)
    }
    #expect(try stage.refusal("tv", .answerInvitation(id, .accepted, seq: nil)).code == .notInvited)
    stage.connect(as: "desk", user: "dan")
    let error = try stage.refusal("desk", .answerInvitation(id, .accepted, seq: nil))
    #expect(error == ProtocolError(.unknownSession))
    // A name that one can guess is no invitation.
    let guess = InvitationName(session: id, user: "dan", seq: 2).id
    let unknown = try stage.refusedResponse("desk", guess, "ACCEPT_IDENTIFIER")
    #expect(unknown.code == .unknownNotification)
    checkUntouched(stage, id)
    // One who is invited as well answers their own, by its own name.
    try stage.ask("ann", .invite(nil, ["cat"], lifetime: nil))
    let other = try stage.refusedResponse("tv", invitation.id, "ACCEPT_IDENTIFIER")
    #expect(other.code == .unknownNotification)
    #expect(stage.session(id)?.invitations["cat"]?.state == .pending)
    checkUntouched(stage, id)
  }

  // Proves: K11, K14
  @Test
  func `an action of another category is no answer, and neither is another action of this one`()
    throws
  {
    var (stage, id, invitation) = try scene()
    stage.connect(as: "admin")
    var payload = NotificationPayload(.init(body: "Look"))
    for category in ["MEETING_INVITE", NotificationCategory.groupWatchInviteID] {
      payload.categoryID = category
      payload.custom = ["session": .string(id.text), "inv": .string(invitation.id.text)]
      try stage.notify("admin", .push(DirectPush(to: "bob", payload, key: Stage.administratorKey)))
      let other = try #require(stage.notifications("phone").last?.id)
      try stage.respond("phone", other, "ACCEPT_IDENTIFIER")
      #expect(stage.tray("bob")?[other] == nil)
      checkUntouched(stage, id)
    }
    try stage.respond("phone", invitation.id, "DELETE_IDENTIFIER")
    checkUntouched(stage, id)
  }

  @Test func `an answer that is replayed to a later invitation answers nothing`() throws {
    var (stage, id, invitation) = try scene()
    try stage.ask("ann", .revokeInvitations(nil, ["bob"]))
    let over = ProtocolError(.invitationOver, reason: "revoked")
    #expect(try stage.refusedAnswer(.accepted, byToken: invitation.token) == over)
    #expect(try stage.refusedResponse("phone", invitation.id, "ACCEPT_IDENTIFIER") == over)
    try stage.ask("ann", .invite(nil, ["bob"], lifetime: nil))
    for error in [
      try stage.refusedAnswer(.accepted, byToken: invitation.token),
      try stage.refusedResponse("phone", invitation.id, "ACCEPT_IDENTIFIER"),
      try stage.refusal("phone", .answerInvitation(id, .declined, seq: 2)),
    ] {
      #expect(error.code == .invitationOver && error.reason == "replaced")
    }
    checkUntouched(stage, id)
    // Said twice, an answer is one.
    try stage.respond("phone", try stage.invitation("bob").id, "DECLINE_IDENTIFIER")
    let seq = stage.session(id)?.seq
    let last = try #require(stage.tray("bob")?.past.last)
    #expect(try stage.respond("phone", last, "DECLINE_IDENTIFIER") == .alreadyAnswered)
    #expect(
      try stage.refusedResponse("phone", last, "ACCEPT_IDENTIFIER")
        == ProtocolError(.invitationAnswered, reason: "declined"))
    #expect(stage.session(id)?.seq == seq)
  }

  @Test func `whoever takes part may invite, and only so many`() throws {
    var limits = Limits()
    limits.invitations = 2
    var stage = try Stage.notifying(limits: limits)
    try stage.gather(["ann", "bob", "cat"])
    let id = try stage.activate("ann", Activation(Stage.movie(), control: .hostsOnly))
    for device in ["ann", "bob"] as [DeviceID] { try stage.join(device, id) }
    #expect(
      try stage.refusal("bob", .invite(nil, ["eve"], lifetime: nil))
        == ProtocolError(.forbidden, reason: "invite"))
    #expect(try stage.refusal("cat", .invite(id, ["eve"], lifetime: nil)).code == .notJoined)
    #expect(
      try stage.refusal("ann", .invite(nil, ["eve", "fay", "gus"], lifetime: nil))
        == ProtocolError(.tooManyInvitations, limit: 2))
    try stage.ask("ann", .invite(nil, ["eve"], lifetime: nil))
    #expect(try stage.refusal("bob", .revokeInvitations(nil, ["eve"])).code == .forbidden)
    #expect(stage.standing("eve").count == 1)
  }

  // MARK: Without a hello

  @Test func `without a hello one can answer, and nothing else; not for ever, nor ever so often`()
    throws
  {
    var limits = Limits()
    limits.messageBurst = 3
    limits.messagesPerSecond = 1
    var stage = try Stage.notifying(limits: limits)
    let peer = stage.connectSilently()
    stage.say(.request(1, .status()), on: peer)
    for id in 2...4 { stage.say(.answerInvitation(RequestID(id), token: "x", .accepted), on: peer) }
    let codes = (1...4).map { id -> ErrorCode? in
      guard case .failure(let error)? = stage.clients[peer]?.answers[RequestID(id)]?.first else {
        return nil
      }
      return error.code
    }
    #expect(codes == [.helloRequired, .invalidToken, .invalidToken, .rateLimited])
    stage.advance(limits.helloDeadline)
    #expect(stage.clients[peer]?.closedWith?.code == .helloTimeout)
  }

  @Test func `an answer by token is told once it is kept, or that it could not be`() throws {
    var (stage, id, invitation) = try scene()
    let peer = stage.connectSilently()
    let gone = stage.connectSilently()
    stage.isHeld = true
    stage.say(.answerInvitation(1, token: invitation.token, .declined), on: peer)
    stage.say(.answerInvitation(1, token: invitation.token, .declined), on: gone)
    stage.handle(.disconnected(gone))
    #expect(stage.clients[peer]?.answers.isEmpty == true)
    stage.isHeld = false
    stage.release()
    #expect(stage.clients[peer]?.answers[1] == [.success(.done(seq: nil))])
    #expect(stage.clients[gone]?.answers.isEmpty == true)
    try stage.ask("ann", .invite(nil, ["dan"], lifetime: nil))
    let second = try stage.invitation("dan").token
    stage.journal.failures = 2
    #expect(try stage.refusedAnswer(.accepted, byToken: second).code == .journalUnavailable)
    #expect(stage.session(id)?.invitations["dan"]?.state == .pending)
    stage.handle(.stop(isResumable: true))
  }
}
