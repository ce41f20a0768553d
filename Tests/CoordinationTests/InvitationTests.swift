import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// Who is invited, how they answer, and what becomes of their notifications.
@Suite struct InvitationTests {
  /// Ann starts something; Bob has two devices in the group, and a browser that he closed.
  private func scene(limits: Limits = Limits()) throws -> (stage: Stage, session: SessionID) {
    var stage = try Stage.notifying(limits: limits)
    try stage.install("browser", as: "bob", .browser("b"))
    stage.disconnect("browser")
    try stage.gather(["ann"])
    try stage.install("phone", as: "bob", in: "g")
    try stage.install("tablet", as: "bob", in: "g")
    stage.pushes = []
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    return (stage, id)
  }

  @Test func `who starts something asks everybody else of the group, on all their devices`() throws
  {
    let (stage, id) = try scene()
    let invitation = try stage.invitation("bob")
    #expect(stage.notifications("phone") == [invitation])
    #expect(stage.notifications("tablet") == [invitation])
    #expect(stage.pushes.map { $0.order.notification } == [invitation])
    let payload = invitation.payload
    #expect(payload.categoryID == "GROUP_WATCH_INVITE")
    #expect(payload.alert?.title?.text == "Watch film")
    #expect(payload.custom["inv"]?.string == invitation.id.text)
    #expect(payload.custom["session"]?.string == id.text)
    #expect(payload.custom["group"]?.string == "g")
    #expect(payload.custom["from"]?.string == "ann")
    #expect(payload.custom["fallbackURL"]?.string == "https://example.org/film")
    #expect(payload.custom["item"]?.dictionary?["url"]?.string == "https://example.org/film.mp4")
    #expect(
      payload.custom["exp"]?.integer == invitation.expires.map { $0.microseconds / 1_000 })
    #expect(invitation.collapseID == invitation.id.text)
    #expect(stage.session(id)?.invitations.values.map(\.user) == ["bob"])
    #expect(stage.tray("ann") == nil)
  }

  @Test func `who subscribed to the group hears of it elsewhere; who has no place for it does not`()
    throws
  {
    var stage = try Stage.notifying()
    try stage.gather(["ann", "dan"])
    try stage.install("phone", as: "bob")
    try stage.subscribe("phone")
    try stage.install("tv", as: "cat")
    let id = try stage.activate("ann")
    #expect(stage.session(id)?.invitations.values.map(\.user) == ["bob"])
    #expect(stage.notifications("phone").count == 1)
    #expect(stage.notifications("tv").isEmpty)
  }

  @Test func `a staged activity asks once it is activated`() throws {
    var stage = try Stage.notifying()
    try stage.gather(["ann"])
    try stage.install("phone", as: "bob", in: "g")
    guard
      case .activated(let id, _, _) = try stage.ask("ann", .stage(Activation(Stage.movie())))
    else { throw ProtocolError(.busy) }
    #expect(stage.standing("bob").isEmpty)
    try stage.ask("ann", .activateStaged(id))
    #expect(stage.standing("bob").count == 1)
  }

  @Test func `a session begins and invites in one append`() throws {
    let (stage, id) = try scene()
    let first = stage.journal.everything.first { $0.aggregate == .session(id) }
    #expect(first?.events.count == 2)
  }

  // Proves: K10, K11, §7.14
  @Test(arguments: [false, true])
  func `two devices accept at once: one takes part, the other hears that it is so`(isHeld: Bool)
    throws
  {
    var (stage, id) = try scene()
    let invitation = try stage.invitation("bob")
    stage.forget()
    stage.isHeld = isHeld
    let response = TrayRequest.report(
      invitation.id, .responded(actionID: "ACCEPT_IDENTIFIER", text: nil))
    let first = stage.post(.notifications(response), from: "phone")
    stage.advance(.milliseconds(5))
    let second = stage.post(.notifications(response), from: "tablet")
    stage.isHeld = false
    stage.release()
    let participant = try #require(stage.members("bob", of: id).first)
    #expect(stage.members("bob", of: id).count == 1)
    #expect(stage["phone"].answers[first] == [.success(.joined(id, participant.id))])
    #expect(stage["tablet"].answers[second] == [.success(.alreadyAnswered)])
    #expect(stage.session(id)?.invitations["bob"]?.state == .accepted)
    #expect(stage.coordinator.groups.seats["tablet"]?.session == nil)
    // Taken back on all devices, the closed browser among them.
    for device in ["phone", "tablet"] as [DeviceID] {
      #expect(stage.revoked(device) == [invitation.id])
    }
    #expect(stage.pushes.last?.order.notification.payload.revokes == [invitation.id])
    #expect(stage.standing("bob").isEmpty)
    stage.checkMirrors()

    stage.advance(.seconds(1))
    let refusal = try stage.refusedAnswer(.declined, byToken: invitation.token)
    #expect(refusal == ProtocolError(.invitationAnswered, reason: "accepted"))
    #expect(stage.members("bob", of: id).map(\.id) == [participant.id])
    #expect(try stage.answer(.accepted, byToken: invitation.token) == .alreadyAnswered)
    #expect(try stage.respond("tablet", invitation.id, "ACCEPT_IDENTIFIER") == .alreadyAnswered)
    stage.checkMirrors()
  }

  // Proves: §7.14
  @Test func `an answer after the session's end is told how that ended, and changes nothing`()
    throws
  {
    var (stage, id) = try scene()
    let invitation = try stage.invitation("bob")
    stage.forget()
    try stage.ask("ann", .end(nil))
    #expect(stage.revoked("phone") == [invitation.id] && stage.revoked("tablet") == [invitation.id])
    #expect(stage.standing("bob").isEmpty)
    let gone = ProtocolError(.sessionEnded, reason: "endedBy")
    #expect(try stage.refusedResponse("phone", invitation.id, "ACCEPT_IDENTIFIER") == gone)
    #expect(try stage.refusedAnswer(.accepted, byToken: invitation.token) == gone)
    #expect(
      try stage.refusal("phone", .answerInvitation(id, .accepted, seq: nil)) == gone)
  }

  // Proves: §7.14
  @Test func `a token is good for as long as its invitation`() throws {
    var (stage, _) = try scene()
    let invitation = try stage.invitation("bob")
    stage.forget()
    stage.advance(Limits().invitationLifetime)
    #expect(stage.standing("bob").isEmpty)
    #expect(
      try stage.refusedAnswer(.accepted, byToken: invitation.token).code == .tokenExpired)
  }

  @Test func `an invitation that nobody answers in time expires`() throws {
    var limits = Limits()
    limits.invitationLifetime = .seconds(5)
    var (stage, id) = try scene(limits: limits)
    let invitation = try stage.invitation("bob")
    stage.forget()
    stage.advance(.seconds(5))
    #expect(stage.revoked("phone") == [invitation.id])
    #expect(stage.session(id)?.invitations["bob"]?.state == .expired)
    let over = ProtocolError(.invitationOver, reason: "expired")
    #expect(try stage.refusedResponse("phone", invitation.id, "ACCEPT_IDENTIFIER") == over)
    #expect(try stage.refusedResponse("phone", invitation.id, "DECLINE_IDENTIFIER") == over)
    #expect(stage.members("bob", of: id).isEmpty)
    // Invited anew it is another invitation; the old notification answers nothing.
    try stage.ask("ann", .invite(nil, ["bob"], lifetime: nil))
    let second = try stage.invitation("bob")
    #expect(second.id != invitation.id)
    let stale = try stage.refusedResponse("phone", invitation.id, "ACCEPT_IDENTIFIER")
    #expect(stale.code == .invitationOver && stale.reason == "replaced")
    guard case .joined = try stage.respond("phone", second.id, "ACCEPT_IDENTIFIER") else {
      throw ProtocolError(.busy)
    }
  }

  // Proves: K11, K13
  @Test func `a text and a dismissal are kept and leave it open, as a tap does`() throws {
    var (stage, id) = try scene()
    let invitation = try stage.invitation("bob").id
    for action in [
      ActionIdentifier.defaultAction, ActionIdentifier.reply, ActionIdentifier.dismissAction,
    ] {
      let report = NotificationReport.responded(actionID: action, text: "soon")
      try stage.notify("phone", .report(invitation, report))
      #expect(stage.tray("bob")?[invitation]?.response?.actionID == action)
      #expect(stage.tray("bob")?[invitation]?.response?.text == "soon")
    }
    #expect(stage.session(id)?.invitations["bob"]?.state == .pending)
    try stage.respond("tablet", invitation, "DECLINE_IDENTIFIER")
    #expect(stage.session(id)?.invitations["bob"]?.state == .declined)
    #expect(stage.session(id)?.invitations["bob"]?.device == "tablet")
    #expect(stage.standing("bob").isEmpty)
  }

  @Test func `whoever invites by hand takes it back by hand`() throws {
    var (stage, id) = try scene()
    try stage.install("tv", as: "cat")
    try stage.ask("ann", .invite(nil, ["cat", "dan"], lifetime: .seconds(60)))
    #expect(stage.notifications("tv").count == 1)
    // Who was never here finds it when they come.
    #expect(stage.standing("dan").count == 1)
    try stage.ask("ann", .revokeInvitations(nil, ["cat", "dan", "bob"]))
    #expect(stage.revoked("tv") == [stage.notifications("tv")[0].id])
    for user in ["bob", "cat", "dan"] as [UserID] {
      #expect(stage.standing(user).isEmpty)
      #expect(stage.session(id)?.invitations[user]?.state == .revoked)
    }
    #expect(stage.tray("dan") == nil)
  }

  @Test func `accepted where nothing can join, it is joined by the next device, and by one`() throws
  {
    var (stage, id) = try scene()
    try stage.install("tv", as: "cat")
    try stage.ask("ann", .invite(nil, ["cat"], lifetime: nil))
    let invitation = try stage.invitation("cat")
    guard case .done = try stage.respond("tv", invitation.id, "ACCEPT_IDENTIFIER") else {
      throw ProtocolError(.busy)
    }
    #expect(stage.members("cat", of: id).isEmpty)
    stage.connect(as: "laptop", user: "cat")
    for device in ["tv", "laptop"] as [DeviceID] {
      try stage.ask(device, .joinGroup("g"))
      #expect(stage.offers(device).map(\.isAwaited) == [true])
    }
    let first = try stage.ask("laptop", .answerInvitation(id, .accepted, seq: nil))
    let participant = try #require(stage.members("cat", of: id).first?.id)
    #expect(first == .joined(id, participant))
    #expect(try stage.ask("tv", .answerInvitation(id, .accepted, seq: nil)) == .alreadyAnswered)
    #expect(stage.members("cat", of: id).count == 1)
    // Who takes part and says so again is who they are.
    #expect(
      try stage.ask("laptop", .answerInvitation(id, .accepted, seq: nil))
        == .joined(id, participant))
    stage.checkMirrors()
  }

  @Test func `accepted by token, with no device there, it is joined by the next one`() throws {
    var (stage, id) = try scene()
    try stage.ask("ann", .invite(nil, ["cat"], lifetime: nil))
    let token = try stage.invitation("cat").token
    guard case .done = try stage.answer(.accepted, byToken: token) else {
      throw ProtocolError(.busy)
    }
    #expect(stage.session(id)?.invitations["cat"]?.device == nil)
    stage.connect(as: "tv", user: "cat")
    try stage.ask("tv", .joinGroup("g"))
    #expect(stage.offers("tv").map(\.isAwaited) == [true])
    let answer = try stage.ask("tv", .answerInvitation(id, .accepted, seq: nil))
    #expect(answer == .joined(id, try #require(stage.members("cat", of: id).first?.id)))
  }

  @Test func `who joins without the notification has accepted, and it goes`() throws {
    var (stage, id) = try scene()
    try stage.join("tablet", id)
    #expect(stage.session(id)?.invitations["bob"]?.state == .accepted)
    #expect(stage.standing("bob").isEmpty)
    #expect(stage.revoked("phone").count == 1)
  }

  @Test func `the longest links do not keep an invitation from coming`() throws {
    var stage = try Stage.notifying()
    try stage.gather(["ann"])
    try stage.install("phone", as: "bob", in: "g")
    var movie = Stage.movie()
    movie.metadata.fallbackURL = "https://example.org/" + String(repeating: "x", count: 3_000)
    movie.media?.url = "https://example.org/" + String(repeating: "y", count: 2_000)
    movie.metadata.title = String(repeating: "\u{1}", count: 256)
    _ = try stage.activate("ann", Activation(movie))
    let invitation = try #require(stage.notifications("phone").first)
    #expect(invitation.payload.jsonByteCount <= NotificationPayload.byteLimit)
    #expect(!invitation.token.isEmpty)
  }
}
