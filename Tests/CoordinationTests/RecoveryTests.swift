import GroupSessions
import Playback
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A server that goes on from a journal, and one whose journal cannot be written.
@Suite struct RecoveryTests {
  // MARK: After a crash

  @Test func `what was acknowledged is there, and peers go on by their tokens without a gap`()
    throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.play("film", ["ann", "bob"])
    try stage.ask("ann", .setRole(nil, try #require(stage["bob"].participant), .host))
    try stage.ask("bob", .queue(nil, .insert([Stage.media("next")], at: .end)))
    let before = try #require(stage.session(id))
    stage.crash()
    stage.forget()
    stage.resume("ann")
    stage.resume("bob")
    let after = try #require(stage.session(id))
    #expect(after.participants == before.participants)
    #expect(after.playback.timelines == before.playback.timelines)
    #expect(after.queue == before.queue)
    let told = stage.events("ann")
    guard told.count == 3, case .interrupted = told[0], case .resumed = told[1],
      case .resumed = told[2]
    else {
      Issue.record("told \(told)")
      return
    }
    stage.checkMirrors()
  }

  @Test func `playback runs on while the server is away, and is not frozen by its return`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.play("film", ["ann", "bob"])
    let running = try #require(stage.timeline(id))
    stage.now = stage.now + .seconds(8)
    stage.crash()
    stage.advance(.seconds(3))
    #expect(stage.timeline(id) == running)
    stage.resume("bob")
    #expect(stage.timeline(id) == running)
  }

