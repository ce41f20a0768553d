import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// Sessions with an audience: two named places, and everybody else watches.
struct AudienceTests {
  /// A group of two that watches, and a premiere that others may come to.
  private func premiere(
    places: Int = 2, peers: Int = Limits().peers, grace: Duration = .seconds(30)
  ) throws -> (Stage, SessionID) {
    var limits = Limits()
    limits.namedPlaces = places
    limits.resumeGrace = grace
    let activation = Activation(Stage.movie(), hasAudience: true)
    return try Stage.watching(["ann", "bob"], activation, limits: limits)
  }

  /// Somebody who comes when the named places are taken.
  @discardableResult
  private func come(
    _ device: DeviceID, to id: SessionID, on stage: inout Stage, user: UserID? = nil
  ) throws -> ParticipantID {
    try stage.come(device, user: user)
    return try stage.join(device, id)
  }

  private func sizes(_ device: DeviceID, _ stage: Stage) -> [AudienceSize] {
    stage.inbox(device).compactMap { if case .audience(_, let size) = $0 { size } else { nil } }
  }

  // MARK: Coming

  @Test func `whoever finds no named place watches, without an event or a row`() throws {
    var (stage, id) = try premiere()
    let (before, rows) = (stage.session(id), stage.journal.everything.count)
    stage.forget()
    try come("cai", to: id, on: &stage)
    #expect(stage.session(id) == before)
    #expect(stage.journal.everything.count == rows)
    #expect(stage["cai"].mirror == before)
    #expect(stage.eligibilities("cai").last == .eligible)
    #expect(stage.offers("cai").map(\.session) == [id])
    #expect(stage.inbox("ann").isEmpty, "the others are told nothing at once")
    let group = try #require(stage.coordinator.groups.rooms.groups["g"]?.group)
    #expect(group.members["cai"] == nil)
    #expect(group.members.count == 2)
    stage.checkMirrors()
  }

  @Test func `a spectator is told every number, also of messages that are for others`() throws {
    var (stage, id) = try premiere()
    try come("cai", to: id, on: &stage)
    try stage.play("film", ["ann", "bob"])
    let bob = try #require(stage["bob"].participant)
    try stage.ask("ann", .send(nil, JSONText(validated: "1"), to: .only([bob])))
    try stage.ask("ann", .send(nil, JSONText(validated: "2"), to: .all))
    #expect(stage["cai"].mirror?.seq == stage.session(id)?.seq)
    #expect(stage.inbox("cai").contains { if case .withheld = $0 { true } else { false } })
    #expect(stage.events("cai").contains { if case .messageSent = $0 { true } else { false } })
    stage.checkMirrors()
  }

  @Test func `a start does not wait for spectators, and they cause no suspension`() throws {
    var (stage, id) = try premiere()
    try come("cai", to: id, on: &stage)
    stage.say(.ping(Ping(sent: HostTime(microseconds: 0), roundTrip: .seconds(2))), from: "cai")
    try stage.play("film", ["ann", "bob"])
    guard case .playing(let anchor)? = stage.timeline(id)?.phase else {
      Issue.record("it waits: \(String(describing: stage.timeline(id)))")
      return
    }
    #expect(anchor.at - stage.now < .milliseconds(200), "its delay sets no lead")
    for request: Request in [
      .playback(nil, .suspend(.stallRecovery)), .playback(nil, .pause("film", at: .zero)),
      .send(nil, JSONText(validated: "1"), to: .all), .end(nil),
      .setReadyToStart(nil, true), .queue(nil, .clear),
      .attachment(nil, .begin(bytes: 1, metadata: JSONText(validated: "null"))),
      .attachment(nil, .load("a-1", part: 0)),
    ] {
      let refusal = try stage.refusal("cai", request)
      #expect(refusal.code == .notJoined && refusal.reason == "audience", "\(request)")
    }
    stage.checkMirrors()
  }

