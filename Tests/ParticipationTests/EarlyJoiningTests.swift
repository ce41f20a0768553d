import GroupSessions
import Participation
import Testing
import Vocabulary
import Wire

/// Joinings of a group that go along with a device's hello.
@Suite struct EarlyJoiningTests {
  private let room = GroupID("room")

  @Test func `a new device's joining goes along with its hello`() throws {
    var stage = ParticipantStage()
    let ann = stage.add("Ann", delay: .milliseconds(150))
    stage.ask(.joinGroup(room), by: ann, tag: 1)
    // One round trip connects, and one joins.
    try stage.wait(atMost: .milliseconds(610)) { $0.members[ann].participant.group != nil }
    #expect(stage.outcomes(of: ann, tag: 1).count == 1)
  }

  @Test func `a joining that comes before the credential is checked is sent again`() throws {
    var stage = ParticipantStage()
    let ann = stage.add("Ann")
    stage.ask(.joinGroup(room), by: ann, tag: 1)
    stage.ask(.joinGroup(GroupID("other")), by: ann, tag: 2)
    try stage.wait { !$0.hellos(of: ann).isEmpty }
    let peer = try #require(stage.members[ann].peer)
    for request in [1, 2] as [RequestID] {
      stage.send(.error(request, ProtocolError(.helloRequired)), to: peer)
    }
    try stage.wait { $0.outcomes(of: ann, tag: 2) != [] }
    stage.run(for: .seconds(1))
    let joinings = ["room", "other"].map { Request.joinGroup(GroupID($0)) }
    #expect(stage.requests(of: ann) == joinings + joinings)
    #expect(stage.outcomes(of: ann, tag: 1) == [.answered(.done(seq: 2))])
  }

  @Test func `whoever asks for another group as the server forgets them goes there`() throws {
    var stage = ParticipantStage()
    stage.add("Ann")
    stage.add("Bob")
    try stage.gather()
    stage.restartServer()
    try stage.wait { $0.hellos(of: 0).count == 3 }
    stage.ask(.joinGroup(GroupID("other")), by: 0)
    stage.run(for: .seconds(2))
    #expect(stage.members[0].participant.group?.id == GroupID("other"))
  }

  @Test func `whoever leaves before the welcome leaves before the next joining`() throws {
    var stage = ParticipantStage()
    let ann = stage.add("Ann")
    let other = GroupID("other")
    let requests: [Request] = [.joinGroup(room), .leaveGroup, .joinGroup(other)]
    for request in requests { stage.ask(request, by: ann) }
    stage.run(for: .seconds(1))
    #expect(stage.requests(of: ann) == requests)
    #expect(stage.members[ann].participant.group?.id == other)
  }
}
