import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// Connections that break, servers that restart, and what the app hears of it.
@Suite struct ParticipantConnectionTests {
  private let film = ItemID("film")

  private func gathered(
    _ names: [String] = ["Ann", "Bob"], adjust: (inout ClientSettings) -> Void = { _ in }
  ) throws -> ParticipantStage {
    var stage = ParticipantStage()
    for name in names { stage.add(name, adjust: adjust) }
    try stage.gather()
    return stage
  }

  private func media(_ name: String) -> MediaItem { MediaItem(item: ItemID(name), url: name) }

  @Test func `a cut is resumed as the same participant, and nothing is missed`() throws {
    var stage = try gathered()
    let me = stage.members[1].participant.participantID
    stage.cut(1)
    stage.ask(.queue(nil, .insert([media("next")], at: .end)), by: 0)
    try stage.wait { $0.members[1].participant.isOnline }
    stage.run(for: .seconds(1))
    #expect(stage.members[1].participant.participantID == me)
    #expect(stage.members[1].participant.session == stage.members[0].participant.session)
    #expect(stage.members[1].participant.session?.queue.entries.count == 2)
    #expect(stage.members[1].participant.session?.lost == [:])
    #expect(stage.invalidations(of: 1) == [])
  }

  @Test(arguments: 0..<24)
  func `a request cut off at any moment is done exactly once`(step: Int) throws {
    var stage = try gathered()
    stage.ask(.queue(nil, .insert([media("next")], at: .end)), by: 1, tag: 1)
    stage.run(for: .milliseconds(step))
    stage.cut(1)
    try stage.wait { !$0.outcomes(of: 1, tag: 1).isEmpty }
    stage.run(for: .seconds(2))
    #expect(stage.members[0].participant.session?.queue.entries.count == 2)
    #expect(stage.members[1].participant.session == stage.members[0].participant.session)
    #expect(stage.outcomes(of: 1, tag: 1).count == 1)
  }

