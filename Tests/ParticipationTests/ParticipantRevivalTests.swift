import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// Edge 22: sessions that are begun again after their server restarted.
@Suite struct ParticipantRevivalTests {
  private let film = ItemID("film")

  private func gathered(reviving: Bool = true) throws -> ParticipantStage {
    var stage = ParticipantStage()
    for name in ["Ann", "Bob"] { stage.add(name) { $0.revivesSessions = reviving } }
    try stage.gather()
    return stage
  }

  private func activations(_ stage: ParticipantStage, by member: Int) -> Int {
    stage.requests(of: member).count { if case .activate = $0 { true } else { false } }
  }

  @Test func `the device that started it begins it again, where it ran`() throws {
    var stage = try gathered()
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
    stage.run(for: .seconds(60))
    let old = try #require(stage.sessionID)
    stage.restartServer()
    try stage.wait(atMost: .seconds(10)) { stage in
      stage.members.allSatisfy { $0.participant.offer != nil }
    }
    #expect(activations(stage, by: 0) == 2 && activations(stage, by: 1) == 0)
    try stage.joinAll()
    try stage.wait(atMost: .seconds(5)) { $0.isRunning(0) && $0.isRunning(1) }
    stage.run(for: .seconds(3))
    #expect(stage.sessionID != old)
    #expect(stage.spread(of: [0, 1]) < .milliseconds(20))
    let position = stage.members[0].player?.position(at: stage.members[0].host(stage.now))
    let seconds = try #require(position).seconds
    #expect((60.0...75.0).contains(seconds), "\(seconds)")
  }

  @Test func `whoever left while the server died begins nothing anew elsewhere`() throws {
    var stage = try gathered()
    stage.ask(.leaveGroup, by: 0)
    stage.restartServer()
    stage.ask(.joinGroup(GroupID("elsewhere")), by: 0)
    stage.run(for: .seconds(5))
    #expect(stage.invalidations(of: 0) == [.left])
    stage.ask(.joinGroup(GroupID("elsewhere")), by: 0)
    try stage.wait { $0.members[0].participant.group?.id == GroupID("elsewhere") }
    stage.run(for: .seconds(5))
    #expect(activations(stage, by: 0) == 1)
  }

  @Test(arguments: [true, false])
  func `a paused film stays paused, where it stood`(isGentle: Bool) throws {
    var stage = try gathered()
    stage.ask(.playback(nil, .seek(film, to: .seconds(300))), by: 1)
    stage.run(for: .seconds(3))
    if isGentle { try stage.restartServerGently() } else { stage.restartServer() }
    try stage.wait(atMost: .seconds(10)) { $0.members.allSatisfy { $0.participant.offer != nil } }
    try stage.joinAll()
    stage.run(for: .seconds(5))
    for member in [0, 1] {
      #expect(!stage.isRunning(member))
      let position = stage.members[member].player?.position(
        at: stage.members[member].host(stage.now))
      #expect(position == .seconds(300))
    }
  }

  @Test func `it is begun again by the rules it was begun with`() throws {
    var stage = ParticipantStage()
    for name in ["Ann", "Bob"] { stage.add(name) { $0.revivesSessions = true } }
    for member in [0, 1] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    let activation = Activation(
      ParticipantStage.film, control: .hostsOnly, waitingPolicy: .together,
      dismissalPolicy: .leavesOnly, oneDevicePerUser: true)
    stage.ask(.activate(activation), by: 0)
    try stage.joinAll()
    let old = try #require(stage.members[0].participant.session)
    stage.restartServer()
    try stage.wait(atMost: .seconds(10)) { $0.members.allSatisfy { $0.participant.offer != nil } }
    try stage.joinAll()
    let new = try #require(stage.members[0].participant.session)
    #expect(new.id != old.id && new.oneDevicePerUser)
    #expect(new.control == .hostsOnly && new.dismissalPolicy == .leavesOnly)
    #expect(new.playback.waitingPolicy == .together)
  }

  @Test func `the queue is put back as it stood, around what is on`() throws {
    var stage = try gathered()
    stage.ask(.queue(nil, .insert(media(1...40), at: .end)), by: 0)
    stage.run(for: .seconds(1))
    let second = try #require(stage.members[0].participant.session?.queue.entries[2].id)
    stage.ask(.queue(nil, .select(second)), by: 1)
    stage.ask(.queue(nil, .setRepeat(.all)), by: 1)
    stage.ask(.queue(nil, .setAutoAdvance(false)), by: 1)
    stage.run(for: .seconds(3))
    let before = try #require(stage.members[0].participant.session?.queue)
    stage.restartServer()
    try stage.wait(atMost: .seconds(10)) { $0.members.allSatisfy { $0.participant.offer != nil } }
    try stage.joinAll()
    stage.run(for: .seconds(5))
    for member in [0, 1] {
      let session = try #require(stage.members[member].participant.session)
      let items = session.queue.entries.map(\.media.item)
      #expect(items == before.entries.map(\.media.item))
      #expect(session.queue.currentEntry?.media.item == ItemID("film-2"))
      #expect(session.queue.repeatMode == .all && !session.queue.isAutoAdvancing)
      let roles = session.participants.values.map { ($0.name, $0.role) }
      #expect(roles.filter { $0.1 == .host }.map(\.0) == ["Ann"])
    }
    let lines = stage.requests(of: 0).compactMap { request in
      if case .queue(_, .insert(let media, _)) = request { media.count } else { nil }
    }
    #expect(lines == [40, 16, 16, 8], "as many at once as a line holds")
  }

  private func media(_ numbers: ClosedRange<Int>) -> [MediaItem] {
    numbers.map { MediaItem(item: ItemID("film-\($0)"), url: "film-\($0).mp4") }
  }

  @Test func `without the option nothing is begun again`() throws {
    var stage = try gathered(reviving: false)
    stage.restartServer()
    stage.run(for: .seconds(10))
    #expect(activations(stage, by: 0) == 1)
    #expect(stage.members[0].participant.offer == nil)
  }

  @Test func `a session that was ended or left is not begun again`() throws {
    var stage = try gathered()
    stage.ask(.leave(nil), by: 0)
    stage.run(for: .seconds(1))
    stage.restartServer()
    stage.run(for: .seconds(10))
    #expect(activations(stage, by: 0) == 1 && activations(stage, by: 1) == 0)
  }

  @Test func `whoever leaves the group meanwhile has changed their mind`() throws {
    var stage = try gathered()
    stage.restartServer()
    try stage.wait { !$0.invalidations(of: 0).isEmpty }
    stage.ask(.leaveGroup, by: 0)
    stage.ask(.joinGroup(GroupID("room")), by: 0)
    stage.run(for: .seconds(10))
    #expect(activations(stage, by: 0) == 1)
  }
}
