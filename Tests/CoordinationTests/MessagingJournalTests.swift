import InAppMessaging
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// People's messages over a journal that fails, is shared, or is gone on from.
@Suite struct MessagingJournalTests {
  private func isReplayed(_ stage: Stage, _ user: UserID = "ann") -> Bool {
    let events = stage.journal.live[.user(user)] ?? []
    return stage.messaging(user) == UserMessaging(replaying: events, id: user)
  }

  // MARK: When writing fails

  @Test func `what cannot be kept is turned away, nobody is sent anything, and later it works`()
    throws
  {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    try stage.log("phone", "other", 1)
    stage.forget()
    let seq = stage.messaging()?.seq
    stage.journal.failures = 1
    let request = stage.post(.messaging(.logEvent("go", [:], sequence: 2)), from: "phone")
    guard case .failure(let error)? = stage["phone"].answers[request]?.first else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == .journalUnavailable && error.retryAfter == Limits().journalRetry)
    #expect(stage.deliveries("phone").isEmpty && stage.messaging()?.seq == seq)
    #expect(
      try stage.refusal("phone", .messaging(.wipe)).code == .journalUnavailable)
    stage.advance(Limits().journalRetry)
    stage.say(
      .request(request, .messaging(.logEvent("go", [:], sequence: 2))), from: "phone")
    #expect(stage["phone"].answers[request]?.last == .success(.done(seq: nil)))
    #expect(stage.deliveries("phone").count == 1)
    #expect(isReplayed(stage))
  }

  @Test func `what waited behind what could not be kept is turned away with it`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    stage.isHeld = true
    let requests = (1...3).map {
      stage.post(.messaging(.logEvent("go", [:], sequence: $0)), from: "phone")
    }
    stage.journal.failures = 1
    stage.isHeld = false
    stage.release()
    for request in requests {
      #expect(
        stage["phone"].answers[request]
          == [.failure(ProtocolError(.journalUnavailable, retryAfter: Limits().journalRetry))])
    }
    #expect(stage.kept().isEmpty)
  }

  @Test func `a loss, a run, an end and other campaigns that could not be kept are made good`()
    throws
  {
    var stage = try Stage.campaigning([
      .sample("m"), .sample("n", on: "n"), .sample("player", on: "film") { $0.bindsSession = true },
    ])
    for device in ["ann", "bob"] as [DeviceID] {
      try stage.open(device, as: UserID(device.text))
      try stage.ask(device, .joinGroup("g"))
    }
    let session = try stage.activate("ann")
    try stage.join("ann", session)
    try stage.join("bob", session)
    for name in ["go", "n", "film"] { try stage.log("ann", name) }
    for message in stage.deliveries("ann") { try stage.report("ann", message.id, .waiting) }
    try stage.log("bob", "film")
    stage.journal.failures = 2
    _ = try stage.refusal("ann", .messaging(.logEvent("x", [:], sequence: nil)))
    _ = try stage.refusal("bob", .messaging(.logEvent("x", [:], sequence: nil)))
    stage.disconnect("ann")
    stage.handle(.campaigns(try CampaignSet([.sample("m"), .sample("player", on: "film")])))
    try stage.ask("bob", .leave(nil))
    #expect(stage.messaging("bob")?.deliveries.count == 1)
    stage.advance(Limits().journalRetry)
    #expect(stage.messaging("ann")?.lost["ann"] != nil)
    #expect(stage.messaging("ann")?.deliveries.map(\.campaign) == ["m", "player"])
    #expect(stage.messaging("bob")?.deliveries.isEmpty == true)
    stage.resume("ann")
    stage.journal.failures = 1
    let request = stage.post(
      .messaging(.appState(AppState(isVisible: true, epoch: 2))), from: "ann")
    #expect(stage["ann"].answers[request]?.count == 1)
    #expect(stage.messaging("ann")?.marks[.client("ann")]?.epoch == 1)
    stage.advance(Limits().journalRetry)
    #expect(stage.messaging("ann")?.marks[.client("ann")]?.epoch == 2)
    #expect(stage.messaging("ann")?.lost.isEmpty == true)
    #expect(isReplayed(stage, "ann") && isReplayed(stage, "bob"))
  }

  @Test func `a delay that is over while nothing can be kept is over when something can`() throws {
    var stage = try Stage.campaigning([.sample("m") { $0.delay = .seconds(5) }])
    try stage.open("phone")
    try stage.log("phone")
    stage.journal.failures = 4
    stage.advance(.seconds(7))
    #expect(stage.deliveries("phone").isEmpty)
    stage.advance(.seconds(2))
    #expect(stage.deliveries("phone").count == 1)
  }

  // MARK: Two servers

  @Test func `somebody was first: the loser takes the events in and decides again`() throws {
    let journal = SharedJournal()
    let campaigns = [Campaign.sample("m") { $0.caps = [FrequencyCap(1, per: .ever)] }]
    var one = try Stage.campaigning(campaigns, seed: 1, journal: journal)
    var two = try Stage.campaigning(campaigns, seed: 2, journal: journal)
    try one.open("phone")
    try two.open("tv")
    try one.log("phone")
    #expect(one.deliveries("phone").count == 1)
    // The other server knows nothing of it until it wants to keep something.
    two.advance(.seconds(1))
    try two.log("tv")
    #expect(two.losses == 1 && two.deliveries("tv").isEmpty)
    #expect(two.messaging()?.deliveries.count == 1)
    try one.watch("phone")
    #expect(one.losses == 1)
    try two.log("tv")
    #expect(two.deliveries("tv").isEmpty)
    #expect(isReplayed(two))
    let events = try #require(journal.live[.user("ann")])
    let ids = events.compactMap {
      if case .user(.reserved(let one)) = $0.event { one.id } else { nil }
    }
    #expect(ids.count == 1)
  }

  // MARK: After a crash

  // Proves: §7.13
  @Test func `caps and what is known hold over a crash`() throws {
    var stage = try Stage.campaigning([.sample("m") { $0.reEligibility = .never }])
    try stage.open("phone", epoch: 3)
    try stage.tell("phone", .setAttributes(["plan": .string("paid")]))
    try stage.tell("phone", .setMembership(list: "fans", true))
    try stage.log("phone", "go", 1)
    try stage.watch("phone")
    let before = try #require(stage.messaging())
    stage.crash()
    #expect(stage.messaging() == before)
    try stage.open("phone", epoch: 3)
    try stage.log("phone", "go", 1)
    try stage.log("phone", "go", 2)
    #expect(stage.deliveries("phone").isEmpty)
    #expect(stage.messaging()?.history == before.history)
    #expect(isReplayed(stage))
  }

  @Test func `what was under way is waited for, and sent again to the same run`() throws {
    var stage = try Stage.campaigning([.sample("m"), .sample("n", on: "n")])
    try stage.open("phone", epoch: 3)
    try stage.log("phone")
    let first = try #require(stage.deliveries("phone").last?.id)
    try stage.report("phone", first, .started)
    try stage.log("phone", "n")
    let second = try #require(stage.deliveries("phone").last?.id)
    stage.crash()
    #expect(stage.kept().last == .interrupted(until: stage.now + MessagingPolicy().clientGrace))
    #expect(stage.messaging()?.lost["phone"] != nil)
    try stage.open("phone", epoch: 3)
    #expect(stage.deliveries("phone").map(\.id) == [second])
    try stage.report("phone", first, .impression)
    #expect(stage.messaging()?.history["m"]?.count == 1)
    #expect(isReplayed(stage))
  }

  @Test func `whoever does not come back to the next server has lost what was under way`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    try stage.log("phone")
    try stage.report("phone", try #require(stage.deliveries("phone").last?.id), .waiting)
    stage.crash()
    stage.advance(MessagingPolicy().clientGrace)
    #expect(stage.messaging()?.deliveries.isEmpty == true)
    #expect(stage.messaging()?.lapsed.count == 1)
    #expect(stage.coordinator.nextDeadline == nil)
  }

  @Test func `a session that was over before a crash takes its message with it after`() throws {
    var stage = try Stage.campaigning([.sample("player") { $0.bindsSession = true }])
    for device in ["ann", "bob"] as [DeviceID] {
      try stage.open(device, as: UserID(device.text))
      try stage.ask(device, .joinGroup("g"))
    }
    let session = try stage.activate("ann")
    try stage.join("ann", session)
    try stage.log("ann")
    stage.isHeld = true
    stage.post(.end(nil), from: "ann")
    stage.release(1)  // The session's end is kept, and what follows for the message is not.
    stage.isHeld = false
    #expect(stage.messaging("ann")?.deliveries.count == 1)
    stage.crash()
    #expect(stage.messaging("ann")?.deliveries.isEmpty == true)
  }

  @Test func `a snapshot is kept now and then, and a start goes on from it`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone", epoch: 3)
    for number in 1...Limits().snapshotInterval { try stage.log("phone", "x", number) }
    let before = stage.messaging()
    let recovery = try stage.journal.recovery()
    #expect(recovery.users.map(\.messaging) == [before])
    #expect(stage.journal.snapshot(of: .user("ann")) != nil)
    stage.crash()
    #expect(stage.messaging() == before)
  }
}
