import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// The numbered edge cases of group watching, the server's side of each.
@Suite struct EdgeCaseTests {
  var grace: Duration { Limits().resumeGrace }

  @Test func `edge 01: the initiator leaves and the session goes on, unless it may not`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.ask("ann", .leave(nil))
    #expect(stage.session(id)?.state == .open)
    #expect(stage.session(id)?.initiator.device == "ann")

    (stage, id) = try Stage.watching(
      ["ann", "bob"], Activation(Stage.movie(kind: .endsWhenInitiatorLeaves)))
    stage.disconnect("ann")
    stage.advance(grace - .seconds(1))
    #expect(stage.session(id) != nil)  // Lost is not left.
    stage.advance(.seconds(1))
    #expect(stage.session(id) == nil)
    #expect(stage.events("bob").last == .ended(.initiatorLeft))
  }

  @Test func `edge 02: with the last one the session ends at once, and its offers with it`() throws
  {
    var stage = Stage()
    try stage.gather(["ann", "bob", "cat"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    try stage.ask("ann", .leave(nil))
    #expect(stage.session(id) == nil)
    for device in ["bob", "cat"] as [DeviceID] {
      #expect(stage.inbox(device).contains(.offerWithdrawn(id, .ended(.empty))))
    }
  }

  @Test func `edge 03: an end for all reaches one who is joining as the answer`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    let ann = try stage.join("ann", id)
    stage.isHeld = true
    stage.post(.end(nil), from: "ann")
    let join = stage.post(.join(id, handoffFrom: nil), from: "bob")
    stage.isHeld = false
    stage.release()
    #expect(stage["bob"].answers[join] == [.failure(.ended(.endedBy(ann)))])
    #expect(stage["bob"].mirror == nil)
    #expect(stage.coordinator.groups.seats["bob"]?.session == nil)
  }

  @Test func `edge 04: of two proposals the last in server order stays, and both hear both`() throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.forget()
    stage.isHeld = true
    stage.post(.setActivity(nil, Stage.movie("one"), ifRevision: nil), from: "ann")
    stage.post(.setActivity(nil, Stage.movie("two"), ifRevision: nil), from: "bob")
    stage.isHeld = false
    stage.release()
    #expect(stage.session(id)?.activity == Stage.movie("two"))
    #expect(stage.session(id)?.revision == 3)
    let changes = stage.events("ann").compactMap {
      if case .activitySet(let activity, _, let by) = $0 { (activity, by) } else { nil }
    }
    #expect(changes.map(\.0) == [Stage.movie("one"), Stage.movie("two")])
    #expect(changes.map(\.1) == [stage["ann"].participant, stage["bob"].participant])
    stage.checkMirrors()
    let refusal = try stage.refusal(
      "ann", .setActivity(nil, Stage.movie("late"), ifRevision: 2))
    #expect(refusal.code == .conflict)
    #expect(refusal.revision == 3)
  }

  @Test func `a ready that is late hears the number that stands, and holds nobody up`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    for device in ["ann", "bob"] as [DeviceID] {
      try stage.ask(device, .playback(nil, .transition(to: "film")))
    }
    try stage.ask("ann", .playback(nil, .play("film")))
    let old = try #require(stage.timeline(id)).seq
    try stage.ask("ann", .playback(nil, .seek("film", to: .seconds(60))))
    let sought = try #require(stage.timeline(id))
    for device in ["ann", "bob"] as [DeviceID] {
      let error = try stage.refusal(device, .playback(nil, .ready("film", seq: old)))
      #expect(error.code == .staleReport && error.seq == sought.seq)
      #expect(stage[device].mirror?.playback.timelines["film"] == sought)
    }
    #expect(stage.timeline(id) == sought)
    for device in ["ann", "bob"] as [DeviceID] { try stage.ready(device) }
    guard case .playing? = stage.timeline(id)?.phase else { throw ProtocolError(.busy) }
    stage.checkMirrors()
  }

  @Test func `edge 05: one who stalls on the old item is not waited for on the new one`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.play("film", ["ann", "bob"])
    guard
      case .suspended(let stall) = try stage.ask("bob", .playback(nil, .suspend(.stallRecovery)))
    else { throw ProtocolError(.busy) }
    try stage.ask("ann", .setActivity(nil, Stage.movie("next"), ifRevision: nil))
    try stage.ask("ann", .playback(nil, .transition(to: "next")))
    try stage.ask("ann", .playback(nil, .play("next")))
    #expect(try stage.refusal("bob", .playback(nil, .pause("next"))).code == .staleItem)
    try stage.ready("ann", "next")
    let started = try #require(stage.timeline(id, "next"))
    guard case .playing = started.phase else { throw ProtocolError(.busy) }
    try stage.ask("bob", .playback(nil, .transition(to: "next")))
    let bob = try #require(stage["bob"].participant)
    #expect(stage.session(id)?.playback.participants[bob]?.isAttached == false)
    try stage.ask("bob", .playback(nil, .endSuspension(stall)))
    #expect(stage.timeline(id, "next") == started)
    stage.checkMirrors()
  }

  @Test func `edge 06: who goes to another item no longer holds up the old one`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    for device in ["ann", "bob"] as [DeviceID] {
      try stage.ask(device, .playback(nil, .transition(to: "film")))
    }
    try stage.ask("ann", .playback(nil, .play("film")))
    try stage.ready("ann")
    guard case .preparing = stage.timeline(id)?.phase else { throw ProtocolError(.busy) }
    try stage.ask("bob", .playback(nil, .transition(to: "next")))
    guard case .playing = stage.timeline(id)?.phase else { throw ProtocolError(.busy) }
    try stage.ask("ann", .playback(nil, .transition(to: "next")))
    guard case .paused = stage.timeline(id)?.phase else { throw ProtocolError(.busy) }
  }

  @Test func `edge 07: a late joiner gets a past anchor and nobody waits for him`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    try stage.play("film", ["ann"])
    stage.advance(.seconds(100))
    let before = stage.timeline(id)
    stage.forget()
    try stage.join("bob", id)
    let seen = stage.inbox("bob")
    guard case .answer = seen.first, case .snapshot(let snapshot) = seen.dropFirst().first else {
      throw ProtocolError(.busy)
    }
    #expect(snapshot.session.playback.timelines["film"] == before)
    try stage.ask("bob", .playback(nil, .transition(to: "film")))
    #expect(stage.timeline(id) == before)

    var policy = WaitingPolicy.keepGoing
    policy.waitsForLateJoiners = true
    try stage.ask("ann", .setWaitingPolicy(nil, policy))
    try stage.gather(["cat"])
    try stage.join("cat", id)
    try stage.ask("cat", .playback(nil, .transition(to: "film")))
    guard case .preparing = stage.timeline(id)?.phase else { throw ProtocolError(.busy) }
    stage.checkMirrors()
  }

  @Test func `edge 08: a joiner while all prepare does not put the start off`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    try stage.ask("ann", .playback(nil, .transition(to: "film")))
    try stage.ask("ann", .playback(nil, .play("film")))
    let before = stage.timeline(id)
    stage.advance(.seconds(5))
    try stage.join("bob", id)
    try stage.ask("bob", .playback(nil, .transition(to: "film")))
    #expect(stage.timeline(id) == before)
    try stage.ready("ann")
    #expect(stage.timeline(id) == before)  // He counts now.
    stage.advance(.seconds(5))
    guard case .playing = stage.timeline(id)?.phase else { throw ProtocolError(.busy) }
  }

  @Test func `edge 09: a joiner after the end moves nobody`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    try stage.ask("ann", .playback(nil, .transition(to: "film", duration: .seconds(60))))
    try stage.ask("ann", .playback(nil, .play("film", immediately: true)))
    stage.advance(.seconds(70))
    let ended = stage.timeline(id)
    guard case .ended = ended?.phase else { throw ProtocolError(.busy) }
    try stage.join("bob", id)
    let zero = ProposedTiming(mediaTime: .zero, rate: .normal)
    try stage.ask("bob", .playback(nil, .transition(to: "film", proposing: zero)))
    #expect(stage.timeline(id) == ended)
  }

  @Test func `edge 10: two identifiers are two timelines, and each sees the other's`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.ask("ann", .playback(nil, .transition(to: "film")))
    try stage.ask("bob", .playback(nil, .transition(to: "film-hd")))
    try stage.ask("ann", .playback(nil, .play("film", immediately: true)))
    #expect(stage.timeline(id, "film-hd")?.phase == .paused(at: .zero))
    let bob = try #require(stage["bob"].participant)
    #expect(stage["ann"].mirror?.playback.participants[bob]?.item == "film-hd")
  }

  @Test func `edge 10: who opens something else than the others watch is told so, once`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    func hints(_ device: DeviceID) -> [ServerMessage] {
      stage.inbox(device).filter { if case .itemMismatch = $0 { true } else { false } }
    }
    try stage.ask("bob", .playback(nil, .transition(to: "film-hd")))
    #expect(hints("bob").isEmpty)  // Nobody watches the film yet.
    try stage.ask("ann", .playback(nil, .transition(to: "film")))
    try stage.ask("cat", .playback(nil, .transition(to: "film-hd")))
    let hint = ServerMessage.itemMismatch(id, item: "film-hd", others: "film")
    #expect(hints("cat") == [hint])
    try stage.ask("cat", .playback(nil, .transition(to: "film-hd")))
    try stage.ask("ann", .playback(nil, .play("film", immediately: true)))
    #expect(hints("cat") == [hint])
    let answer = try stage.ask("bob", .playback(nil, .suspend(.userActionRequired)))
    guard case .suspended(let number) = answer else { throw ProtocolError(.busy) }
    try stage.ask("bob", .playback(nil, .endSuspension(number)))
    #expect(hints("bob") == [hint])
    #expect(hints("ann").isEmpty)
    stage.checkMirrors()
  }

  @Test func `edge 11: when play and pause cross the order of arrival decides`() throws {
    for isPauseLast in [true, false] {
      var (stage, id) = try Stage.watching(["ann", "bob"])
      try stage.play("film", ["ann", "bob"])
      stage.advance(.seconds(3))
      let play = Request.playback(nil, .play("film", immediately: true))
      let pause = Request.playback(nil, .pause("film"))
      try stage.ask("ann", isPauseLast ? play : pause)
      try stage.ask("bob", isPauseLast ? pause : play)
      if case .paused = stage.timeline(id)?.phase {
        #expect(isPauseLast)
      } else {
        #expect(!isPauseLast)
      }
      stage.checkMirrors()
    }
  }

  @Test func `edge 12: a request repeated after a resume is answered and not done again`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let insert = Request.queue(nil, .insert([Stage.media("x")], at: .end))
    let number = stage.post(insert, from: "ann")
    let answer = stage["ann"].answers[number]
    stage.disconnect("ann")
    stage.resume("ann")
    stage.say(.request(number, insert), from: "ann")
    #expect(stage["ann"].answers[number] == answer)
    #expect(stage.session(id)?.queue.entries.count == 2)
  }

  @Test func `edge 13: one person on two devices is two participants`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.connect(as: "tv", user: "ann")
    try stage.ask("tv", .joinGroup("g"))
    try stage.join("tv", id)
    let participants = try #require(stage.session(id)).participants.values
    #expect(participants.count == 3)
    #expect(Set(participants.map(\.user)).count == 2)
  }

  @Test func `edge 13: where each has one device the newer one takes over`() throws {
    var (stage, id) = try Stage.watching(
      ["ann", "bob"], Activation(Stage.movie(), oneDevicePerUser: true))
    stage.connect(as: "tv", user: "ann")
    try stage.ask("tv", .joinGroup("g"))
    let phone = try #require(stage["ann"].participant)
    let tv = try stage.join("tv", id)
    #expect(stage.events("ann").last == .left(phone, .handedOff(to: tv)))
    #expect(stage.session(id)?.participants.count == 2)
    try stage.join("ann", id)
    #expect(stage.session(id)?.participants.count == 2)
    #expect(stage.session(id)?.participant(on: "tv") == nil)
    stage.checkMirrors()
  }

  @Test func `edge 14: a hand-off keeps name, readiness and role and ends the old stay`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.connect(as: "tv", user: "ann", name: "Ann's television")
    try stage.ask("tv", .joinGroup("g"))
    try stage.ask("ann", .setReadyToStart(nil, true))
    let phone = try #require(stage["ann"].participant)
    stage.forget()
    let tv = try stage.join("tv", id, handoffFrom: phone)
    #expect(stage.events("ann").last == .left(phone, .handedOff(to: tv)))
    let arrived = try #require(stage.session(id)?.participants[tv])
    #expect(arrived.role == .host && arrived.name == "ann" && arrived.isReadyToStart == true)
    #expect(arrived.device == "tv")
    #expect(stage.offers("ann").isEmpty)
    stage.forget()
    try stage.ask("bob", .send(nil, JSONText(validated: "1"), to: .all))
    #expect(stage.inbox("ann").isEmpty)
    try stage.gather(["cat"])
    #expect(try stage.refusal("cat", .join(id, handoffFrom: tv)).code == .notYourParticipant)
    #expect(stage.session(id)?.participants.count == 2)
  }
}
