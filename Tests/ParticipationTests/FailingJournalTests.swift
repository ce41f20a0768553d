import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// Clients of a server that can store nothing for a while: what they have done already, and what others
/// wait for, is said again until it is stored.
@Suite struct FailingJournalTests {
  private let film = ItemID("film")

  private func gathered() throws -> ParticipantStage {
    var stage = ParticipantStage()
    for name in ["Ann", "Bob"] { stage.add(name) }
    try stage.gather()
    return stage
  }

  @Test func `whoever leaves meanwhile has left, and comes back only then`() throws {
    var stage = try gathered()
    let id = try #require(stage.sessionID)
    stage.isJournalFailing = true
    stage.ask(.leave(id), by: 1, tag: 1)
    stage.run(for: .seconds(2))
    #expect(stage.invalidations(of: 1) == [.left] && stage.outcomes(of: 1, tag: 1).isEmpty)
    stage.ask(.join(id, handoffFrom: nil), by: 1, tag: 2)
    stage.isJournalFailing = false
    try stage.wait { $0.members[1].participant.session != nil }
    stage.run(for: .seconds(2))
    #expect(stage.outcomes(of: 1, tag: 1).count == 1 && stage.outcomes(of: 1, tag: 2).count == 1)
    #expect(stage.members[0].participant.session?.participants.count == 2)
    let left = stage.updates(of: 0).count {
      if case .roster(.left(_, .left)) = $0 { true } else { false }
    }
    #expect(left == 1)
  }

  @Test func `whoever can follow again meanwhile follows afterwards`() throws {
    var stage = try gathered()
    let bob = try #require(stage.members[1].participant.participantID)
    func suspensions(_ stage: ParticipantStage) -> [Suspension] {
      stage.members[0].participant.session?.playback.participants[bob]?.suspensions ?? []
    }
    let time = stage.members[1].host(stage.now)
    stage.members[1].player?.stall(for: .seconds(20), at: time)
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait { suspensions($0).contains(where: \.isImposed) }
    stage.isJournalFailing = true
    stage.run(for: .seconds(25))
    stage.isJournalFailing = false
    stage.run(for: .seconds(30))
    for member in [0, 1] {
      #expect(stage.isRunning(member), "\(member)")
    }
    #expect(suspensions(stage) == [])
  }

  @Test func `an item opened meanwhile is the device's afterwards`() throws {
    var stage = try gathered()
    let cid = stage.add("Cid")
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[cid].participant.offer != nil }
    let id = try #require(stage.sessionID)
    stage.ask(.join(id, handoffFrom: nil), by: cid)
    try stage.wait { $0.members[cid].participant.session != nil }
    stage.isJournalFailing = true
    stage.run(for: .seconds(3))
    stage.isJournalFailing = false
    stage.run(for: .seconds(3))
    let me = try #require(stage.members[cid].participant.participantID)
    let session = try #require(stage.members[cid].participant.session)
    #expect(session.playback.participants[me]?.item == film)
  }

  @Test func `whoever gave up leaving leaves with the next connection`() throws {
    var stage = try gathered()
    let id = try #require(stage.sessionID)
    stage.isJournalFailing = true
    stage.ask(.leave(id), by: 1, tag: 1)
    stage.run(for: .seconds(60), every: .seconds(10))
    guard case .failed? = stage.outcomes(of: 1, tag: 1).first else { return #expect(Bool(false)) }
    stage.isJournalFailing = false
    stage.run(for: .seconds(3))
    #expect(stage.members[0].participant.session?.participants.count == 2)
    stage.cut(1)
    try stage.wait { $0.members[0].participant.session?.participants.count == 1 }
  }
}
