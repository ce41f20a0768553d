import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary

/// The state table of a session, row by row.
@Suite struct GroupSessionTests {
  @Test func `a staged session waits without an end for a member who activates it`() throws {
    var scene = Scene(Scene.beginning(staged: true))
    #expect(scene.session.nextDeadline == nil)
    #expect(throws: SessionRejection.notActivated) { try scene.join("bob") }
    let bob = Initiator(user: "bob", device: "bob-phone", name: "Bob")
    try scene.run(.activate(by: bob))
    #expect(scene.session.state == .open)
    #expect(scene.session.initiator == bob)
    #expect(scene.session.nextDeadline == scene.now + scene.limits.offerDeadline)
    #expect(try scene.run(.activate(by: bob)).isEmpty)
    try scene.join("bob")
    #expect(scene.session.participants["bob"]?.role == .host)
  }

  @Test func `a staged session is withdrawn by who staged it, or by the group's end`() throws {
    var scene = Scene(Scene.beginning(staged: true))
    #expect(scene.rejection(.withdraw(by: "bob")) == .forbidden(.endSession))
    var other = scene
    try scene.run(.withdraw(by: "ann"))
    #expect(scene.session.state == .ended(.withdrawn))
    try other.run(.terminate(.groupClosed))
    #expect(other.session.state == .ended(.withdrawn))
  }

  @Test func `a session nobody joined ends at its deadline or with its initiator`() throws {
    var scene = Scene()
    var other = scene
    #expect(try scene.advance(.seconds(59)).isEmpty)
    #expect(try scene.advance(.seconds(1)) == [.ended(.neverJoined)])
    try other.run(.initiatorGone)
    #expect(other.session.state == .ended(.neverJoined))
    var joined = try Scene.watching(["bob"])
    #expect(try joined.run(.initiatorGone).isEmpty)
    #expect(try joined.advance(.seconds(100)).isEmpty)
  }

  @Test func `a device joins once`() throws {
    var scene = try Scene.watching(["ann"])
    #expect(try scene.join("ann").isEmpty)
    #expect(scene.session.participants.count == 1)
  }

