import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

@Suite struct SessionLifeTests {
  @Test func `each change of eligibility is pushed with its reason`() throws {
    var stage = Stage()
    stage.connect(as: "ann")
    try stage.ask("ann", .joinGroup("g"))
    try stage.gather(["bob"])
    try stage.ask("ann", .setSharing(false))
    try stage.ask("ann", .setSharing(true))
    stage.disconnect("bob")
    stage.resume("bob")
    try stage.ask("bob", .leaveGroup)
    try stage.ask("ann", .leaveGroup)
    #expect(
      stage.eligibilities("ann") == [
        .ineligible(.notInGroup), .ineligible(.alone), .eligible, .ineligible(.sharingDisabled),
        .eligible, .ineligible(.alone), .eligible, .ineligible(.alone), .ineligible(.notInGroup),
      ])
  }

  @Test func `the joiner of a group hears of it first, then of everything in it`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.connect(as: "cat")
    stage.forget()
    let request = stage.post(.joinGroup("g"), from: "cat")
    let kinds = stage.inbox("cat").map { "\($0)".prefix { $0 != "(" } }
    #expect(kinds == ["group", "eligibility", "offer", "answer"])
    #expect(stage["cat"].answers[request]?.count == 1)
    #expect(stage.offers("cat").map(\.session) == [id])
    #expect(stage.coordinator.front.audiences[.group("g")].count == 3)
  }

  @Test func `sharing switched off withdraws the offer, and on again brings it back`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob", "cat"])
    let id = try stage.activate("ann")
    try stage.ask("bob", .setSharing(false))
    #expect(stage.inbox("bob").contains(.offerWithdrawn(id, .notEligible)))
    stage.forget()
    try stage.ask("bob", .setSharing(true))
    #expect(stage.offers("bob").map(\.session) == [id])
  }

  @Test func `a change of what is on reaches those who hold an offer`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    stage.forget()
    try stage.ask("ann", .setActivity(nil, Stage.movie("next"), ifRevision: nil))
    #expect(stage.offers("bob").map(\.revision) == [2])
    #expect(stage.offers("ann").isEmpty)
  }

  @Test func `nothing of the session reaches the joiner before its snapshot, and all after`() throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.gather(["cat"])
    stage.forget()
    stage.isHeld = true
    stage.post(.join(id, handoffFrom: nil), from: "cat")
    stage.post(.send(nil, JSONText(validated: "1"), to: .all), from: "ann")
    stage.isHeld = false
    stage.release()
    let kinds = stage.inbox("cat").map { "\($0)".prefix { $0 != "(" } }
    #expect(kinds == ["answer", "snapshot", "event"])
    stage.checkMirrors()
  }

  @Test func `who left is not offered it again by itself, and who asks is`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.ask("bob", .leave(nil))
    stage.forget()
    try stage.ask("ann", .setActivity(nil, Stage.movie("next"), ifRevision: nil))
    try stage.gather(["cat"])
    #expect(stage.offers("bob").isEmpty)
    _ = try stage.ask("bob", .activate(Activation(Stage.movie("next"))))
    #expect(stage.offers("bob").map(\.session) == [id])
    try stage.join("bob", id)
    stage.checkMirrors()
  }

  @Test func `one who was banned hears so, whatever the way`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let bob = try #require(stage["bob"].participant)
    try stage.ask("ann", .remove(nil, bob, isBanned: true))
    stage.forget()
    #expect(try stage.refusal("bob", .join(id, handoffFrom: nil)).code == .banned)
    #expect(try stage.refusal("bob", .activate(Activation(Stage.movie()))).code == .banned)
    #expect(stage.offers("bob").isEmpty)
    #expect(stage.coordinator.groups.seats["bob"]?.session == nil)
  }

  @Test func `a late verb gets the true reason, until the tombstone is forgotten`() throws {
    var limits = Limits()
    limits.tombstones = 1
    var (stage, first) = try Stage.watching(["ann", "bob"], limits: limits)
    try stage.ask("ann", .end(nil))
    #expect(try stage.refusal("bob", .leave(first)).reason == "endedBy")
    #expect(try stage.refusal("bob", .join(first, handoffFrom: nil)).code == .sessionEnded)
    let second = try stage.activate("ann")
    try stage.join("ann", second)
    try stage.ask("ann", .leave(nil))
    #expect(try stage.refusal("bob", .join(second, handoffFrom: nil)).reason == "empty")
    #expect(try stage.refusal("bob", .join(first, handoffFrom: nil)).code == .unknownSession)
  }

  @Test func `when the group closes everyone is out of it and of its session`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.gather(["cat"])
    #expect(try stage.refusal("bob", .closeGroup()).code == .notFounder)
    try stage.ask("ann", .closeGroup())
    for device in ["ann", "bob"] as [DeviceID] {
      #expect(stage.events(device).last == .ended(.groupClosed))
    }
    #expect(stage.inbox("cat").contains(.offerWithdrawn(id, .ended(.groupClosed))))
    #expect(stage.eligibilities("cat").last == .ineligible(.notInGroup))
    #expect(
      stage.coordinator.groups.rooms.groups.isEmpty
        && stage.coordinator.groups.rooms.sessions.isEmpty)
    try stage.ask("bob", .joinGroup("g"))
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.founder == "bob")
  }

  @Test func `leaving the group is leaving the session`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.ask("bob", .leaveGroup)
    #expect(stage.session(id)?.participants.count == 1)
    #expect(stage.events("bob").contains { if case .left = $0 { true } else { false } })
    #expect(try stage.refusal("bob", .join(id, handoffFrom: nil)).code == .unknownSession)
    stage.checkMirrors()
  }

  @Test func `what is asked right behind a join waits for it`() throws {
    var stage = Stage()
    stage.connect(as: "ann")
    stage.isHeld = true
    let join = stage.post(.joinGroup("g"), from: "ann")
    let other = stage.post(.joinGroup("h"), from: "ann")
    let leave = stage.post(.leaveGroup, from: "ann")
    let again = stage.post(.joinGroup("g"), from: "ann")
    stage.isHeld = false
    stage.release()
    for id in [join, leave] {
      guard case .success? = stage["ann"].answers[id]?.first else { throw ProtocolError(.busy) }
    }
    #expect(stage["ann"].answers[other] == [.failure(ProtocolError(.alreadyInGroup))])
    #expect(stage["ann"].answers[again]?.count == 1)
  }

  // MARK: Messages

  @Test func `a message to some is withheld from the others, and named twice sent once`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    let bob = try #require(stage["bob"].participant)
    let ann = try #require(stage["ann"].participant)
    stage.forget()
    try stage.ask("ann", .send(nil, JSONText(validated: "7"), to: .only([bob, bob, ann, "gone"])))
    let seq = try #require(stage.session(id)).seq
    #expect(stage.events("bob").count == 1)
    #expect(stage.events("ann").count == 1)
    #expect(stage.inbox("cat") == [.withheld(id, seq: seq)])
    stage.checkMirrors()

    stage.disconnect("cat")
    try stage.ask("ann", .send(nil, JSONText(validated: "8"), to: .only([bob])))
    stage.resume("cat")
    #expect(stage.inbox("cat").contains(.withheld(id, seq: seq + 2)))
    stage.checkMirrors()
  }

  @Test func `a droppable message reaches those it is for, once, and is no event`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    let bob = try #require(stage["bob"].participant)
    let ann = try #require(stage["ann"].participant)
    let seq = stage.session(id)?.seq
    stage.forget()
    let text = JSONText(validated: "7")
    stage.say(.droppable(DroppableMessage(payload: text)), from: "ann")
    stage.say(
      .droppable(DroppableMessage(payload: text, recipients: .only([bob, bob]))), from: "ann")
    stage.say(.droppable(DroppableMessage(session: "other", payload: text)), from: "ann")
    let message = ServerMessage.message(id, from: ann, text)
    #expect(stage.inbox("bob") == [message, message])
    #expect(stage.inbox("cat") == [message])
    #expect(stage.inbox("ann").isEmpty)
    #expect(stage.session(id)?.seq == seq)
  }

  @Test func `a payload beyond its bound is refused with the bound`() throws {
    var limits = Limits()
    limits.messageBytes = 4
    var (stage, _) = try Stage.watching(["ann", "bob"], limits: limits)
    let refusal = try stage.refusal("ann", .send(nil, JSONText(validated: "12345"), to: .all))
    #expect(refusal.code == .invalidField)
    #expect(refusal.limit == 4)
    stage.forget()
    stage.say(.droppable(DroppableMessage(payload: JSONText(validated: "12345"))), from: "ann")
    #expect(stage.inbox("bob").isEmpty)
  }

  // MARK: Limits

  @Test func `each kind of limit says so`() throws {
    var limits = Limits()
    limits.groups = 1
    limits.groupMembers = 3
    limits.participants = 1
    limits.queueEntries = 1
    limits.suspensions = 1
    limits.timelines = 1
    var stage = Stage(limits: limits)
    try stage.gather(["ann", "bob", "cat"])
    stage.connect(as: "dan")
    #expect(try stage.refusal("dan", .joinGroup("g")).code == .groupFull)
    #expect(try stage.refusal("dan", .joinGroup("h")).code == .groupsFull)
    #expect(stage.coordinator.groups.seats["dan"]?.group == nil)
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    #expect(try stage.refusal("bob", .join(id, handoffFrom: nil)).code == .sessionFull)
    let insert = Request.queue(nil, .insert([Stage.media("x")], at: .end))
    #expect(try stage.refusal("ann", insert).code == .queueFull)
    try stage.ask("ann", .playback(nil, .suspend(.stallRecovery)))
    let second = Request.playback(nil, .suspend(.playingInterstitial))
    #expect(try stage.refusal("ann", second).code == .tooManySuspensions)
    try stage.ask("ann", .playback(nil, .transition(to: "film")))
    #expect(
      try stage.refusal("ann", .playback(nil, .transition(to: "x"))).code == .tooManyTimelines)
    #expect(try stage.refusal("ann", .joinGroup("h")).code == .alreadyInGroup)
  }

  @Test func `suspensions are answered with their number, and a dropped proposal with that`() throws
  {
    var (stage, _) = try Stage.watching(["ann", "bob"])
    try stage.play("film", ["ann", "bob"])
    guard
      case .suspended(let first) = try stage.ask("ann", .playback(nil, .suspend(.stallRecovery))),
      case .suspended(let second) = try stage.ask(
        "ann", .playback(nil, .suspend(.playingInterstitial)))
    else { throw ProtocolError(.busy) }
    let end = Request.playback(nil, .endSuspension(first, proposing: .seconds(9)))
    #expect(try stage.ask("ann", end) == .proposalDropped)
    guard case .done = try stage.ask("ann", .playback(nil, .endSuspension(second))) else {
      throw ProtocolError(.busy)
    }
    stage.checkMirrors()
  }

  @Test func `status tells of the own group, or of the whole server`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.gather(["cat"], in: "h")
    stage.connect(as: "dan")
    func groups(_ device: DeviceID) -> [GroupID]? {
      stage.inbox(device).compactMap {
        if case .status(_, let report) = $0 { report.groups.map(\.id) } else { nil }
      }.last
    }
    try stage.ask("ann", .status())
    try stage.ask("dan", .status())
    #expect(groups("ann") == ["g"])
    #expect(groups("dan") == ["g", "h"])
    try stage.play("film", ["ann", "bob"])
    stage.advance(.seconds(1))
    let place = try #require(stage.timeline(id)).position(at: stage.now)
    stage.say(
      .report(
        PositionReport(
          item: "film", mediaTime: place + .milliseconds(30), at: stage.now, isPlaying: true)),
      from: "bob")
    try stage.ask("ann", .status())
    let offsets = stage.inbox("ann").compactMap {
      if case .status(_, let report) = $0 { report.places.map(\.offset) } else { nil }
    }.last
    #expect(offsets == [.milliseconds(30)])
  }

  @Test(arguments: [(3, Int.max), (.max, 1_200)])
  func `a status is as long as it may be, and goes on where the last one ended`(
    mostGroups: Int, mostBytes: Int
  ) throws {
    var limits = Limits()
    limits.statusGroups = mostGroups
    limits.statusBytes = mostBytes
    var stage = Stage(limits: limits)
    let names = (10..<30).map { GroupID("group-\($0)") }
    for name in names { try stage.gather([DeviceID("in-\(name.text)")], in: name) }
    stage.connect(as: "ann")
    var seen: [GroupID] = []
    var reports: [StatusReport] = []
    repeat {
      stage.forget()
      try stage.ask("ann", .status(after: seen.last))
      let report = try #require(
        stage.inbox("ann").compactMap { message -> StatusReport? in
          guard case .status(_, let report) = message else { return nil }
          #expect(encode(message).count <= mostBytes)
          return report
        }.last)
      #expect(report.groups.count <= mostGroups)
      reports.append(report)
      seen += report.groups.map(\.id)
    } while reports.last?.hasMore == true && reports.count < 50
    #expect(seen == names)
    #expect(reports.count > 3)
    #expect(reports.dropLast().allSatisfy { !$0.groups.isEmpty })
  }

  @Test func `of a session too large for a status there is the name`() throws {
    var limits = Limits()
    limits.statusBytes = 900
    var (stage, id) = try Stage.watching(["ann", "bob"], limits: limits)
    stage.forget()
    try stage.ask("ann", .status())
    guard case .status(_, let report)? = stage.inbox("ann").last else {
      Issue.record("no status")
      return
    }
    #expect(report.groups.map(\.session) == [id])
    #expect(report.sessions.isEmpty)
  }
}