  @Test(arguments: ["cat", "dan"] as [DeviceID])
  func `one who does not watch stops nothing by coming back first`(first: DeviceID) throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat", "dan"])
    try stage.play("film", ["ann", "bob", "cat"])
    try stage.ask("cat", .playback(nil, .suspend(.audioSessionInterrupted)))
    let running = try #require(stage.timeline(id))
    stage.crash()
    stage.advance(.seconds(3))
    for device in [first, "ann"] {
      stage.resume(device)
      #expect(stage.timeline(id) == running)
    }
  }

  @Test func `a deadline that passed while the server was away stops no item`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.ask("ann", .playback(nil, .transition(to: "trailer")))
    try stage.play("film", ["ann", "bob"])
    let running = try #require(stage.timeline(id))
    stage.now = stage.now + Limits().timelineGrace + .seconds(1)
    stage.crash()
    stage.advance(.seconds(3))
    #expect(stage.timeline(id, "trailer") == nil)
    #expect(stage.timeline(id) == running)
    stage.resume("bob", forgetting: true)
    stage.checkMirrors()
  }

  @Test(arguments: [true, false])
  func `one who comes back and goes again stops nothing for those who are still away`(
    isLost: Bool
  ) throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.play("film", ["ann", "bob"])
    let running = try #require(stage.timeline(id))
    stage.crash()
    stage.resume("ann")
    if isLost { stage.disconnect("ann") } else { try stage.ask("ann", .leave(nil)) }
    #expect(stage.timeline(id) == running)
    stage.resume("bob")
    #expect(stage.timeline(id) == running)
    stage.checkMirrors()
  }

  @Test func `a timeline that stood where nobody was there stands there after a crash`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.play("film", ["ann", "bob"])
    stage.advance(.seconds(2))
    stage.disconnect("ann")
    stage.disconnect("bob")
    let frozen = try #require(stage.timeline(id))
    stage.advance(.seconds(5))
    stage.crash()
    #expect(stage.timeline(id) == frozen)
  }

  @Test func `whoever does not come back within the grace has left`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.crash()
    stage.resume("ann")
    stage.advance(Limits().resumeGrace + .seconds(1))
    #expect(stage.session(id)?.participants.count == 1)
    #expect(stage.coordinator.front.devices["bob"] == nil)
    stage.checkMirrors()
  }

  @Test func `a device that will not resume leaves at once, and nobody who is connected does`()
    throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    stage.crash()
    stage.resume("bob")
    for device in ["ann", "bob"] as [DeviceID] { stage.handle(.abandoned(device)) }
    #expect(
      Set(try #require(stage.session(id)).participants.values.map(\.device)) == ["bob", "cat"])
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members["ann"] == nil)
    #expect(stage.coordinator.resumption(of: "ann") == nil)
    stage.checkMirrors()
  }

  @Test func `nobody comes back: nothing is left`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.crash()
    stage.advance(Limits().resumeGrace + .seconds(1))
    #expect(
      stage.coordinator.groups.rooms.sessions.isEmpty
        && stage.coordinator.groups.rooms.groups.isEmpty)
    #expect(stage.coordinator.front.devices.isEmpty)
    stage.connect(as: "cat")
    try stage.ask("cat", .joinGroup("g"))
    let error = try stage.refusal("cat", .join(id, handoffFrom: nil))
    #expect(error == ProtocolError(.sessionEnded, reason: "empty"))
  }

  @Test func `a request that was answered before is answered the same, and not done again`() throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let said = stage.post(.send(nil, JSONText(validated: "1"), to: .all), from: "ann")
    let refused = stage.post(.join("elsewhere", handoffFrom: nil), from: "ann")
    let nothing = stage.post(.setControl(nil, .everyone), from: "ann")
    let answers = stage["ann"].answers
    stage.crash()
    stage.resume("ann")
    let seq = stage.session(id)?.seq
    for request in [said, refused, nothing] {
      stage.say(.request(request, .leaveGroup), from: "ann")
      #expect(stage["ann"].answers[request] == answers[request])
    }
    #expect(stage.session(id)?.seq == seq)
  }

  @Test func `a session that ended is remembered for its reason`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.ask("ann", .end(nil))
    stage.crash()
    stage.resume("ann")
    let error = try stage.refusal("ann", .join(id, handoffFrom: nil))
    #expect(error == ProtocolError(.sessionEnded, reason: "endedBy"))
  }

  @Test func `whoever was removed while away hears of it from the next server, too`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    let bob = try #require(stage["bob"].participant)
    stage.disconnect("bob")
    try stage.ask("ann", .remove(nil, bob, isBanned: false))
    stage.crash()
    stage.resume("bob")
    let ann = try #require(stage["ann"].participant)
    #expect(
      stage["bob"].received.contains(.sessionLeft(id, .removed(by: ann, isBanned: false))))
  }

  @Test func `whoever left long before a crash hears that its place is gone`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    let bob = try #require(stage["bob"].participant)
    stage.disconnect("bob")
    try stage.ask("ann", .remove(nil, bob, isBanned: false))
    for _ in 0..<Limits().snapshotInterval {
      try stage.ask("ann", .send(nil, JSONText(validated: "1"), to: .all))
    }
    stage.crash()
    stage.resume("bob")
    #expect(stage["bob"].received.contains(.sessionLeft(id, .connectionLost)))
  }

  @Test func `whoever left is not offered the session again by the next server`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    try stage.ask("bob", .leave(nil))
    stage.crash()
    stage.resume("ann")
    stage.resume("cat")
    stage.resume("bob")
    let isOffered = stage["bob"].received.contains {
      if case .offer = $0 { true } else { false }
    }
    #expect(!isOffered)
    try stage.join("bob", id)
  }

  @Test func `what one asks right after coming back does not wait for the group to keep that`()
    throws
  {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.connect(as: "cat")
    try stage.ask("cat", .joinGroup("g"))
    stage.crash()
    stage.resume("ann")
    stage.isHeld = true
    stage.resume("cat")
    let request = stage.post(.join(id, handoffFrom: nil), from: "cat")
    stage.release()
    guard case .success(.joined)? = stage["cat"].answers[request]?.first else {
      Issue.record("\(stage["cat"].answers)")
      return
    }
    stage.isHeld = false
    stage.checkMirrors()
  }

  @Test func `a snapshot hides nothing from those who missed what is in it`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let seq = try #require(stage["bob"].mirror?.seq)
    for _ in 0..<Limits().snapshotInterval {
      try stage.ask("ann", .send(nil, JSONText(validated: "1"), to: .all))
    }
    let last = try #require(stage.session(id)?.seq)
    stage.crash()
    stage.resume("bob", seq: seq)
    let numbers = stage["bob"].received.compactMap { message -> Int? in
      if case .event(_, let seq, _, _) = message { seq } else { nil }
    }
    #expect(numbers == Array(seq + 1...last + 2))
  }

  @Test func `whoever heard more than the journal has kept gets the state anew`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let last = try #require(stage.session(id)?.seq)
    stage.crash()
    stage.forget()
    // The next server has used the number for another event already.
    stage.resume("ann", seq: last + 1)
    stage.resume("bob", seq: last)
    let snapshots = ["ann", "bob"].map { (device: DeviceID) in
      stage[device].received.count { if case .snapshot = $0 { true } else { false } }
    }
    #expect(snapshots == [1, 0])
    stage.checkMirrors()
  }

  @Test func `a session that is over gets no snapshot, which would hide how it ended`() throws {
    var limits = Limits()
    limits.snapshotInterval = 1
    var (stage, id) = try Stage.watching(["ann", "bob"], limits: limits)
    let last = try #require(stage.session(id)?.seq)
    try stage.ask("ann", .end(nil))
    #expect(stage.journal.snapshot(of: .session(id))?.seq == last)
  }

  @Test func `a crash between two streams is made good`() throws {
    // The group has taken the session as its live one, and then the server died.
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.isHeld = true
    stage.post(.activate(Activation(Stage.movie())), from: "ann")
    stage.release(1)
    stage.isHeld = false
    stage.crash()
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.session == nil)
    // The session has ended, and the group does not know.
    let id = try {
      stage.resume("ann")
      stage.resume("bob")
      return try stage.activate("ann")
    }()
    try stage.join("ann", id)
    stage.isHeld = true
    stage.post(.end(nil), from: "ann")
    stage.release(1)
    stage.isHeld = false
    stage.crash()
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.session == nil)
    #expect(stage.coordinator.groups.rooms.sessions.isEmpty)
  }

  @Test func `a device that knows no group any more is forgotten`() throws {
    var stage = Stage()
    stage.connect(as: "ann")
    _ = try stage.refusal("ann", .leaveGroup)
    stage.crash()
    #expect(stage.coordinator.front.devices.isEmpty)
    #expect(stage.journal.streams[.device("ann")] != nil)
    stage.crash()
    #expect(stage.coordinator.front.devices.isEmpty)
  }

  // MARK: A journal that cannot be written

  @Test func `a change that cannot be kept is turned away, and nobody hears of it`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.forget()
    let seq = stage.session(id)?.seq
    stage.journal.failures = 1
    let error = try stage.refusal("ann", .setControl(nil, .hostsOnly))
    #expect(error.code == .journalUnavailable)
    #expect(error.retryAfter == Limits().journalRetry)
    #expect(stage.session(id)?.seq == seq)
    #expect(stage.events("bob").isEmpty)
  }

  @Test func `while it fails, nothing is tried; after the pause all goes on by itself`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.journal.failures = 1
    _ = try stage.refusal("ann", .setControl(nil, .hostsOnly))
    #expect(try stage.refusal("ann", .setControl(nil, .hostsOnly)).code == .journalUnavailable)
    stage.advance(Limits().journalRetry)
    try stage.ask("ann", .setControl(nil, .hostsOnly))
    #expect(stage.session(id)?.control == .hostsOnly)
  }

  @Test func `the same request, asked again, is carried out`() throws {
    var (stage, _) = try Stage.watching(["ann", "bob"])
    stage.journal.failures = 1
    let request = stage.post(.setControl(nil, .hostsOnly), from: "ann")
    stage.advance(Limits().journalRetry)
    stage.say(.request(request, .setControl(nil, .hostsOnly)), from: "ann")
    let answers = try #require(stage["ann"].answers[request])
    #expect(answers.count == 2)
    guard case .success = answers[1] else { throw ProtocolError(.busy) }
  }

  @Test func `a loss that could not be kept is made good`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    stage.journal.failures = 1
    stage.disconnect("bob")
    #expect(stage.session(id)?.lost.isEmpty == true)
    stage.advance(Limits().journalRetry)
    #expect(stage.session(id)?.lost.count == 1)
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.lost.count == 1)
    stage.checkMirrors()
  }

  @Test func `whoever was lost and is back when writing works again never seems lost`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.journal.failures = 2
    stage.disconnect("bob")
    stage.resume("bob")
    stage.advance(.seconds(3))
    #expect(stage.session(id)?.lost.isEmpty == true)
    #expect(stage.journal.failures == 0)
    stage.checkMirrors()
  }

  @Test func `a session whose beginning could not be kept never was`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.isHeld = true
    let request = stage.post(.activate(Activation(Stage.movie())), from: "ann")
    stage.release(1)
    stage.journal.failures = 1
    stage.isHeld = false
    stage.release()
    #expect(
      stage["ann"].answers[request] == [
        .failure(ProtocolError(.journalUnavailable, retryAfter: Limits().journalRetry))
      ])
    stage.advance(.seconds(2))
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.session == nil)
    _ = try stage.activate("ann")
  }
}
