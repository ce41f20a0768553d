import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// Whole groups on unequal networks: together to the frame.
@Suite struct ParticipantSyncTests {
  private let film = ItemID("film")

  /// One near, one middling, one far; clocks that drift apart by 200 ppm.
  private func gathered(seed: UInt64) throws -> ParticipantStage {
    var stage = ParticipantStage(seed: seed)
    for (name, delay, skew) in [("Ann", 10, -100.0), ("Bob", 60, 0), ("Cid", 150, 100)] {
      stage.add(name, delay: .milliseconds(delay), jitter: .milliseconds(10), skew: skew)
    }
    try stage.gather()
    return stage
  }

  private func median(_ values: [Duration]) -> Duration { values.sorted()[values.count / 2] }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `three on unequal networks play, pause and seek together`(seed: UInt64) throws {
    var stage = try gathered(seed: seed)
    let all = [0, 1, 2]
    stage.ask(.playback(nil, .play(film)), by: 2)
    try stage.wait(atMost: .seconds(5)) { stage in all.allSatisfy { stage.isRunning($0) } }
    stage.run(for: .seconds(1))
    var spreads: [Duration] = []
    stage.run(for: .seconds(60)) { spreads.append($0.spread(of: all)) }
    #expect(median(spreads) <= .milliseconds(5))
    #expect(spreads.max() ?? .zero <= .milliseconds(40))

    stage.ask(.playback(nil, .pause(film)), by: 1)
    stage.run(for: .seconds(2))
    let frames = all.map { index in
      let member = stage.members[index]
      return member.player?.shownFrame(at: member.host(stage.now))
    }
    #expect(Set(frames).count == 1, "the same frame: \(frames)")
    #expect(all.allSatisfy { !stage.isRunning($0) })

    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(3))
    stage.ask(.playback(nil, .seek(film, to: .seconds(1800))), by: 0)
    stage.run(for: .seconds(4))
    spreads = []
    stage.run(for: .seconds(20)) { spreads.append($0.spread(of: all)) }
    #expect(all.allSatisfy { stage.isRunning($0) })
    #expect(median(spreads) <= .milliseconds(5))
  }

  @Test func `whoever is too slow to be together is told so, and told when it is over`() throws {
    var stage = ParticipantStage(seed: 1)
    for (name, delay) in [("Ann", 10), ("Bob", 200), ("Cid", 400)] {
      stage.add(name, delay: .milliseconds(delay))
    }
    try stage.gather()
    stage.run(for: .seconds(10))
    func told(_ index: Int) -> [Bool] {
      stage.members[index].updates.compactMap {
        if case .clockQuality(let isPoor) = $0.update { isPoor } else { nil }
      }
    }
    #expect((0...2).map(told) == [[], [], [true]])
    stage.members[2].delay = .milliseconds(30)
    stage.run(for: .seconds(10))
    #expect((0...2).map(told) == [[], [], [true, false]])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a late joiner is with the others in time, and disturbs nobody`(seed: UInt64) throws {
    var stage = try gathered(seed: seed)
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(20))
    let before = (0...2).map { stage.members[$0].orders.count }
    let dan = stage.add(
      "Dan", delay: .milliseconds(150), jitter: .milliseconds(10), skew: 50)
    stage.ask(.joinGroup(GroupID("room")), by: dan)
    try stage.wait { $0.members[dan].participant.offer != nil }
    let id = try #require(stage.sessionID)
    let asked = stage.now
    stage.ask(.join(id, handoffFrom: nil), by: dan)
    try stage.wait(atMost: .seconds(5)) {
      $0.isRunning(dan) && $0.spread(of: [0, dan]) <= .milliseconds(40)
    }
    #expect(stage.now - asked <= .milliseconds(1500), "took \(stage.now - asked)")
    stage.run(for: .seconds(5))
    #expect(stage.spread(of: [0, 1, 2, dan]) <= .milliseconds(20))
    for member in 0...2 {
      let touched = stage.members[member].orders[before[member]...].contains {
        switch $0.order {
        case .carryOut(.pause), .carryOut(.seek), .carryOut(.play): true
        default: false
        }
      }
      #expect(!touched, "member \(member) was disturbed")
    }
  }

  /// Dan, far away, who joins a film that runs.
  private func joinedLate(by policy: WaitingPolicy? = nil) throws -> (ParticipantStage, dan: Int) {
    var stage = try gathered(seed: 1)
    if let policy { stage.ask(.setWaitingPolicy(nil, policy), by: 0) }
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(5))
    let dan = stage.add("Dan", delay: .milliseconds(300))
    stage.ask(.joinGroup(GroupID("room")), by: dan)
    try stage.wait { $0.members[dan].participant.offer != nil }
    stage.ask(.join(try #require(stage.sessionID), handoffFrom: nil), by: dan)
    return (stage, dan)
  }

  private func current(of member: Int, in stage: ParticipantStage) -> ItemID? {
    let client = stage.members[member].participant
    return client.participantID.flatMap { client.session?.playback.participants[$0] }?.item
  }

  @Test func `a late joiner's film runs before the server has heard that it is open`() throws {
    var (stage, dan) = try joinedLate()
    try stage.wait { $0.isRunning(dan) }
    #expect(current(of: dan, in: stage) == nil)
    try stage.wait { $0.spread(of: [0, dan]) <= .milliseconds(40) }
  }

  @Test func `a late joiner pauses with the others, even before the server has heard of the film`()
    throws
  {
    var (stage, dan) = try joinedLate()
    try stage.wait { $0.isRunning(dan) }
    stage.ask(.playback(nil, .pause(film)), by: 0)
    try stage.wait { stage in
      guard let timeline = stage.members[dan].participant.session?.playback.timelines[film],
        case .paused = timeline.phase
      else { return false }
      return true
    }
    #expect(current(of: dan, in: stage) == nil)
    stage.run(for: .milliseconds(50))
    #expect(!stage.isRunning(dan))
  }

  @Test func `who is waited for does not run ahead to a position that nobody stays at`() throws {
    let policy = WaitingPolicy(reasons: [], waitsForLateJoiners: true)
    var (stage, dan) = try joinedLate(by: policy)
    try stage.wait { current(of: dan, in: $0) != nil }
    let hasRun = stage.members[dan].orders.contains {
      if case .carryOut(.play) = $0.order { true } else { false }
    }
    #expect(!hasRun)
    try stage.wait { $0.isRunning(dan) && $0.spread(of: [0, dan]) <= .milliseconds(40) }
  }

  @Test func `one who is slow to load is started without and catches up by itself`() throws {
    var stage = try gathered(seed: 7)
    var slow = PlayerTraits()
    slow.loadTime = .seconds(14)
    let dan = stage.add("Dan", traits: slow)
    var other = ParticipantStage.film
    other.media = MediaItem(item: ItemID("other"), url: "other.mp4")
    stage.ask(.joinGroup(GroupID("room")), by: dan)
    try stage.wait { $0.members[dan].participant.offer != nil }
    let id = try #require(stage.sessionID)
    stage.ask(.join(id, handoffFrom: nil), by: dan)
    stage.run(for: .seconds(1))
    stage.ask(.queue(nil, .insert([try #require(other.media)], at: .next)), by: 0)
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(20))
    // Everyone is on the film; now all go on, and one of them needs longer than the barrier.
    stage.ask(.queue(nil, .next()), by: 0)
    stage.run(for: .seconds(12))
    #expect(stage.isRunning(0) && stage.isRunning(1) && stage.isRunning(2))
    #expect(!stage.isRunning(dan))
    stage.run(for: .seconds(10))
    #expect(stage.isRunning(dan))
    #expect(stage.spread(of: [0, 1, 2, dan]) <= .milliseconds(20))
    let playback = stage.members[0].participant.session?.playback
    #expect(playback?.participants.values.allSatisfy { $0.suspensions.isEmpty } == true)
  }

  @Test func `one taken for stalled while the group pauses is attached again`() throws {
    var stage = try gathered(seed: 8)
    let far = 2
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(5))
    let host = stage.members[far].host(stage.now)
    stage.members[far].player?.stall(for: .seconds(12), at: host)
    stage.run(for: .seconds(1))
    stage.ask(.playback(nil, .seek(film, to: .seconds(900))), by: 0)
    stage.run(for: .seconds(5))
    stage.ask(.playback(nil, .pause(film)), by: 0)
    stage.run(for: .seconds(15))
    let playback = try #require(stage.members[0].participant.session?.playback)
    #expect(playback.participants.values.allSatisfy { $0.suspensions.isEmpty })
    #expect(stage.spread(of: [0, 1, 2]) == .zero)
  }

  @Test func `one taken for stalled stays out until it has data, even in a pause`() throws {
    var stage = try gathered(seed: 8)
    let far = 2
    let host = stage.members[far].host(stage.now)
    stage.members[far].player?.stall(for: .seconds(30), at: host)
    stage.run(for: .seconds(1))
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(14))
    #expect(stage.isRunning(0) && !stage.isRunning(far))
    stage.ask(.playback(nil, .pause(film)), by: 0)
    stage.run(for: .seconds(5))
    #expect(takenForStalled(stage) == 1)
    stage.run(for: .seconds(20))
    #expect(takenForStalled(stage) == 0)
  }

  /// How many participants have a suspension that the server imposed.
  private func takenForStalled(_ stage: ParticipantStage) -> Int? {
    let playback = stage.members[0].participant.session?.playback
    return playback?.participants.values.count { $0.suspensions.contains(where: \.isImposed) }
  }

  @Test func `who scrubs steps out, and takes everyone along on release`() throws {
    var stage = try gathered(seed: 9)
    stage.ask(.playback(nil, .play(film)), by: 0)
    stage.run(for: .seconds(5))
    stage.ask(.playback(nil, .suspend(.userIsChangingCurrentTime)), by: 1, tag: 1)
    stage.run(for: .seconds(1))
    guard case .answered(.suspended(let number))? = stage.outcomes(of: 1, tag: 1).first else {
      Issue.record("no suspension")
      return
    }
    stage.ask(.playback(nil, .seek(film, to: .seconds(100))), by: 1, tag: 2)
    stage.run(for: .seconds(2))
    #expect(stage.outcomes(of: 1, tag: 2) == [.answered(.done(seq: nil))], "only here")
    #expect(stage.spread(of: [0, 2]) <= .milliseconds(10))
    #expect(stage.spread(of: [0, 1]) > .seconds(10))
    stage.ask(.playback(nil, .endSuspension(number, proposing: .seconds(300))), by: 1)
    stage.run(for: .seconds(5))
    #expect(stage.spread(of: [0, 1, 2]) <= .milliseconds(10))
    let position = stage.members[0].participant.expectedPosition(
      at: stage.members[0].host(stage.now))
    #expect(try #require(position) > .seconds(299))
  }
}
