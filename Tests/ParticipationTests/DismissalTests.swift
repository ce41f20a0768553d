import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// Clients whose people dismiss what hosts the watching, against the real coordinator.
@Suite struct DismissalTests {
  private func gathered(_ names: [String] = ["Ann", "Bob"]) throws -> ParticipantStage {
    var stage = ParticipantStage()
    for name in names { stage.add(name) }
    try stage.gather()
    return stage
  }

  private func farewells(_ stage: ParticipantStage, of member: Int) -> [Request] {
    stage.requests(of: member).filter {
      switch $0 {
      case .leave, .dismiss, .decline, .end: true
      default: false
      }
    }
  }

  @Test func `the initiator's is over here at once, and for all with who did it`() throws {
    var stage = try gathered()
    let ann = try #require(stage.members[0].participant.participantID)
    stage.ask(.dismiss(nil), by: 0, tag: 1)
    #expect(stage.invalidations(of: 0) == [.dismissed])
    stage.run(for: .seconds(1))
    #expect(stage.invalidations(of: 0) == [.dismissed])
    #expect(stage.invalidations(of: 1) == [.ended(.dismissedBy(ann))])
    #expect(stage.outcomes(of: 0, tag: 1).count == 1)
    #expect(!stage.isRunning(0) && !stage.isRunning(1))
  }

  @Test func `dismissing and leaving, in any order and number, is said once`() throws {
    for isLeaveFirst in [false, true] {
      var stage = try gathered(["Ann", "Bob", "Cid"])
      let id = try #require(stage.sessionID)
      let first = isLeaveFirst ? Request.leave(id) : .dismiss(id)
      for (tag, request) in [first, .dismiss(id), .leave(nil), .dismiss(nil)].enumerated() {
        stage.ask(request, by: 1, tag: tag)
      }
      stage.run(for: .seconds(1))
      stage.ask(.dismiss(id), by: 1, tag: 4)
      stage.run(for: .seconds(1))
      #expect(farewells(stage, of: 1) == [first])
      #expect(stage.invalidations(of: 1) == [isLeaveFirst ? .left : .dismissed])
      for tag in 0...4 {
        #expect(stage.outcomes(of: 1, tag: tag) == [.answered(.done(seq: nil))] || tag == 0)
        #expect(stage.outcomes(of: 1, tag: tag).count == 1)
      }
      #expect(stage.members[0].participant.session?.participants.count == 2)
    }
  }

  @Test func `what the server ended is not dismissed as well`() throws {
    var stage = try gathered()
    let id = try #require(stage.sessionID)
    stage.ask(.dismiss(id), by: 0)
    stage.run(for: .seconds(1))
    stage.ask(.dismiss(id), by: 1, tag: 1)
    stage.run(for: .seconds(1))
    #expect(farewells(stage, of: 1).isEmpty)
    #expect(stage.outcomes(of: 1, tag: 1) == [.answered(.done(seq: nil))])
  }

  @Test func `dismissing an offer declines it`() throws {
    var stage = try gathered()
    let cid = stage.add("Cid")
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[cid].participant.offer != nil }
    let id = try #require(stage.sessionID)
    stage.ask(.dismiss(id), by: cid, tag: 1)
    stage.run(for: .seconds(1))
    #expect(farewells(stage, of: cid) == [.decline(id)])
    #expect(stage.invalidations(of: cid) == [.declined])
    #expect(stage.members[0].participant.session != nil)
  }

  @Test func `dismissing while joining is said once the join is answered`() throws {
    var stage = ParticipantStage()
    stage.add("Ann", delay: .milliseconds(80))
    stage.add("Bob")
    for member in [0, 1] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.activate(Activation(ParticipantStage.film)), by: 0)
    try stage.wait { $0.members.allSatisfy { $0.participant.offer != nil } }
    let id = try #require(stage.members[1].participant.offer?.session)
    stage.ask(.join(id, handoffFrom: nil), by: 1)
    stage.run(for: .milliseconds(100))
    stage.ask(.join(id, handoffFrom: nil), by: 0, tag: 1)
    stage.run(for: .milliseconds(20))
    stage.ask(.dismiss(id), by: 0, tag: 2)
    stage.run(for: .seconds(2))
    #expect(farewells(stage, of: 0) == [.dismiss(id)])
    #expect(stage.invalidations(of: 0) == [.dismissed])
    #expect(stage.outcomes(of: 0, tag: 1) == [.failed(.invalidated(.dismissed))])
    guard case .ended(.dismissedBy)? = stage.invalidations(of: 1).first else {
      Issue.record("\(stage.invalidations(of: 1))")
      return
    }
  }

  @Test func `a dismissal while the connection is away is said when it is back`() throws {
    var stage = try gathered()
    stage.cut(0)
    stage.ask(.dismiss(nil), by: 0, tag: 1)
    #expect(stage.invalidations(of: 0) == [.dismissed])
    #expect(stage.members[1].participant.session != nil)
    stage.run(for: .seconds(10))
    #expect(stage.outcomes(of: 0, tag: 1).count == 1)
    guard case .ended(.dismissedBy)? = stage.invalidations(of: 1).first else {
      Issue.record("\(stage.invalidations(of: 1))")
      return
    }
  }

  @Test func `being cut off and coming back dismisses nothing`() throws {
    var stage = try gathered()
    stage.cut(0)
    stage.run(for: .seconds(10))
    for member in [0, 1] {
      #expect(stage.invalidations(of: member).isEmpty)
      #expect(stage.members[member].participant.session?.participants.count == 2)
      #expect(farewells(stage, of: member).isEmpty)
    }
  }

  @Test func `a guest who dismissed is told of as such, and so is a changed rule`() throws {
    var stage = try gathered(["Ann", "Bob", "Cid"])
    stage.ask(.setDismissalPolicy(nil, .leavesOnly), by: 0)
    stage.run(for: .seconds(1))
    stage.ask(.dismiss(nil), by: 1)
    stage.run(for: .seconds(1))
    let updates = stage.updates(of: 2)
    let policies = updates.compactMap {
      if case .policies(let policies) = $0 { policies.dismissal } else { nil }
    }
    #expect(policies.last == .leavesOnly)
    let notices = updates.compactMap {
      if case .notice(let notice) = $0 { notice.description } else { nil }
    }
    #expect(notices.suffix(2) == ["Ann changed the rules", "Bob dismissed it"])
  }

  @Test func `a session that is begun again keeps its rule, and a dismissed one is not`() throws {
    for isDismissed in [false, true] {
      var stage = ParticipantStage()
      for name in ["Ann", "Bob"] { stage.add(name) { $0.revivesSessions = true } }
      try stage.gather()
      stage.ask(.setDismissalPolicy(nil, .leavesOnly), by: 0)
      stage.run(for: .seconds(1))
      if isDismissed { stage.ask(.dismiss(nil), by: 0) }
      stage.run(for: .seconds(1))
      stage.restartServer()
      stage.run(for: .seconds(10))
      let again = stage.requests(of: 0).dropFirst().compactMap {
        if case .activate(let activation) = $0 { activation.dismissalPolicy } else { nil }
      }
      #expect(again == (isDismissed ? [] : [.leavesOnly]))
    }
  }
}