  @Test(arguments: 0..<24)
  func `a join cut off at any moment comes to one place in the session`(step: Int) throws {
    var stage = try gathered()
    let cid = stage.add("Cid")
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[cid].participant.offer != nil }
    let id = try #require(stage.sessionID)
    stage.ask(.join(id, handoffFrom: nil), by: cid, tag: 1)
    stage.run(for: .milliseconds(step))
    stage.cut(cid)
    try stage.wait { $0.members[cid].participant.session != nil }
    stage.run(for: .seconds(1))
    #expect(stage.members[0].participant.session?.participants.count == 3)
    #expect(stage.members[cid].participant.session == stage.members[0].participant.session)
    #expect(stage.outcomes(of: cid, tag: 1).count == 1)
    #expect(stage.updates(of: cid).count { if case .joined = $0 { true } else { false } } == 1)
  }

  @Test func `a connection that breaks before the state comes is only another cut`() throws {
    var stage = try gathered { $0.requestTimeout = .seconds(10) }
    stage.cut(1)
    stage.members[1].lostEvents = 2
    try stage.wait { $0.members[1].participant.isOnline && $0.members[1].lostEvents == 0 }
    stage.members[1].isReachable = false
    stage.cut(1)
    stage.run(for: .seconds(12))
    stage.members[1].isReachable = true
    try stage.wait { $0.members[1].participant.isOnline }
    stage.run(for: .seconds(1))
    #expect(stage.invalidations(of: 1) == [])
    #expect(stage.members[1].participant.session == stage.members[0].participant.session)
  }

  @Test func `whoever hears no state gives the session up, and the server knows`() throws {
    var stage = try gathered { $0.requestTimeout = .seconds(10) }
    stage.cut(1)
    stage.members[1].lostEvents = 2
    try stage.wait { $0.members[1].participant.isOnline && $0.members[1].lostEvents == 0 }
    stage.run(for: .seconds(12))
    #expect(stage.invalidations(of: 1) == [.connectionLost])
    #expect(stage.members[0].participant.session?.participants.count == 1)
    let id = try #require(stage.sessionID)
    stage.ask(.join(id, handoffFrom: nil), by: 1)
    try stage.wait { $0.members[1].participant.session?.participants.count == 2 }
  }

  @Test func `a dead connection is noticed by unanswered pings, and resumed`() throws {
    var stage = try gathered()
    stage.cut(1, silently: true)
    let cutAt = stage.now
    try stage.wait(atMost: .seconds(15)) { !$0.members[1].participant.isOnline }
    #expect(stage.now - cutAt <= .seconds(11))
    try stage.wait(atMost: .seconds(5)) { $0.members[1].participant.isOnline }
    stage.run(for: .seconds(1))
    #expect(stage.members[1].participant.session == stage.members[0].participant.session)
    #expect(stage.invalidations(of: 1) == [])
  }

  @Test func `edge 22: a server that restarted is told from a long absence`() throws {
    var stage = try gathered()
    stage.restartServer()
    stage.run(for: .seconds(5))
    for member in [0, 1] {
      #expect(stage.invalidations(of: member) == [.serverRestarted])
      #expect(stage.members[member].participant.group?.members.count == 2, "back in the group")
      #expect(stage.members[member].participant.eligibility == .eligible)
    }
  }

  @Test func `a refusal with a code nobody here knows is a refusal all the same`() throws {
    var stage = try gathered()
    stage.ask(.status(), by: 1, tag: 7)
    let sent = stage.members[1].sent.compactMap { message -> RequestID? in
      if case .request(let id, .status) = message { id } else { nil }
    }
    let error = UnknownError(code: "fromTomorrow", message: "not on Sundays")
    let id = try #require(sent.last)
    stage.feed(.received(.unknownError(id, error)), to: 1)
    #expect(stage.outcomes(of: 1, tag: 7) == [.failed(.refusedUnknown(error))])
    stage.run(for: .seconds(1))
    #expect(stage.outcomes(of: 1, tag: 7).count == 1)
    #expect(stage.members[1].participant.isOnline)
  }

  @Test func `whoever stays away longer than the grace hears so`() throws {
    var stage = try gathered()
    stage.members[1].isReachable = false
    stage.cut(1)
    stage.ask(.queue(nil, .insert([media("next")], at: .end)), by: 1, tag: 1)
    stage.run(for: .seconds(45))
    #expect(stage.outcomes(of: 1, tag: 1) == [.failed(.timedOut)])
    #expect(stage.members[0].participant.session?.participants.count == 1)
    stage.members[1].isReachable = true
    stage.run(for: .seconds(15))
    #expect(stage.invalidations(of: 1) == [.connectionLost])
    #expect(stage.members[1].participant.group?.members.count == 2)
  }

  @Test func `attempts come ever more rarely and never end`() throws {
    var stage = ParticipantStage()
    stage.add("Ann")
    try stage.wait { $0.members[0].participant.isOnline }
    stage.members[0].isReachable = false
    stage.cut(0)
    stage.run(for: .seconds(120))
    let words = stage.members[0].updates.count {
      if case .connection(.reconnecting) = $0.update { true } else { false }
    }
    #expect((18...32).contains(words), "\(words) attempts in two minutes")
    stage.members[0].isReachable = true
    try stage.wait(atMost: .seconds(11)) { $0.members[0].participant.isOnline }
  }

  @Test func `a removal during an absence does not leave anybody hanging`() throws {
    var stage = try gathered()
    let bob = try #require(stage.members[1].participant.participantID)
    stage.members[1].isReachable = false
    stage.cut(1)
    stage.run(for: .milliseconds(100))
    stage.ask(.remove(nil, bob, isBanned: false), by: 0)
    stage.run(for: .seconds(2))
    stage.members[1].isReachable = true
    try stage.wait(atMost: .seconds(30)) { !$0.invalidations(of: 1).isEmpty }
    #expect(stage.invalidations(of: 1).count == 1)
  }

  @Test func `a join that is never answered fails, and leaves if it succeeds after all`() throws {
    var stage = try gathered()
    let cid = stage.add("Cid")
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[cid].participant.offer != nil }
    let id = try #require(stage.sessionID)
    stage.ask(.join(id, handoffFrom: nil), by: cid, tag: 1)
    stage.run(for: .milliseconds(15))
    stage.members[cid].isReachable = false
    stage.cut(cid)
    stage.run(for: .seconds(11))
    #expect(stage.outcomes(of: cid, tag: 1) == [.failed(.timedOut)])
    #expect(stage.invalidations(of: cid) == [.joinFailed(.timedOut)])
    stage.members[cid].isReachable = true
    stage.run(for: .seconds(15))
    #expect(stage.members[0].participant.session?.participants.count == 2)
    #expect(stage.invalidations(of: cid).count == 1)
  }

  @Test func `edge 3: ending while someone joins fails the join with the true reason`() throws {
    var stage = try gathered()
    let cid = stage.add("Cid", delay: .milliseconds(80))
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[cid].participant.offer != nil }
    let id = try #require(stage.sessionID)
    stage.ask(.end(nil), by: 0)
    stage.ask(.join(id, handoffFrom: nil), by: cid, tag: 1)
    stage.run(for: .seconds(2))
    guard case .joinFailed(.refused(let error))? = stage.invalidations(of: cid).first else {
      Issue.record("\(stage.invalidations(of: cid))")
      return
    }
    #expect(error.code == .sessionEnded)
    #expect(error.reason == "endedBy")
    #expect(stage.invalidations(of: cid).count == 1)
  }

  @Test func `edge 28: of activities set while away only the last is sent`() throws {
    var stage = try gathered()
    stage.members[1].isReachable = false
    stage.cut(1)
    for name in ["a", "b", "c"] {
      var activity = ParticipantStage.film
      activity.media = media(name)
      stage.ask(.setActivity(nil, activity, ifRevision: nil), by: 1, tag: name == "c" ? 3 : 1)
    }
    #expect(stage.outcomes(of: 1, tag: 1) == [.failed(.superseded), .failed(.superseded)])
    stage.members[1].isReachable = true
    stage.run(for: .seconds(3))
    #expect(stage.outcomes(of: 1, tag: 3).count == 1)
    #expect(stage.members[0].participant.session?.activity.media?.item == ItemID("c"))
    #expect(stage.members[0].participant.session?.revision == 2)
  }

  @Test func `an offer that waits is there again after a reconnect`() throws {
    var stage = try gathered()
    let cid = stage.add("Cid")
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[cid].participant.offer != nil }
    stage.cut(cid)
    stage.run(for: .seconds(2))
    #expect(stage.members[cid].participant.offer != nil)
    #expect(stage.invalidations(of: cid) == [])
  }

  @Test func `a gap in the events is mended by asking again`() throws {
    var stage = try gathered()
    stage.members[1].lostEvents = 1
    stage.ask(.queue(nil, .insert([media("a")], at: .end)), by: 0)
    stage.run(for: .milliseconds(100))
    stage.ask(.queue(nil, .insert([media("b")], at: .end)), by: 0)
    stage.run(for: .seconds(2))
    #expect(stage.members[1].participant.session == stage.members[0].participant.session)
    #expect(stage.members[1].participant.session?.queue.entries.count == 3)
    #expect(stage.invalidations(of: 1) == [])
  }

  @Test func `playback goes on while the connection is away, and rejoins the group after`() throws {
    var stage = try gathered()
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
    stage.run(for: .seconds(3))
    stage.members[1].isReachable = false
    stage.cut(1)
    stage.run(for: .seconds(10)) { #expect($0.isRunning(1)) }
    #expect(stage.spread(of: [0, 1]) < .milliseconds(20))
    stage.members[1].isReachable = true
    stage.run(for: .seconds(15))
    #expect(stage.isRunning(1))
    #expect(stage.spread(of: [0, 1]) < .milliseconds(20))
  }

  @Test func `a client that may not return to its group is told why`() throws {
    var limits = Limits()
    limits.groupMembers = 1
    var stage = ParticipantStage(limits: limits)
    let (ann, bob) = (stage.add("Ann"), stage.add("Bob"))
    stage.ask(.joinGroup(GroupID("room")), by: ann)
    try stage.wait { $0.members[ann].participant.group != nil }
    stage.members[ann].isReachable = false
    stage.cut(ann)
    stage.run(for: limits.resumeGrace + .seconds(1))
    stage.ask(.joinGroup(GroupID("room")), by: bob)
    try stage.wait { $0.members[bob].participant.group != nil }
    stage.members[ann].isReachable = true
    stage.run(for: .seconds(30))
    #expect(stage.members[ann].participant.isOnline)
    #expect(stage.members[ann].participant.group == nil)
    #expect(stage.rejoinErrors(of: ann) == [.groupFull])
  }

  @Test func `a person who pauses while away pauses alone, until back`() throws {
    var stage = try gathered()
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
    stage.run(for: .seconds(3))
    stage.members[1].isReachable = false
    stage.cut(1)
    stage.run(for: .seconds(1))
    stage.press(.pause, by: 1)
    stage.run(for: .seconds(8)) { #expect(!$0.isRunning(1)) }
    #expect(stage.isRunning(0))
    stage.members[1].isReachable = true
    stage.run(for: .seconds(15))
    #expect(stage.isRunning(0) && stage.isRunning(1))
    #expect(stage.spread(of: [0, 1]) < .milliseconds(20))
  }

  @Test func `by option the player stands still while the connection is away`() throws {
    var stage = try gathered { $0.pausesWhileReconnecting = true }
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
    stage.members[1].isReachable = false
    stage.cut(1)
    stage.run(for: .seconds(5)) { #expect(!$0.isRunning(1)) }
    stage.members[1].isReachable = true
    stage.run(for: .seconds(10))
    #expect(stage.isRunning(1))
  }

  @Test func `closing says goodbye and ends every wait`() throws {
    var stage = try gathered()
    stage.ask(.queue(nil, .insert([media("a")], at: .end)), by: 1, tag: 1)
    stage.feed(.close, to: 1)
    #expect(stage.outcomes(of: 1, tag: 1) == [.failed(.closed)])
    #expect(stage.invalidations(of: 1) == [.closed])
    stage.ask(.status(), by: 1, tag: 2)
    #expect(stage.outcomes(of: 1, tag: 2) == [.failed(.closed)])
    stage.run(for: .seconds(1))
    #expect(stage.members[0].participant.group?.members.count == 1, "nobody waits a grace")
    #expect(stage.members[1].participant.nextDeadline == nil)
  }

  @Test func `nobody opens a group again that was closed`() throws {
    var stage = try gathered()
    stage.ask(.closeGroup(), by: 0)
    try stage.wait { stage in stage.members.allSatisfy { $0.participant.group == nil } }
    stage.restartServer()
    stage.run(for: .seconds(10))
    for member in [0, 1] {
      #expect(stage.members[member].participant.isOnline)
      #expect(stage.members[member].participant.group == nil)
    }
  }

  @Test(arguments: [
    // A newer connection of the same device took over.
    ErrorCode.superseded,
    // The server would say the same again.
    .tlsRequired, .unsupportedVersion,
  ])
  func `a farewell that time does not change ends the client for good`(code: ErrorCode) throws {
    var stage = try gathered()
    let error = ProtocolError(code)
    stage.feed(.received(.closing(error)), to: 1)
    stage.run(for: .seconds(30))
    #expect(!stage.members[1].participant.isOnline)
    guard case .connection(.offline(.refused(error)))? = stage.members[1].updates.last?.update
    else {
      Issue.record("\(String(describing: stage.members[1].updates.last))")
      return
    }
  }

  @Test func `what the server had no time for is sent again when it said so, with one outcome`()
    throws
  {
    var limits = Limits()
    limits.messageBurst = 40
    limits.messagesPerSecond = 20
    var stage = ParticipantStage(limits: limits)
    for name in ["Ann", "Bob"] { stage.add(name) }
    try stage.gather()
    for tag in 100..<160 {
      stage.ask(.queue(nil, .insert([media("m\(tag)")], at: .end)), by: 1, tag: tag)
    }
    stage.run(for: .seconds(20))
    for tag in 100..<160 {
      #expect(stage.outcomes(of: 1, tag: tag).count == 1, "\(tag)")
    }
    #expect(stage.members[0].participant.session?.queue.entries.count == 61)
    #expect(stage.members[1].participant.session == stage.members[0].participant.session)
  }

  @Test func `requests beyond the bound fail at once, by name`() throws {
    var stage = ParticipantStage()
    stage.add("Ann")
    for tag in 0..<300 { stage.ask(.status(), by: 0, tag: tag) }
    let refused = (0..<300).filter { tag in
      if case .failed(.tooManyRequests)? = stage.outcomes(of: 0, tag: tag).first {
        true
      } else {
        false
      }
    }
    #expect(refused == Array(192..<300))
    stage.run(for: .seconds(2))
    for tag in 0..<300 { #expect(stage.outcomes(of: 0, tag: tag).count == 1) }
  }
}
