import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// What holds for whole clients whatever happens; a failure names its seed.
@Suite struct RandomEveningTests {
  private static let seeds: Range<UInt64> = 0..<24

  @Test(arguments: RandomEveningTests.seeds)
  func `whatever happens, apps are told the truth once and players agree`(seed: UInt64) {
    var evening = RandomEvening(seed: seed)
    for _ in 0..<100 { evening.step() }
    evening.calmDown()
    checkAgreement(evening.stage)
    checkPlayers(evening.stage)
    evening.goHome()
    for member in evening.stage.members.indices {
      checkLives(of: member, evening.stage)
      checkFarewells(of: member, evening.stage)
      checkSilence(of: member, evening.stage)
      for tag in 1...max(evening.wishes[member], 1) where tag <= evening.wishes[member] {
        let outcomes = evening.stage.outcomes(of: member, tag: tag)
        #expect(outcomes.count == 1, "wish \(tag) of \(member): \(outcomes)")
      }
    }
  }

  @Test func `the evenings see what they are to see`() {
    var joins = 0
    var reasons: Set<String> = []
    var running = 0
    for seed in 0..<8 as Range<UInt64> {
      var evening = RandomEvening(seed: seed)
      for _ in 0..<100 { evening.step() }
      evening.calmDown()
      running += evening.stage.members.indices.count { evening.stage.isRunning($0) }
      for member in evening.stage.members.indices {
        joins += evening.stage.updates(of: member).count {
          if case .joined = $0 { true } else { false }
        }
        for reason in evening.stage.invalidations(of: member) {
          reasons.insert(String("\(reason)".prefix { $0 != "(" }))
        }
      }
    }
    #expect(joins > 40 && running > 2, "\(joins) joins, \(running) players that run at the end")
    let wanted: Set = [
      "left", "dismissed", "declined", "ended", "removed", "connectionLost", "serverRestarted",
    ]
    #expect(reasons.isSuperset(of: wanted), "\(wanted.subtracting(reasons))")
  }

  /// All who take part know the same session; nothing waits, and nobody who only looks on is in it.
  private func checkAgreement(_ stage: ParticipantStage) {
    let known = stage.members.compactMap(\.participant.session)
    for session in known {
      #expect(session == known.first { $0.id == session.id })
      #expect(!session.participants.values.contains { $0.device == DeviceID("d-Dan") })
      for timeline in session.playback.timelines.values {
        guard case .preparing(let barrier) = timeline.phase else { continue }
        #expect(barrier.isFrozen, "a barrier that nothing ends")
      }
    }
    for member in stage.members {
      #expect(member.participant.isOnline)
      guard let me = member.participant.participantID, let session = member.participant.session
      else { continue }
      #expect(session.participants[me] != nil && session.lost[me] == nil)
      #expect(roster(in: member.updates.map(\.update)) == Set(session.participants.keys))
    }
  }

  /// Who takes part, as an app knows it that saw the roster on joining and each change since (I8).
  private func roster(in updates: [Client.Update]) -> Set<ParticipantID> {
    var roster: Set<ParticipantID> = []
    for case .session(_, let word) in updates {
      switch word {
      case .joined: roster = []
      case .roster(.joined(let participant)): roster.insert(participant.id)
      case .roster(.left(let participant, _)): roster.remove(participant.id)
      default: break
      }
    }
    return roster
  }

  /// No player is commanded between the end of a stay and the next one (I5).
  private func checkSilence(of member: Int, _ stage: ParticipantStage) {
    let member = stage.members[member]
    var over: Int?
    // Between which updates, by their indices.
    var gaps: [(from: Int, to: Int)] = []
    for (index, (_, update)) in member.updates.enumerated() {
      guard case .session(_, let word) = update else { continue }
      switch word {
      case .invalidated: over = index
      case .joined:
        if let from = over { gaps.append((from, index)) }
        over = nil
      default: break
      }
    }
    if let from = over { gaps.append((from, member.updates.count)) }
    for ((at, order), before) in zip(member.orders, member.updatesBeforeOrders) {
      guard case .carryOut(let command) = order,
        gaps.contains(where: { $0.from < before && before <= $0.to })
      else { continue }
      Issue.record("\(command) at \(at), outside of any session")
    }
  }

  /// Whoever is attached to an item shows what the group shows.
  private func checkPlayers(_ stage: ParticipantStage) {
    for (number, member) in stage.members.enumerated() {
      guard let session = member.participant.session, let me = member.participant.participantID,
        let place = session.playback.participants[me], place.isAttached, let item = place.item,
        let timeline = session.playback.timelines[item], let player = member.player
      else { continue }
      let shown = player.position(at: member.host(stage.now))
      let wanted = timeline.position(at: stage.instant)
      let distance = (shown - wanted).magnitude
      switch timeline.phase {
      case .playing:
        #expect(!player.isPaused && distance <= .milliseconds(45), "\(number): \(distance)")
      case .paused:
        #expect(player.isPaused && distance <= .milliseconds(45), "\(number): \(distance)")
      case .preparing, .ended: #expect(player.isPaused, "\(number)")
      }
    }
  }

  /// A session object waits, is joined at most once and invalidated once, and then is silent; what an
  /// app makes of the differences is the roster.
  private func checkLives(of member: Int, _ stage: ParticipantStage) {
    var lives: [SessionID: Bool] = [:]
    var roster: Set<ParticipantID> = []
    for update in stage.members[member].updates {
      guard case .session(let id, let word) = update.update else { continue }
      switch word {
      case .waiting: if lives[id] == nil { lives[id] = false }
      case .joined:
        #expect(lives[id] == false, "joined out of turn")
        lives[id] = true
        roster = []
      case .invalidated:
        #expect(lives[id] != nil, "invalidated twice, or before it waited")
        lives[id] = nil
      case .roster(.joined(let participant)):
        #expect(roster.insert(participant.id).inserted, "somebody came twice")
        #expect(participant.device != DeviceID("d-Dan"))
      case .roster(.left(let participant, _)):
        #expect(roster.remove(participant.id) != nil, "somebody left who was not there")
      default: #expect(lives[id] == true, "\(word) of what is over or not begun")
      }
    }
    #expect(lives.isEmpty, "not every session was invalidated")
  }

  /// However often somebody leaves or dismisses, each stay is left once.
  private func checkFarewells(of member: Int, _ stage: ParticipantStage) {
    var seen: Set<RequestID> = []
    var farewells: [SessionID: Int] = [:]
    for case .request(let id, let request) in stage.members[member].sent
    where seen.insert(id).inserted {
      switch request {
      case .leave(let session?), .dismiss(let session?), .decline(let session):
        farewells[session, default: 0] += 1
      default: break
      }
    }
    for (session, count) in farewells {
      let lives = stage.members[member].updates.count {
        if case .session(session, .invalidated) = $0.update { true } else { false }
      }
      #expect(count <= lives, "\(count) farewells in \(lives) stays")
    }
  }
}
