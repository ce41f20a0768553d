import GroupSessions
import Participation
import Testing
import Vocabulary
import Wire

/// What somebody leaves while the server does not hear it, or dies before it says so.
@Suite struct DepartureTests {
  private func gathered(adjust: (inout ClientSettings) -> Void = { _ in }) throws
    -> ParticipantStage
  {
    var stage = ParticipantStage()
    for name in ["Ann", "Bob"] { stage.add(name, adjust: adjust) }
    try stage.gather()
    return stage
  }

  @Test func `whoever leaves while away for longer than a request waits has left in the end`()
    throws
  {
    var stage = try gathered { $0.requestTimeout = .seconds(10) }
    let id = try #require(stage.sessionID)
    stage.members[1].isReachable = false
    stage.cut(1)
    stage.ask(.leave(id), by: 1, tag: 1)
    // The session is over here at once.
    #expect(stage.outcomes(of: 1, tag: 1) == [.answered(.done(seq: nil))])
    stage.run(for: .seconds(15))
    #expect(stage.outcomes(of: 1, tag: 1).count == 1)
    stage.members[1].isReachable = true
    try stage.wait { $0.members[0].participant.session?.participants.count == 1 }
    #expect(stage.members[1].participant.isOnline)
  }

  @Test func `whoever leaves again and again while away says so once`() throws {
    var stage = try gathered { $0.requestTimeout = .seconds(10) }
    stage.members[1].isReachable = false
    stage.cut(1)
    for tag in 1...3 { stage.ask(.leaveGroup, by: 1, tag: tag) }
    stage.run(for: .seconds(15))
    for tag in 1...3 { #expect(stage.outcomes(of: 1, tag: tag) == [.failed(.timedOut)]) }
    stage.members[1].isReachable = true
    try stage.wait { $0.members[0].participant.group?.members.count == 1 }
    #expect(stage.requests(of: 1).count { $0 == .leaveGroup } == 1)
  }

  @Test func `who left the group has left its session, even if the server dies before it says so`()
    throws
  {
    var stage = try gathered()
    let group = try #require(stage.members[0].participant.group)
    let left = GroupEvent.memberLeft(stage.members[0].participant.device, .left)
    stage.feed(
      .received(.groupEvent(group.id, seq: group.seq + 1, at: stage.instant, left)), to: 0)
    #expect(stage.members[0].participant.group == nil)
    #expect(stage.members[0].participant.session != nil)
    stage.restartServer()
    stage.run(for: .seconds(5))
    #expect(stage.invalidations(of: 0) == [.left])
  }

  @Test func `who leaves the group has left what waits there, too`() throws {
    var stage = try gathered()
    let id = try #require(stage.sessionID)
    stage.ask(.leave(id), by: 1, tag: 1)
    stage.ask(.activate(Activation(ParticipantStage.film)), by: 1, tag: 2)
    stage.run(for: .seconds(1))
    #expect(stage.members[1].participant.offer?.session == id)
    stage.ask(.leaveGroup, by: 1, tag: 3)
    try stage.wait { $0.members[1].participant.group == nil }
    stage.run(for: .seconds(1))
    #expect(stage.invalidations(of: 1) == [.left, .left])
  }

  @Test func `who was away when the group closed hears so, and does not open it again`() throws {
    var stage = try gathered()
    stage.members[1].isReachable = false
    stage.cut(1)
    stage.run(for: .seconds(1))
    stage.ask(.closeGroup(), by: 0)
    try stage.wait { $0.members[0].participant.group == nil }
    stage.members[1].isReachable = true
    try stage.wait(atMost: .seconds(15)) { $0.members[1].participant.isOnline }
    stage.run(for: .seconds(2))
    #expect(stage.invalidations(of: 1) == [.ended(.groupClosed)])
    #expect(stage.members[1].participant.group == nil)
    #expect(stage.requests(of: 1).count { if case .joinGroup = $0 { true } else { false } } == 1)
  }
}
