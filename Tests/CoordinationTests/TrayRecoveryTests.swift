import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// Trays in the journal: what a server that died is gone on from, and one that cannot write.
@Suite struct TrayRecoveryTests {
  /// Bob is asked by Ann on two devices; the browser has no connection.
  private func scene(_ journal: SharedJournal = SharedJournal()) throws -> (Stage, SessionID) {
    var stage = try Stage.notifying(journal: journal)
    try stage.install("browser", as: "bob", .browser("b"))
    stage.disconnect("browser")
    try stage.gather(["ann"])
    try stage.install("phone", as: "bob", in: "g")
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    return (stage, id)
  }

  /// What stands in each tray is what its sessions say.
  private func check(_ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation) {
    var pending: Set<String> = []
    for session in stage.coordinator.groups.rooms.sessions.compactMap(\.value.session) {
      for invitation in session.invitations.values where invitation.state == .pending {
        pending.insert("\(invitation.user) \(invitation.name(in: session.id).text)")
      }
    }
    let standing = stage.coordinator.people.trays.rooms.keys.flatMap { user in
      stage.standing(user).map { "\(user) \($0.id)" }
    }
    #expect(Set(standing) == pending, sourceLocation: sourceLocation)
    #expect(standing.count == pending.count, sourceLocation: sourceLocation)
  }

  @Test func `what stood stands, with what was said of it, and the same token counts`() throws {
    var (stage, id) = try scene()
    let invitation = try stage.invitation("bob")
    try stage.notify("phone", .report(invitation.id, .acknowledged(.presented)))
    let before = stage.tray("bob")
    stage.crash()
    #expect(stage.tray("bob") == before)
    #expect(stage.coordinator.people.trays.index.owners == ["browser": "bob", "phone": "bob"])
    stage.resume("phone")
    #expect(stage.listed("phone") == [invitation.id])
    guard case .joined = try stage.respond("phone", invitation.id, "ACCEPT_IDENTIFIER") else {
      throw ProtocolError(.busy)
    }
    #expect(stage.members("bob", of: id).count == 1)
    check(stage)
  }

  // Proves: §7.14
  @Test func `killed between an answer and its effect, a server loses neither`() throws {
    var (stage, id) = try scene()
    let invitation = try stage.invitation("bob")
    stage.isHeld = true
    let request = stage.post(
      .notifications(
        .report(invitation.id, .responded(actionID: "ACCEPT_IDENTIFIER", text: nil))),
      from: "phone")
    // The session's append is kept, the tray's is not.
    stage.release(1)
    #expect(stage.journal.streams[.session(id)]?.count == stage.session(id)?.seq)
    stage.isHeld = false
    stage.crash()
    #expect(stage.members("bob", of: id).count == 1)
    #expect(stage.session(id)?.invitations["bob"]?.state == .accepted)
    #expect(stage.standing("bob").isEmpty)
    stage.resume("phone")
    #expect(stage.listed("phone") == [])
    stage.say(.request(request, .leaveGroup), from: "phone")
    let participant = try #require(stage.members("bob", of: id).first)
    #expect(stage["phone"].answers[request] == [.success(.joined(id, participant.id))])
    check(stage)
  }

  @Test func `killed before the answer is kept, nothing was said, and it can be said again`() throws
  {
    var (stage, id) = try scene()
    let invitation = try stage.invitation("bob")
    stage.isHeld = true
    let response = Request.notifications(
      .report(invitation.id, .responded(actionID: "ACCEPT_IDENTIFIER", text: nil)))
    let request = stage.post(response, from: "phone")
    stage.isHeld = false
    stage.crash()
    #expect(stage.standing("bob").map(\.id) == [invitation.id])
    stage.resume("phone")
    stage.say(.request(request, response), from: "phone")
    #expect(stage.members("bob", of: id).count == 1)
    check(stage)
  }

