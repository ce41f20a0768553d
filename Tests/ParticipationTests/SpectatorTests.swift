import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// Whoever watches as one of the audience: in step with the participants, and unheard.
@Suite struct SpectatorTests {
  fileprivate let film = ItemID("film")
  fileprivate let cid = 2

  /// Ann and Bob watch in the two named places, and Cid comes to their premiere.
  fileprivate func premiere() throws -> ParticipantStage {
    var limits = Limits()
    limits.namedPlaces = 2
    var stage = ParticipantStage(limits: limits)
    for (name, delay) in [("Ann", 10), ("Bob", 60)] {
      stage.add(name, delay: .milliseconds(delay), jitter: .milliseconds(5))
    }
    try stage.gather(hasAudience: true)
    stage.add("Cid", delay: .milliseconds(40), jitter: .milliseconds(5), skew: 100)
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[2].participant.offer != nil }
    try stage.takeOffers()
    try stage.wait { $0.members[2].participant.session != nil }
    return stage
  }

  private func spreadAfter(_ wait: Duration, _ stage: inout ParticipantStage) -> Duration {
    stage.run(for: wait)
    var spreads: [Duration] = []
    stage.run(for: .seconds(10)) { spreads.append($0.spread(of: [0, 1, 2])) }
    return spreads.max() ?? .seconds(1_000)
  }

  fileprivate func isSpectator(_ stage: ParticipantStage) -> Bool {
    let client = stage.members[cid].participant
    return client.session.map {
      $0.participants[client.participantID ?? ParticipantID("nobody")] == nil
    } ?? false
  }

  @Test func `a spectator plays along, and asks for nothing`() throws {
    var stage = try premiere()
    #expect(isSpectator(stage))
    stage.ask(.playback(nil, .play(film)), by: 0)
    #expect(spreadAfter(.seconds(3), &stage) <= .milliseconds(40))
    stage.ask(.playback(nil, .pause(film)), by: 1)
    stage.run(for: .seconds(2))
    #expect((0...2).allSatisfy { !stage.isRunning($0) })
    let requests = stage.requests(of: cid).filter {
      switch $0 {
      case .playback, .setReadyToStart, .queue, .send: true
      default: false
      }
    }
    #expect(requests.isEmpty, "\(requests)")
    #expect(stage.members[0].participant.session?.participants.count == 2)
  }

  @Test func `a spectator asks for no start when all are ready`() throws {
    var stage = try premiere()
    stage.run(for: .seconds(1))
    for isWanted in [true, false] { stage.feed(.countdown(isWanted), to: cid) }
    stage.run(for: .seconds(1))
    let isShown = stage.updates(of: cid).contains {
      if case .countdown = $0 { true } else { false }
    }
    #expect(!isShown)
  }

  @Test func `what a spectator presses on the player moves nobody`() throws {
    var stage = try premiere()
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(3))
    let host = stage.members[cid].host(stage.now)
    stage.members[cid].player?.press(.pause, at: host)
    stage.run(for: .seconds(3))
    #expect((0...2).allSatisfy { stage.isRunning($0) }, "its own plays on, too")
    #expect(spreadAfter(.seconds(1), &stage) <= .milliseconds(40))
  }

  @Test func `a spectator steps out alone and comes back to where the others are`() throws {
    var stage = try premiere()
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(3))
    stage.ask(.playback(nil, .suspend(.userActionRequired)), by: cid)
    stage.ask(.playback(nil, .pause(film)), by: cid)
    stage.run(for: .seconds(5))
    #expect(!stage.isRunning(cid) && stage.isRunning(0) && stage.isRunning(1))
    stage.ask(.playback(nil, .endSuspension(1)), by: cid)
    #expect(spreadAfter(.seconds(3), &stage) <= .milliseconds(40))
    #expect(stage.isRunning(cid))
  }

  @Test func `a spectator of whom the server knows nothing any more comes anew, and plays on`()
    throws
  {
    var stage = try premiere()
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(3))
    let session = stage.members[cid].participant.session?.id
    stage.members[cid].isReachable = false
    stage.cut(cid)
    stage.run(for: .seconds(40))
    #expect(stage.isRunning(cid))
    stage.members[cid].isReachable = true
    try stage.wait { $0.members[2].participant.isOnline }
    stage.run(for: .seconds(2))
    #expect(stage.invalidations(of: cid).isEmpty)
    #expect(stage.members[cid].participant.session?.id == session)
    #expect(isSpectator(stage))
    let loads = stage.members[cid].orders.filter {
      if case .load = $0.order { true } else { false }
    }
    #expect(loads.count == 1, "the film was opened once")
    #expect(spreadAfter(.seconds(1), &stage) <= .milliseconds(40))
    stage.ask(.playback(nil, .pause(film)), by: 0)
    stage.run(for: .seconds(2))
    #expect(!stage.isRunning(cid))
  }

  @Test func `a spectator whose session ended meanwhile is told so once`() throws {
    var stage = try premiere()
    stage.members[cid].isReachable = false
    stage.cut(cid)
    stage.run(for: .seconds(40))
    stage.ask(.end(nil), by: 0)
    stage.run(for: .seconds(1))
    stage.members[cid].isReachable = true
    try stage.wait { $0.members[2].participant.isOnline }
    stage.run(for: .seconds(2))
    #expect(stage.invalidations(of: cid).count == 1)
    #expect(stage.members[cid].participant.session == nil)
  }

  @Test func `a visitor whose group is closed is in none`() throws {
    var stage = try premiere()
    stage.ask(.closeGroup(nil), by: 0)
    stage.run(for: .seconds(1))
    #expect(stage.members[cid].participant.group == nil)
    #expect(stage.members[cid].participant.session == nil)
    #expect(stage.members[cid].participant.eligibility == .ineligible(.notInGroup))
  }

  @Test func `everybody hears how many watch`() throws {
    var stage = try premiere()
    stage.run(for: .seconds(2))
    for member in 0...2 {
      let sizes = stage.updates(of: member).compactMap {
        if case .audience(let size) = $0 { size } else { nil }
      }
      #expect(sizes.last == AudienceSize(count: 1), "\(member): \(sizes)")
    }
  }
}

extension SpectatorTests {
  @Test func `a spectator comes back to a session in which nothing happens, and stays`() throws {
    var stage = try premiere()
    stage.cut(cid)
    try stage.wait { $0.members[2].participant.isOnline }
    stage.run(for: .seconds(40))
    #expect(stage.invalidations(of: cid).isEmpty)
    #expect(isSpectator(stage))
  }

  @Test func `a spectator who has stepped out and finds a place watches with the others`() throws {
    var stage = try premiere()
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(3))
    stage.ask(.playback(nil, .suspend(.userActionRequired)), by: cid, tag: 7)
    stage.run(for: .milliseconds(100))
    #expect(stage.outcomes(of: cid, tag: 7) == [.answered(.suspended(0))])
    stage.ask(.leave(nil), by: 1)
    stage.run(for: .seconds(1))
    let session = try #require(stage.members[0].participant.session?.id)
    stage.ask(.invite(session, [UserID("u-Cid")], lifetime: nil), by: 0)
    stage.run(for: .seconds(1))
    stage.ask(.answerInvitation(session, .accepted, seq: nil), by: cid)
    stage.run(for: .seconds(4))
    #expect(!isSpectator(stage))
    #expect(stage.members[0].participant.session?.participants.count == 2)
    #expect(stage.isRunning(cid))
    #expect(stage.spread(of: [0, cid]) <= .milliseconds(40))
  }
}
