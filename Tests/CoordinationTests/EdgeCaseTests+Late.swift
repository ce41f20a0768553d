import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

// The edge cases from 15 on.

extension EdgeCaseTests {
  @Test func `edge 23: who joins live content goes to where the group is, and no further back`()
    throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let window = SeekWindow(start: .seconds(3600), end: .seconds(7200), slides: true)
    try stage.ask("ann", .playback(nil, .transition(to: "film", seekWindow: window)))
    try stage.ask("ann", .playback(nil, .play("film", immediately: true)))
    stage.advance(.seconds(60))
    try stage.ask("bob", .playback(nil, .transition(to: "film")))
    let joined = try #require(stage["bob"].mirror?.playback.timelines["film"])
    #expect(joined.position(at: stage.now).seconds.rounded() == 7260)
    try stage.ask("bob", .playback(nil, .seek("film", to: .zero, immediately: true)))
    #expect(stage.timeline(id)?.position(at: stage.now) == .seconds(3660))
    stage.checkMirrors()
  }

  @Test func `edge 15: who cannot take part is told of the activity and no more`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob", "cat"])
    stage.connect(as: "old", features: [])
    try stage.ask("old", .joinGroup("g"))
    try stage.ask("cat", .setSharing(false))
    stage.connect(as: "stranger")
    stage.forget()
    let id = try stage.activate("ann")
    let notice = ServerMessage.activityNotice(
      ActivityNotice(
        session: id, title: "Watch film", fallbackURL: "https://example.org/film"))
    for device in ["old", "cat"] as [DeviceID] {
      #expect(stage.inbox(device).filter { $0 == notice }.count == 1)
      #expect(stage.offers(device).isEmpty)
      #expect(try stage.refusal(device, .join(id, handoffFrom: nil)).code == .notEligible)
    }
    #expect(stage.inbox("stranger").isEmpty)
    #expect(try stage.refusal("stranger", .join(id, handoffFrom: nil)).code == .unknownSession)
  }

  @Test func `edge 16: who comes to the group while a session is live gets the offer`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.gather(["cat"])
    #expect(stage.offers("cat").map(\.session) == [id])
    #expect(stage.session(id)?.participants.count == 2)  // Nobody is made to join.
  }

  @Test func `edge 17: of several leaves one has effect, also while joining`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.ask("bob", .leave(nil))
    #expect(try stage.refusal("bob", .leave(id)).code == .notJoined)
    let left = stage.events("ann").filter { if case .left = $0 { true } else { false } }
    #expect(left.count == 1)

    stage.isHeld = true
    let join = stage.post(.join(id, handoffFrom: nil), from: "bob")
    let leave = stage.post(.leave(id), from: "bob")
    stage.isHeld = false
    stage.release()
    #expect(stage["bob"].answers[join]?.count == 1)
    guard case .success? = stage["bob"].answers[leave]?.first else { throw ProtocolError(.busy) }
    #expect(stage.session(id)?.participants.count == 1)
    stage.checkMirrors()
  }

  @Test func `edge 18: when one leaves the others go on and see it`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    try stage.play("film", ["ann", "bob", "cat"])
    let timeline = stage.timeline(id)
    let ann = try #require(stage["ann"].participant)
    try stage.ask("ann", .leave(nil))
    #expect(stage.timeline(id) == timeline)
    #expect(stage["bob"].mirror?.participants[ann] == nil)
    #expect(stage["cat"].mirror?.participants.count == 2)
    stage.checkMirrors()
  }

  @Test func `edge 19: a crash without a word is noticed by silence and has its grace`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.connect(as: "cat", features: [.sessions, .heartbeat])
    try stage.ask("cat", .joinGroup("g"))
    let cat = try stage.join("cat", id)
    stage.advance(.seconds(14))
    #expect(stage.session(id)?.lost[cat] == nil)
    stage.advance(.seconds(1))
    #expect(stage["cat"].closedWith?.code == .idleTimeout)
    #expect(stage.session(id)?.lost[cat] != nil)
    stage.advance(grace)
    #expect(stage.session(id)?.participants[cat] == nil)
    #expect(stage.events("ann").contains(.left(cat, .connectionLost)))
  }

  @Test func `edge 20: a slow consumer that was cut off comes back without a gap`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.disconnect("bob")  // The shell closed it as a slow consumer.
    for _ in 0..<5 { try stage.ask("ann", .send(nil, JSONText(validated: "1"), to: .all)) }
    stage.resume("bob")
    #expect(!stage.inbox("bob").contains { if case .snapshot = $0 { true } else { false } })
    #expect(stage["bob"].mirror == stage.session(id))
    stage.checkMirrors()
  }

  @Test func `edge 21: a clock of minutes off, or a claimed one, moves nobody`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.play("film", ["ann", "bob"])
    let hour = Duration.seconds(3600)
    let ping = Ping(sent: HostTime(microseconds: .max), roundTrip: hour)
    stage.say(.ping(ping), from: "bob")
    let timeline = stage.timeline(id)
    let report = PositionReport(
      item: "film", mediaTime: .seconds(9999), at: stage.now + hour, isPlaying: true)
    stage.say(.report(report), from: "bob")
    #expect(stage.timeline(id) == timeline)
    try stage.ask("ann", .playback(nil, .pause("film")))
    try stage.ask("ann", .playback(nil, .play("film", immediately: true)))
    guard case .playing(let anchor) = stage.timeline(id)?.phase else { throw ProtocolError(.busy) }
    #expect(anchor.at - stage.now <= Limits().longestLead)
  }

  @Test func `edge 21: the frame of one whose round trip is long is not believed`() throws {
    for (roundTrip, place) in [(400, 9.9), (600, 10.0)] {
      var (stage, id) = try Stage.watching(["ann", "bob"])
      let ping = Ping(sent: HostTime(microseconds: 1), roundTrip: .milliseconds(roundTrip))
      stage.say(.ping(ping), from: "bob")
      try stage.play("film", ["ann", "bob"])
      try stage.ask("ann", .playback(nil, .seek("film", to: .seconds(10), immediately: true)))
      guard case .playing(let anchor) = stage.timeline(id)?.phase else {
        throw ProtocolError(.busy)
      }
      stage.advance(anchor.at - stage.now)
      try stage.ask("bob", .playback(nil, .pause("film", at: .seconds(9.9))))
      #expect(stage.timeline(id)?.phase == .paused(at: .seconds(place)))
    }
  }

  @Test func `edge 21: the delay of one who is not let in slows no start`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let bob = try #require(stage["bob"].participant)
    try stage.ask("ann", .remove(nil, bob, isBanned: true))
    stage.isHeld = true
    stage.post(.join(id, handoffFrom: nil), from: "bob")
    stage.say(.ping(Ping(sent: HostTime(microseconds: 1), roundTrip: .seconds(2))), from: "bob")
    stage.isHeld = false
    stage.release()
    #expect(stage.coordinator.groups.rooms.sessions[id]?.delays == Delays())
  }

  @Test func `edge 22: after a restart nobody is left waiting`() throws {
    var (old, id) = try Stage.watching(["ann", "bob"])
    old.disconnect("ann")
    var stage = Stage()
    let peer = stage.connectSilently()
    let token = try #require(old["ann"].token)
    stage.say(
      .hello(old.hello("ann", resume: Resumption(token: token, session: id, seq: 3))), on: peer)
    #expect(stage.clients[peer]?.received == [.error(nil, ProtocolError(.resumeRefused))])
    stage.say(.hello(stage.hello("ann")), on: peer)
    guard case .welcome(let welcome) = stage.clients[peer]?.received[1] else {
      throw ProtocolError(.busy)
    }
    #expect(!welcome.isResumed)
  }

  @Test func `edge 23: live content has no end and a joiner lands where the group is`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let edge = ProposedTiming(mediaTime: .seconds(5000), rate: .normal)
    try stage.ask("ann", .playback(nil, .transition(to: "live", proposing: edge)))
    stage.advance(.seconds(500))
    try stage.ask("bob", .playback(nil, .transition(to: "live")))
    #expect(stage.timeline(id, "live")?.position(at: stage.now) == .seconds(5500))
    #expect(stage.timeline(id, "live")?.duration == nil)
  }

  @Test func `edge 24: one who cannot play the rate steps out and the others keep it`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.play("film", ["ann", "bob"])
    try stage.ask("ann", .playback(nil, .setRate("film", try #require(Rate(1.5)))))
    let running = stage.timeline(id)
    try stage.ask("bob", .playback(nil, .suspend(.coordinatedPlaybackNotPossible)))
    #expect(stage.timeline(id) == running)
    let refusal = try stage.refusal("bob", .playback(nil, .setRate("film", .normal)))
    #expect(refusal.code == .suspendedLocalOnly)
    #expect(stage.timeline(id) == running)
  }

  @Test func `edge 25: an offer carries what one who does not know its type can show`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    _ = try stage.activate("ann")
    let offer = try #require(stage.offers("bob").first)
    #expect(offer.activity.type == "watch")
    #expect(offer.activity.metadata.title == "Watch film")
    #expect(offer.activity.metadata.fallbackURL == "https://example.org/film")
  }

  @Test func `edge 26: one who is left alone stays in the session`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.ask("bob", .leaveGroup)
    #expect(stage.eligibilities("ann").last == .ineligible(.alone))
    #expect(stage.session(id)?.state == .open)
    try stage.ask("ann", .playback(nil, .transition(to: "film")))
    try stage.ask("ann", .leave(nil))
    #expect(stage.session(id) == nil)
  }

  @Test func `edge 27: a kick while all prepare starts those who are ready`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    for device in ["ann", "bob"] as [DeviceID] {
      try stage.ask(device, .playback(nil, .transition(to: "film")))
    }
    try stage.ask("ann", .playback(nil, .play("film")))
    try stage.ready("ann")
    let bob = try #require(stage["bob"].participant)
    try stage.ask("ann", .remove(nil, bob, isBanned: false))
    guard case .playing = stage.timeline(id)?.phase else { throw ProtocolError(.busy) }
    let ann = try #require(stage["ann"].participant)
    #expect(stage.events("bob").last == .left(bob, .removed(by: ann, isBanned: false)))
    stage.checkMirrors()
  }

  @Test func `edge 28: who has not joined cannot change the activity`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    let change = Request.setActivity(id, Stage.movie("other"), ifRevision: nil)
    #expect(try stage.refusal("ann", change).code == .notJoined)
    #expect(stage.session(id)?.revision == 1)
  }
}