  @Test func `who is banned or too many is refused`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.remove("bob", isBanned: true, by: "ann"))
    #expect(throws: SessionRejection.banned) { try scene.join("bob") }
    scene.limits.participants = 1
    #expect(throws: SessionRejection.full(limit: 1)) { try scene.join("cat") }
  }

  @Test func `an activity changes only at the revision it was meant for`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.setActivity(Scene.movie("b"), ifRevision: 1, by: "bob"))
    #expect(scene.session.revision == 2)
    #expect(
      scene.rejection(.setActivity(Scene.movie("c"), ifRevision: 1, by: "ann"))
        == .conflict(currentRevision: 2))
    #expect(
      try scene.run(.setActivity(Scene.movie("b"), ifRevision: nil, by: "ann")).isEmpty)
  }

  /// A deadline of somebody who is not there would never pass, and wake the server for ever.
  @Test func `a journal that loses a stranger leaves no deadline`() throws {
    var scene = try Scene.watching(["ann"])
    scene.session.evolve(.lost("bob", until: scene.now), at: scene.now)
    #expect(scene.session.lost.isEmpty && scene.session.nextDeadline == nil)
  }

  @Test func `the last one to leave ends it`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.leave("ann"))
    #expect(scene.session.state == .open)
    #expect(try scene.run(.leave("bob")) == [.left("bob", .left), .ended(.empty)])
    #expect(scene.session.participants.isEmpty)
  }

  @Test func `a session can live as long as its initiator stays on any device`() throws {
    var scene = try Scene.watching(
      ["ann", "bob"], Scene.beginning(lifetime: .endsWhenInitiatorLeaves))
    try scene.join("ann", device: "ann-tv")
    try scene.run(.leave("ann"))
    #expect(scene.session.state == .open)
    try scene.run(.lose("ann2"))
    _ = try scene.advance(.seconds(29))
    #expect(scene.session.state == .open)
    _ = try scene.advance(.seconds(1))
    #expect(scene.session.state == .ended(.initiatorLeft))
  }

  @Test func `a policy set when the initiator had gone ends nothing when others move`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.leave("ann"))
    let movie = Scene.movie("a", lifetime: .endsWhenInitiatorLeaves)
    try scene.run(.setActivity(movie, ifRevision: nil, by: "bob"))
    try scene.join("bob", device: "bob-tv", handoffFrom: "bob")
    #expect(scene.session.state == .open)
  }

  @Test func `anyone ends it for all, once`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.end(by: "bob"))
    #expect(scene.session.state == .ended(.endedBy("bob")))
    let over = SessionRejection.ended(.endedBy("bob"))
    for (_, verb) in PermissionTests.verbs("ann") { #expect(scene.rejection(verb) == over) }
    #expect(scene.rejection(.clockAdvanced) == over)
    #expect(scene.rejection(.terminate(.serverShutdown)) == over)
    #expect(scene.session.nextDeadline == nil)
  }

  @Test func `one who is lost keeps the place for the grace, and no longer`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.lose("bob"))
    #expect(try scene.run(.lose("bob")).isEmpty)
    _ = try scene.advance(.seconds(29))
    try scene.run(.resume("bob"))
    #expect(try scene.run(.resume("bob")).isEmpty)
    #expect(try scene.advance(.seconds(60)).isEmpty)
    try scene.run(.lose("bob"))
    let events = try scene.advance(.seconds(30))
    #expect(events.first == .left("bob", .connectionLost))
  }

  @Test func `while everyone is lost time stands still, and the first one back goes on`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.playback(.transition(to: "a"), by: "ann"))
    try scene.run(.playback(.play("a", immediately: true), by: "ann"))
    _ = try scene.advance(.seconds(10))
    try scene.run(.lose("bob"))
    #expect(!scene.session.isDraining)
    try scene.run(.lose("ann"))
    #expect(scene.session.isDraining)
    let place = try #require(scene.session.playback.timelines["a"]).position(at: scene.now)
    _ = try scene.advance(.seconds(20))
    #expect(scene.session.playback.timelines["a"]?.position(at: scene.now) == place)
    try scene.run(.resume("ann"))
    #expect(!scene.session.isDraining)
    _ = try scene.advance(.seconds(30))
    #expect(scene.session.participants.keys.sorted() == ["ann"])
  }

  @Test func `the end of all graces is the end`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.lose("bob"))
    try scene.run(.lose("ann"))
    let events = try scene.advance(.seconds(30))
    #expect(events.last == .ended(.empty))
    #expect(events.filter { if case .ended = $0 { true } else { false } }.count == 1)
  }

  @Test(arguments: [
    EndReason.groupClosed, .serverShutdown, .replaced(by: "t"),
  ])
  func `what ends it from outside is told`(_ reason: EndReason) throws {
    var scene = try Scene.watching(["ann"])
    try scene.run(.lose("ann"))
    #expect(try scene.run(.terminate(reason)) == [.ended(reason)])
  }

  @Test func `a host removes a guest, and a banned device stays out`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    #expect(
      try scene.run(.remove("bob", isBanned: false, by: "ann")).first
        == .left("bob", .removed(by: "ann", isBanned: false)))
    try scene.join("bob")
    #expect(scene.rejection(.remove("cat", isBanned: false, by: "ann")) == .unknownParticipant)
  }

  @Test func `a ban is for a person with all their devices, a removal for one of them`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.join("bob", device: "bob-tv")
    try scene.run(.remove("bob", isBanned: false, by: "ann"))
    #expect(scene.session.participants.keys.elementsEqual(["ann", "bob2"]))
    try scene.join("bob")
    let reason = LeaveReason.removed(by: "ann", isBanned: true)
    #expect(
      try scene.run(.remove("bob2", isBanned: true, by: "ann"))
        == [.left("bob2", reason), .left("bob", reason)])
  }

  @Test func `a ban that puts out everybody ends the session once`() throws {
    var scene = try Scene.watching(["ann"])
    try scene.join("ann", device: "ann-tv")
    let events = try scene.run(.remove("ann2", isBanned: true, by: "ann"))
    #expect(events.count == 3 && events.last == .ended(.empty))
  }

  @Test func `a hand-off keeps the role and nothing of the old device`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.playback(.suspend(.stallRecovery), by: "ann"))
    scene.limits.participants = 2
    let events = try scene.join("ann", device: "ann-tv", handoffFrom: "ann")
    #expect(events.prefix(2).last == .left("ann", .handedOff(to: "ann2")))
    #expect(scene.session.participants["ann2"]?.role == .host)
    #expect(scene.session.playback.participants["ann2"]?.suspensions.isEmpty == true)
    #expect(throws: SessionRejection.notYourParticipant) {
      try scene.join("cat", handoffFrom: "bob")
    }
    #expect(throws: SessionRejection.unknownParticipant) {
      try scene.join("cat", handoffFrom: "ann")
    }
  }

  @Test(arguments: [true, false])
  func `an item that one watches alone is held for the device it is handed off to`(
    isOpenedInTime: Bool
  ) throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.playback(.transition(to: "a"), by: "ann"))
    try scene.run(.playback(.play("a", immediately: true), by: "ann"))
    _ = try scene.advance(.seconds(10))
    try scene.join("ann", device: "ann-tv", handoffFrom: "ann")
    try scene.run(.lose("bob"))
    let wait = scene.limits.longestPreparation
    #expect(scene.session.nextDeadline == scene.now + wait)
    if isOpenedInTime {
      try scene.run(.playback(.transition(to: "a"), by: "ann2"))
      let seq = try #require(scene.session.playback.timelines["a"]).seq
      try scene.run(.playback(.ready("a", seq: seq), by: "ann2"))
    } else {
      _ = try scene.advance(wait)
    }
    let timeline = try #require(scene.session.playback.timelines["a"])
    let isPlaying = if case .playing = timeline.phase { true } else { false }
    let isPaused = if case .paused = timeline.phase { true } else { false }
    #expect(isPlaying == isOpenedInTime && isPaused != isOpenedInTime)
  }

  @Test func `who declines is remembered until joining after all`() throws {
    var scene = try Scene.watching(["ann"])
    try scene.run(.decline("bob-phone"))
    #expect(scene.session.declined == ["bob-phone"])
    #expect(try scene.run(.decline("bob-phone")).isEmpty)
    #expect(try scene.run(.decline("ann-phone")).isEmpty)
    try scene.join("bob")
    #expect(scene.session.declined.isEmpty)
  }

  @Test func `only so many who decline are remembered`() throws {
    var scene = try Scene.watching(["ann"])
    scene.limits.rememberedDevices = 1
    try scene.run(.decline("bob-phone"))
    #expect(try scene.run(.decline("cat-phone")).isEmpty)
    #expect(scene.session.declined == ["bob-phone"])
  }

  @Test func `each reason to leave has its own name`() {
    let reasons: [LeaveReason] = [
      .left, .dismissed, .removed(by: "ann", isBanned: true), .connectionLost,
      .handedOff(to: "ann2"),
    ]
    #expect(reasons.map(\.name) == LeaveReason.Name.allCases)
  }

  @Test func `the first to have the item current brings the initial timing`() throws {
    let timing = ProposedTiming(mediaTime: .seconds(600))
    var scene = try Scene.watching(["ann", "bob"], Scene.beginning(timing: timing))
    try scene.run(.playback(.transition(to: "a"), by: "bob"))
    #expect(scene.session.playback.timelines["a"]?.phase == .paused(at: .seconds(600)))
  }
}
