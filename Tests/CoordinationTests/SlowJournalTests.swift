import GroupSessions
import Naming
import Playback
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// People who come and go while the journal is slow, or cannot be written: each of these was found
/// by a random story.
@Suite struct SlowJournalTests {
  @Test func `whoever is back before its loss is kept is not told that it is not connected`() throws
  {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann", Activation(Stage.movie()))
    stage.isHeld = true
    stage.disconnect("bob")
    stage.resume("bob")
    stage.isHeld = false
    stage.release()
    #expect(stage.eligibilities("bob").last == .eligible)
    #expect(stage.eligibilities("bob").allSatisfy { $0 == .eligible })
    #expect(stage.offers("bob").last?.session == id)
  }

  @Test func `a device in no group that goes on by another connection is not forgotten`() throws {
    var stage = Stage()
    stage.connect(as: "ann")
    let refused = stage.post(.leaveGroup, from: "ann")
    let answers = stage["ann"].answers[refused]
    stage.resume("ann")  // Its old connection still looks alive.
    try stage.ask("ann", .joinGroup("g"))
    stage.crash()
    stage.resume("ann")
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members["ann"] != nil)
    stage.say(.request(refused, .leaveGroup), from: "ann")
    #expect(stage["ann"].answers[refused] == answers)
  }

  @Test func `whoever starts anew and cannot join yet has no place until it can`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.journal.failures = 1
    _ = try stage.refusal("ann", .setSharing(false))
    stage.disconnect("bob")
    stage.connect(as: "bob")
    #expect(try stage.refusal("bob", .joinGroup("g")).code == .journalUnavailable)
    stage.advance(.seconds(2))
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members.keys.map(\.self) == ["ann"])
    try stage.ask("bob", .joinGroup("g"))
    #expect(stage.coordinator.front.audiences[.group("g")].count == 2)
  }

  @Test func `while an append's outcome is unknown, requests are refused and facts wait`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    func codes(_ user: DeviceID, _ request: RequestID) -> [ErrorCode?] {
      (stage[user].answers[request] ?? []).map {
        if case .failure(let error) = $0 { error.code } else { nil }
      }
    }
    let count = stage.journal.streams[.group("g")]?.count ?? 0
    stage.isHeld = true
    let first = stage.post(.setSharing(false), from: "ann")
    let waiting = stage.post(.setSharing(true), from: "ann")
    stage.doubt()
    let late = stage.post(.setSharing(false), from: "bob")
    stage.disconnect("bob")
    #expect(codes("ann", first).isEmpty)
    #expect(codes("ann", waiting) == [.journalUnavailable])
    #expect(codes("bob", late) == [.journalUnavailable])
    // It is found to be stored; a second doubt before that changes nothing.
    stage.doubt()
    stage.isHeld = false
    stage.release()
    #expect(codes("ann", first) == [nil])
    let group = try #require(stage.coordinator.groups.rooms.groups["g"]?.group)
    #expect(group.lost.keys.map(\.self) == ["bob"])
    #expect(stage.journal.streams[.group("g")]?.count == count + 2)
    try stage.ask("ann", .setSharing(true))
  }

  @Test func `a batch whose outcome was unknown and that was not stored fails like any other`()
    throws
  {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.isHeld = true
    let first = stage.post(.setSharing(false), from: "ann")
    stage.doubt()
    stage.disconnect("bob")
    stage.journal.failures = 1
    stage.isHeld = false
    stage.release()
    guard case .failure(let error)? = stage["ann"].answers[first]?.first else {
      Issue.record("the request was stored")
      return
    }
    #expect(error.code == .journalUnavailable)
    stage.advance(.seconds(2))
    let group = try #require(stage.coordinator.groups.rooms.groups["g"]?.group)
    #expect(group.lost.keys.map(\.self) == ["bob"])
    try stage.ask("ann", .setSharing(false))
  }

  @Test func `however often a device comes back while nothing is stored, little waits`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.isHeld = true
    stage.post(.send(nil, JSONText(validated: "1"), to: .all), from: "ann")
    stage.post(.setSharing(false), from: "ann")
    for _ in 0..<20 {
      stage.disconnect("bob")
      stage.resume("bob")
    }
    let rooms = stage.coordinator.groups.rooms
    #expect(rooms.sessions[id]?.lane.pendingCount == 3)
    #expect(rooms.groups["g"]?.lane.pendingCount == 3)
    stage.isHeld = false
    stage.release()
    #expect(stage.session(id)?.lost.isEmpty == true)
    stage.disconnect("bob")
    #expect(stage.session(id)?.lost.count == 1)
    stage.resume("bob")
    stage.checkMirrors()
  }

  @Test func `an invitation waits once for a tray, however long nothing can be stored`() throws {
    var stage = try Stage.notifying()
    try stage.gather(["ann"])
    try stage.install("phone", as: "bob", in: "g")
    stage.journal.failures = 1
    _ = try stage.refusal("phone", .notifications(.subscribe(.topic("app/x"))))
    _ = try stage.activate("ann")
    stage.journal.failures = 100
    for _ in 0..<5 {
      stage.advance(Limits().journalRetry)
      #expect(stage.coordinator.people.trays["bob"]?.lane.pendingCount == 1)
    }
    stage.journal.failures = 0
    stage.advance(Limits().journalRetry)
    #expect(stage.notifications("phone").count == 1)
  }

  @Test func `an answer behind a hello that could not be stored is stored with another one`() throws
  {
    var stage = Stage()
    try stage.gather(["ann"])
    stage.connect(as: "bob")
    stage.isHeld = true
    // Bob's hello is stored with the first request, whose batch fails; the second one's does not.
    let failing = stage.post(.notifications(.register()), from: "bob")
    let joining = stage.post(.joinGroup("g"), from: "bob")
    stage.journal.failures = 1
    stage.isHeld = false
    stage.release()
    guard case .failure(let error)? = stage["bob"].answers[failing]?.first else {
      Issue.record("the first request was stored")
      return
    }
    #expect(error.code == .journalUnavailable)
    let answers = try #require(stage["bob"].answers[joining])
    #expect(try answers.first?.get() != nil && answers.count == 1)
    stage.crash()
    stage.resume("bob")
    stage.say(.request(joining, .joinGroup("g")), from: "bob")
    #expect(stage["bob"].answers[joining] == answers)
    let joins = stage.journal.streams[.group("g")]?.count {
      if case .group(.memberJoined(let member)) = $0.event { member.device == "bob" } else { false }
    }
    #expect(joins == 1)
  }

  @Test func `whoever starts over while the hello is stored has another hello`() throws {
    var stage = Stage()
    try stage.gather(["ann"])
    stage.connect(as: "bob")
    stage.isHeld = true
    stage.post(.joinGroup("g"), from: "bob")
    stage.disconnect("bob")
    stage.connect(as: "bob")
    stage.isHeld = false
    stage.release()
    try stage.ask("bob", .joinGroup("g"))
    stage.crash()
    stage.resume("bob")
    #expect(stage.inbox("bob").contains { if case .welcome = $0 { true } else { false } })
    stage.checkMirrors()
  }

  @Test func `a stay that began while its peer was cut off begins with a snapshot`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let seq = stage.session(id)?.seq
    stage.isHeld = true
    stage.post(.leave(nil), from: "bob")
    stage.post(.join(id, handoffFrom: nil), from: "bob")
    stage.disconnect("bob")
    stage.isHeld = false
    stage.release()
    stage.forget()
    stage.resume("bob", seq: seq)
    #expect(stage.inbox("bob").contains { if case .snapshot = $0 { true } else { false } })
    stage.checkMirrors()
  }

  @Test func `a member whose grace ended while it came back leaves the session, too`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.disconnect("bob")
    stage.isHeld = true
    stage.advance(Limits().resumeGrace + .seconds(1))
    stage.resume("bob")
    stage.isHeld = false
    stage.release()
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members["bob"] == nil)
    #expect(stage.session(id)?.participants.count == 1)
    stage.checkMirrors()
  }

  @Test func `whoever starts over may ask for the session while its joining is stored`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.disconnect("bob")
    stage.isHeld = true
    stage.connect(as: "bob")
    let joining = stage.post(.joinGroup("g"), from: "bob")
    stage.release(1)  // Its earlier life has left now, and its joining is under way.
    let taking = stage.post(.join(id, handoffFrom: nil), from: "bob")
    stage.isHeld = false
    stage.release()
    for request in [joining, taking] {
      _ = try #require(stage["bob"].answers[request]?.first).get()
    }
    #expect(stage.session(id)?.participants.values.contains { $0.device == "bob" } == true)
    stage.checkMirrors()
  }

  @Test func `whoever starts over alone opens the group anew, and is handled in order`() throws {
    var limits = Limits()
    limits.eligibleMembers = 1
    var stage = Stage(limits: limits)
    try stage.gather(["ann"])
    stage.disconnect("ann")
    stage.isHeld = true
    stage.connect(as: "ann")
    let requests = [
      stage.post(.joinGroup("g"), from: "ann"),
      stage.post(.activate(Activation(Stage.movie())), from: "ann"),
    ]
    stage.isHeld = false
    stage.release()
    for request in requests { _ = try #require(stage["ann"].answers[request]?.first).get() }
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members["ann"] != nil)
  }

  @Test func `whoever comes back as the last grace ends opens the group anew`() throws {
    var stage = Stage()
    try stage.gather(["ann"])
    stage.disconnect("ann")
    stage.isHeld = true
    stage.advance(Limits().resumeGrace + .seconds(1))
    stage.resume("ann")
    let joining = stage.post(.joinGroup("g"), from: "ann")
    stage.isHeld = false
    stage.release()
    _ = try #require(stage["ann"].answers[joining]?.first).get()
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members["ann"] != nil)
  }

  /// How a device comes back.
  enum Return: CaseIterable {
    /// Its old connection still looks alive.
    case superseding
    /// Neither its loss nor its return can be stored.
    case whileFailing
    /// Its loss is still being stored, and then could not be.
    case beforeFailing
  }

  @Test(arguments: Return.allCases)
  func `whoever missed nothing hears of the session when it comes back`(way: Return)
    throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    switch way {
    case .superseding: break
    case .whileFailing:
      stage.journal.failures = 1
      _ = try stage.refusal("ann", .setWaitingPolicy(nil, .together))
      stage.disconnect("bob")
    case .beforeFailing:
      stage.isHeld = true
      stage.disconnect("bob")
    }
    stage.forget()
    stage.resume("bob")
    if way == .beforeFailing {
      stage.journal.failures = 1
      stage.isHeld = false
      stage.release()
    }
    let heard = stage.inbox("bob").filter {
      switch $0 {
      case .snapshot(let snapshot): snapshot.session.id == id
      case .event(id, _, _, _): true
      default: false
      }
    }
    #expect(!heard.isEmpty)
    stage.advance(.seconds(2))
    stage.checkMirrors()
    #expect(stage["bob"].mirror == stage.session(id) && stage.session(id)?.lost.isEmpty == true)
  }

  @Test func `whoever comes back while nothing can be stored is told the state once`() throws {
    var (stage, _) = try Stage.watching(["ann", "bob"])
    stage.disconnect("bob")
    stage.journal.failures = 20
    _ = try stage.refusal("ann", .setWaitingPolicy(nil, .together))
    // The first time it hears of its loss, the second time of nothing.
    for _ in 0..<2 {
      stage.disconnect("bob")
      stage.forget()
      stage.resume("bob")
    }
    for _ in 0..<5 { stage.advance(.seconds(2)) }
    let states = stage.inbox("bob").count { if case .snapshot = $0 { true } else { false } }
    #expect(states == 1)
  }
}