  @Test func `a client that knows no audiences is refused, as from any full session`() throws {
    var (stage, id) = try premiere()
    stage.connect(as: "cai")
    try stage.ask("cai", .joinGroup("g"))
    let refusal = try stage.refusal("cai", .join(id, handoffFrom: nil))
    #expect(refusal.code == .sessionFull && refusal.limit == 2)
  }

  @Test func `members of the group who find no place are spectators and stay members`() throws {
    let (stage, id) = try Stage.hall(["ann", "bob", "cai"])
    #expect(stage.session(id)?.participants.count == 2)
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members.count == 3)
    #expect(stage.isSpectator("cai"))
    stage.checkMirrors()
  }

  @Test func `joins that wait for the journal take the places in their order`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob", "cai"], isWatching: false)
    stage.isHeld = true
    let requests = ["ann", "bob", "cai"].map {
      stage.post(.join(id, handoffFrom: nil), from: DeviceID($0))
    }
    stage.isHeld = false
    stage.release()
    for (device, request) in zip(["ann", "bob", "cai"], requests) {
      #expect(stage[DeviceID(device)].answers[request]?.count == 1, "\(device)")
    }
    #expect(stage.session(id)?.participants.count == 2)
    #expect(stage.isSpectator("cai"))
    stage.checkMirrors()
  }

  @Test func `a place is kept for the initiator and for whom somebody invited`() throws {
    var limits = Limits()
    limits.namedPlaces = 3
    var stage = Stage(limits: limits)
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann", Activation(Stage.movie(), hasAudience: true))
    try stage.join("bob", id)
    try stage.ask("bob", .invite(id, ["dot"], lifetime: nil))
    try come("cai", to: id, on: &stage)
    #expect(stage.session(id)?.participant(on: "cai") == nil, "ann and dot are expected")
    try stage.join("ann", id)
    stage.connect(as: "dot", features: Stage.watcher)
    try stage.ask("dot", .joinGroup("g"))
    try stage.join("dot", id)
    #expect(stage.session(id)?.participant(on: "dot") != nil)
    stage.checkMirrors()
  }

  @Test func `a visitor that joins the group anew is offered the session that is not for visitors`()
    throws
  {
    var (stage, id) = try premiere()
    try stage.come("cai")
    try stage.ask("ann", .end(nil))
    let next = try stage.activate("ann", Activation(Stage.movie()))
    #expect(stage.offers("cai").map(\.session) == [id])
    try stage.ask("cai", .joinGroup("g"))
    #expect(stage.offers("cai").map(\.session) == [id, next])
    try stage.join("cai", next)
    #expect(stage.session(next)?.participant(on: "cai") != nil)
    stage.checkMirrors()
  }

  @Test func `a visitor whom somebody invites becomes a member with a named place`() throws {
    var (stage, id) = try premiere(places: 2)
    try come("cai", to: id, on: &stage)
    try stage.ask("bob", .leave(id))
    try stage.ask("ann", .invite(id, ["cai"], lifetime: nil))
    let answer = try stage.ask("cai", .answerInvitation(id, .accepted, seq: nil))
    guard case .joined(id, let participant) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(stage.session(id)?.participants[participant]?.device == "cai")
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members["cai"] != nil)
    #expect(!stage.isSpectator("cai"))
    stage.checkMirrors()
  }

  // MARK: Doors

  @Test func `the banned do not watch, and a ban ends what they watch`() throws {
    var (stage, id) = try premiere(places: 3)
    stage.connect(as: "eve", features: Stage.watcher)
    try stage.ask("eve", .joinGroup("g"))
    let eve = try stage.join("eve", id)
    try come("eves-tv", to: id, on: &stage, user: "eve")
    #expect(stage.isSpectator("eves-tv"))
    stage.forget()
    try stage.ask("ann", .remove(id, eve, isBanned: true))
    #expect(
      stage.inbox("eves-tv").contains {
        if case .sessionLeft(id, .removed(_, isBanned: true)) = $0 { true } else { false }
      })
    #expect(try stage.refusal("eves-tv", .join(id, handoffFrom: nil)).code == .banned)
    stage.checkMirrors()
  }

  @Test func `a visitor neither changes nor starts anything in the group`() throws {
    var (stage, id) = try premiere()
    try come("cai", to: id, on: &stage)
    let rows = stage.journal.everything.count
    for request: Request in [
      .activate(Activation(Stage.movie("other"))), .activate(Activation(Stage.movie())),
      .setSharing(false), .closeGroup(nil), .changeKey(), .removeUser("ann"),
      .setPreferredDevice("cai"), .updateObject("votes", set: ["a": .integer(1)]),
      .activateStaged(id), .withdraw(id),
    ] {
      #expect(throws: ProtocolError.self, "\(request)") { try stage.ask("cai", request) }
    }
    #expect(stage.session(id)?.state == .open)
    #expect(stage.journal.everything.count == rows, "no refusal is stored")
  }

  // MARK: Going

  @Test(arguments: [Request.leave(nil), .dismiss(nil), .leaveGroup])
  func `a spectator goes without a word to the others`(_ request: Request) throws {
    var (stage, id) = try premiere()
    try come("cai", to: id, on: &stage)
    let seq = stage.session(id)?.seq
    stage.forget()
    try stage.ask("cai", request)
    try stage.ask("ann", .send(nil, JSONText(validated: "1"), to: .all))
    #expect(stage.session(id)?.seq == seq.map { $0 + 1 })
    #expect(stage.events("cai").isEmpty)
    #expect(stage.coordinator.groups.onlookers.spectators(of: id) == [])
    stage.checkMirrors()
  }

  @Test func `the end of the session is everybody's, and the next premiere finds the visitors`()
    throws
  {
    var (stage, id) = try premiere()
    try come("cai", to: id, on: &stage)
    stage.forget()
    try stage.ask("ann", .end(nil))
    #expect(stage.events("cai").last.map { if case .ended = $0 { true } else { false } } == true)
    #expect(stage.coordinator.groups.seats["cai"]?.session == nil)
    let plain = try stage.activate("ann", Activation(Stage.movie("plain")))
    #expect(stage.offers("cai").isEmpty, "a session without an audience is not for visitors")
    #expect(
      stage.inbox("cai").contains { if case .activityNotice = $0 { true } else { false } })
    #expect(throws: ProtocolError.self) { try stage.join("cai", plain) }
    let next = try stage.activate(
      "ann", Activation(Stage.movie("next"), ifBusy: .replace, hasAudience: true))
    #expect(stage.offers("cai").map(\.session) == [next])
    try stage.join("ann", next)
    try stage.join("bob", next)
    try stage.join("cai", next)
    stage.checkMirrors()
  }

  @Test func `a group that closes sends its visitors away`() throws {
    var (stage, id) = try premiere()
    try come("cai", to: id, on: &stage)
    try stage.ask("ann", .closeGroup(nil))
    #expect(stage.coordinator.groups.seats["cai"]?.group == nil)
    #expect(stage.eligibilities("cai").last == .ineligible(.notInGroup))
    #expect(stage.session(id) == nil)
  }

  // MARK: Connections

  @Test func `a spectator who comes back in time misses nothing`() throws {
    var (stage, id) = try premiere()
    try come("cai", to: id, on: &stage)
    stage.disconnect("cai")
    try stage.play("film", ["ann", "bob"])
    stage.advance(.seconds(10))
    stage.resume("cai", features: Stage.watcher)
    #expect(stage["cai"].mirror?.seq == stage.session(id)?.seq)
    #expect(!stage.inbox("cai").contains { if case .snapshot = $0 { true } else { false } })
    stage.checkMirrors()
  }

  @Test
  func `a session that ends while a spectator is away is over for it, and the next one is not`()
    throws
  {
    var (stage, id) = try premiere()
    try come("cai", to: id, on: &stage)
    stage.disconnect("cai")
    let next = try stage.activate(
      "ann", Activation(Stage.movie("next"), ifBusy: .replace, hasAudience: true))
    for device in ["ann", "bob"] as [DeviceID] { try stage.join(device, next) }
    stage.resume("cai", features: Stage.watcher)
    #expect(
      stage.inbox("cai").contains { if case .sessionOver(id, _) = $0 { true } else { false } })
    try stage.join("cai", next)
    #expect(stage.isSpectator("cai"))
    stage.checkMirrors()
  }

  @Test func `a spectator who was banned while it was away does not watch on`() throws {
    var (stage, id) = try premiere(places: 3)
    stage.connect(as: "eve", features: Stage.watcher)
    try stage.ask("eve", .joinGroup("g"))
    let eve = try stage.join("eve", id)
    try come("eves-tv", to: id, on: &stage, user: "eve")
    stage.disconnect("eves-tv")
    try stage.ask("ann", .remove(id, eve, isBanned: true))
    stage.resume("eves-tv", features: Stage.watcher)
    #expect(!stage.isSpectator("eves-tv"))
    #expect(
      stage.inbox("eves-tv").contains { if case .sessionLeft(id, _) = $0 { true } else { false } })
    stage.checkMirrors()
  }

  @Test func `a spectator whose old connection nobody missed takes its place over`() throws {
    var (stage, id) = try premiere()
    try come("cai", to: id, on: &stage)
    stage.resume("cai", features: Stage.watcher)
    try stage.play("film", ["ann", "bob"])
    #expect(stage["cai"].mirror?.seq == stage.session(id)?.seq)
    stage.checkMirrors()
  }

  @Test func `nothing is kept of a visitor whose grace is over`() throws {
    var (stage, id) = try premiere(grace: .seconds(30))
    try come("cai", to: id, on: &stage)
    stage.disconnect("cai")
    stage.advance(.seconds(31))
    #expect(stage.coordinator.groups.seats["cai"] == nil)
    #expect(stage.coordinator.front.devices["cai"] == nil)
    #expect(stage.coordinator.groups.onlookers.visitors(of: "g") == [])
    #expect(stage.session(id)?.participants.count == 2)
  }

  @Test func `after a restart a member watches on, and a visitor comes anew`() throws {
    var (stage, id) = try Stage.hall(["ann", "bob", "cai"])
    try come("dot", to: id, on: &stage)
    stage.crash()
    for device: DeviceID in ["ann", "bob", "cai"] {
      stage.resume(device, features: Stage.watcher)
    }
    #expect(stage.isSpectator("cai"))
    stage.resume("dot", features: Stage.watcher)
    #expect(
      stage.inbox("dot").contains {
        if case .error(nil, let error) = $0 { error.code == .resumeRefused } else { false }
      })
    try come("dot", to: id, on: &stage)
    try stage.play("film", ["ann", "bob"])
    stage.checkMirrors()
  }

  // MARK: Size

  @Test func `everybody is told how many watch and how many are slow, once a second`() throws {
    var (stage, id) = try premiere()
    try stage.play("film", ["ann", "bob"])
    stage.forget()
    try come("cai", to: id, on: &stage)
    try come("dot", to: id, on: &stage)
    #expect(sizes("cai", stage) == [AudienceSize()], "what the others know")
    stage.advance(.seconds(1))
    #expect(sizes("ann", stage) == [AudienceSize(count: 2)])
    stage.advance(.seconds(5))
    #expect(sizes("ann", stage).count == 1, "nothing is said while nothing changes")
    let position = try #require(stage.timeline(id)?.position(at: stage.now))
    for (device, offset) in [("cai", Duration.seconds(2)), ("dot", .milliseconds(5))] {
      stage.say(
        .report(
          PositionReport(
            item: "film", mediaTime: position + offset, at: stage.now, isPlaying: true)),
        from: DeviceID(device))
    }
    stage.disconnect("dot")
    stage.advance(.seconds(1))
    #expect(sizes("ann", stage).last == AudienceSize(count: 1, slow: 1))
    try stage.ask("ann", .status())
    let report = stage.inbox("ann").compactMap {
      if case .status(_, let report) = $0 { report } else { nil }
    }
    #expect(report.last?.audiences == [.init(id, AudienceSize(count: 1, slow: 1))])
    #expect(stage.session(id)?.participants.count == 2)
  }
}