  @Test func `killed between an invitation and its notification, a server posts it`() throws {
    var stage = try Stage.notifying()
    try stage.install("phone", as: "bob", in: "g")
    try stage.gather(["ann"])
    stage.isHeld = true
    stage.post(.activate(Activation(Stage.movie())), from: "ann")
    stage.release(2)  // The group's append, and the session's.
    stage.isHeld = false
    #expect(
      stage.journal.streams[.session(stage.coordinator.groups.rooms.sessions.keys.first ?? "")]
        != nil)
    stage.crash()
    #expect(stage.standing("bob").count == 1)
    check(stage)
    stage.crash()
    #expect(stage.standing("bob").count == 1)
  }

  /// Wherever the journal ends, the next server brings trays and sessions together.
  @Test func `killed after any append, a server makes good what is missing`() throws {
    var (stage, id) = try scene()
    try stage.install("tv", as: "cat", .browser("c"))
    try stage.subscribe("tv")
    try stage.ask("ann", .invite(nil, ["cat", "dan", "eve"], lifetime: nil))
    try stage.respond("phone", try stage.invitation("bob").id, "DECLINE_IDENTIFIER")
    try stage.respond("tv", try stage.invitation("cat").id, "ACCEPT_IDENTIFIER")
    try stage.ask("ann", .revokeInvitations(nil, ["dan"]))
    try stage.notify("phone", .subscribe(.object(.part(.queue, of: id))))
    try stage.ask("ann", .queue(nil, .setRepeat(.all)))
    try stage.ask("ann", .updateObject("votes", set: ["yes": 1]))
    try stage.notify("phone", .subscribe(.object(.own("votes", of: "g"))))
    try stage.ask("ann", .removeObject("votes"))
    stage.disconnect("phone")
    stage.connect(as: "phone", user: "cat")
    try stage.notify("phone", .register(.browser("b")))
    try stage.ask("ann", .end(nil))
    let history = stage.journal.history
    #expect(history.count > 30)
    for count in 0...history.count {
      var next = try Stage.notifying(journal: SharedJournal(history.prefix(count)))
      next.now = stage.now
      next.crash()
      check(next)
      let trays = next.coordinator.people.trays.rooms
      for (user, aggregate) in trays {
        for installation in aggregate.tray.installations {
          #expect(next.coordinator.people.trays.index.owners[installation.device] == user)
          guard let token = installation.endpoint?.token else { continue }
          #expect(next.coordinator.people.trays.index.tokens[token] == user)
        }
        for case .object(let object) in aggregate.tray.subscriptions {
          #expect(
            next.coordinator.groups.rooms.state(of: object) != nil,
            "\(user) follows \(object) after \(count)")
        }
      }
      // What was made good is kept: the server after that has nothing to do.
      let kept = lists(next)
      next.crash()
      #expect(lists(next) == kept, "after \(count)")
    }
  }

  /// What stands, but for changes of sessions: each server tells these anew.
  private func lists(_ stage: Stage) -> [UserID: [NotificationID]] {
    stage.coordinator.people.trays.rooms.compactMapValues { aggregate in
      aggregate.tray.entries.filter { ReceivedMessage($0.notification.payload).change == nil }
        .map(\.id)
    }
  }

  @Test func `snapshots hold all of a tray, and are asked for now and then`() throws {
    var limits = Limits()
    limits.snapshotInterval = 4
    var stage = try Stage.notifying(limits: limits)
    try stage.install("phone", as: "bob")
    for number in 0..<9 { try stage.notify("phone", .subscribe(.topic(TopicID("app/\(number)")))) }
    #expect(stage.journal.snapshot(of: .tray("bob"))?.seq == 8)
    let before = stage.tray("bob")
    stage.crash()
    #expect(stage.tray("bob") == before)
    #expect(stage.coordinator.people.trays.index.subscribers.count == 9)
  }

  // MARK: A journal that cannot be written

  @Test func `what could not be kept is turned away; what had to be is made good`() throws {
    var (stage, id) = try scene()
    let invitation = try stage.invitation("bob")
    stage.journal.failures = 1
    let error = try stage.refusal("phone", .notifications(.subscribe(.topic("app/x"))))
    #expect(error.code == .journalUnavailable)
    // The tray rests; meanwhile it is answered elsewhere, and somebody is asked anew.
    try stage.ask("ann", .revokeInvitations(nil, ["bob"]))
    #expect(stage.standing("bob").map(\.id) == [invitation.id])
    try stage.ask("ann", .invite(nil, ["bob"], lifetime: nil))
    stage.advance(Limits().journalRetry)
    let second = try stage.invitation("bob")
    #expect(second.id != invitation.id)
    #expect(stage.revoked("phone") == [invitation.id])
    #expect(stage.notifications("phone").last == second)
    #expect(stage.session(id)?.invitations["bob"]?.state == .pending)
    check(stage)
  }

  /// Two servers share a journal: whoever comes second takes in what the first one kept.
  @Test func `what another server kept first is taken in, and it is decided again`() throws {
    let journal = SharedJournal()
    var first = try Stage.notifying(seed: 1, journal: journal)
    var second = try Stage.notifying(seed: 2, journal: journal)
    try first.install("phone", as: "bob", .browser("one"))
    try second.install("tv", as: "bob", .browser("two"))
    #expect(second.tray("bob")?.installations.map(\.device) == ["phone", "tv"])
    #expect(second.coordinator.people.trays.index.owners.count == 2)
    try first.notify("phone", .subscribe(.topic("app/x")))
    #expect(first.tray("bob")?.installations.map(\.device) == ["phone", "tv"])
    // The first erases the stream; the second begins another.
    try first.notify("phone", .wipe)
    #expect(first.tray("bob") == nil)
    try second.notify("tv", .subscribe(.topic("app/y")))
    #expect(second.tray("bob")?.subscriptions == [.topic("app/y")])
  }
}
