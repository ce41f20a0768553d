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

  /// Bob's suspensions, as Ann knows them.
  private func suspensions(_ stage: ParticipantStage) -> [Suspension] {
    guard let bob = stage.members[1].participant.participantID else { return [] }
    return stage.members[0].participant.session?.playback.participants[bob]?.suspensions ?? []
  }

  @Test func `whoever steps back in while nothing is stored for long is in afterwards`() throws {
    var stage = try gathered()
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait { $0.isRunning(0) && $0.isRunning(1) }
    stage.run(for: .seconds(2))
    let time = stage.members[1].host(stage.now)
    stage.members[1].player?.stall(for: .seconds(10), at: time)
    try stage.wait { suspensions($0).contains { !$0.isImposed } }
    // Bob hears the number of the suspension, too.
    stage.run(for: .seconds(1))
    stage.isJournalFailing = true
    stage.run(for: .seconds(70))
    stage.isJournalFailing = false
    stage.run(for: .seconds(10))
    #expect(suspensions(stage) == [])
  }

  @Test(arguments: [25.0, 90])
  func `whoever can follow again meanwhile follows afterwards`(seconds: Double) throws {
    var stage = try gathered()
    let time = stage.members[1].host(stage.now)
    stage.members[1].player?.stall(for: .seconds(20), at: time)
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait { suspensions($0).contains(where: \.isImposed) }
    stage.isJournalFailing = true
    stage.run(for: .seconds(seconds))
    stage.isJournalFailing = false
    stage.run(for: .seconds(30))
    for member in [0, 1] {
      #expect(stage.isRunning(member), "\(member)")
    }
    #expect(suspensions(stage) == [])
  }

  private let cid = 2

  /// Cid has just joined Ann and Bob, and has yet to open the film.
  private func joinedByCid() throws -> ParticipantStage {
    var stage = try gathered()
    stage.add("Cid")
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[2].participant.offer != nil }
    let id = try #require(stage.sessionID)
    stage.ask(.join(id, handoffFrom: nil), by: cid)
    try stage.wait { $0.members[2].participant.session != nil }
    return stage
  }

  /// The item that Cid has open, as far as the server knows.
  private func openItem(_ stage: ParticipantStage) throws -> ItemID? {
    let me = try #require(stage.members[cid].participant.participantID)
    let session = try #require(stage.members[cid].participant.session)
    return session.playback.participants[me]?.item
  }

  @Test(arguments: [3.0, 45])
  func `an item opened meanwhile is the device's afterwards, however long it takes`(
    seconds: Double
  ) throws {
    var stage = try joinedByCid()
    stage.isJournalFailing = true
    stage.run(for: .seconds(seconds))
    stage.isJournalFailing = false
    stage.run(for: .seconds(3))
    #expect(try openItem(stage) == film)
  }

  @Test func `what of it can be gone to is told meanwhile, and it is the device's afterwards`()
    throws
  {
    var stage = try joinedByCid()
    stage.isJournalFailing = true
    try stage.wait { stage in
      stage.requests(of: 2).contains { request in
        if case .playback(_, .transition) = request { true } else { false }
      }
    }
    stage.run(for: .milliseconds(300))
    let window = try #require(SeekWindow(start: .seconds(60), end: .seconds(120), slides: true))
    stage.feed(.player(.seekWindow(window), of: film), to: cid)
    stage.run(for: .seconds(45))
    stage.isJournalFailing = false
    stage.run(for: .seconds(3))
    #expect(try openItem(stage) == film)
  }

  @Test func `whoever leaves for longer than a request waits has left in the end`() throws {
    var stage = try gathered()
    let id = try #require(stage.sessionID)
    stage.isJournalFailing = true
    stage.ask(.leave(id), by: 1, tag: 1)
    stage.run(for: .seconds(60), every: .seconds(10))
    #expect(stage.outcomes(of: 1, tag: 1) == [.failed(.timedOut)])
    stage.isJournalFailing = false
    try stage.wait { $0.members[0].participant.session?.participants.count == 1 }
    let farewells = Set(
      stage.members[1].sent.compactMap {
        if case .request(let request, .leave) = $0 { request } else { nil }
      })
    #expect(farewells.count == 1, "it is said until it is kept")
  }

  @Test func `of items opened one after another the last one counts`() throws {
    var stage = try gathered()
    func show(_ name: String, loading time: Duration) {
      stage.members[1].traits.loadTime = time
      var activity = ParticipantStage.film
      activity.media = MediaItem(item: ItemID(name), url: name)
      stage.ask(.setActivity(nil, activity, ifRevision: nil), by: 0)
    }
    show("second", loading: .milliseconds(700))
    try stage.wait { $0.members[1].participant.session?.activity.media?.item == ItemID("second") }
    // What says that the second one is open is refused, and could be said again after the third is.
    stage.isJournalFailing = true
    stage.run(for: .milliseconds(900))
    stage.isJournalFailing = false
    for _ in 0..<20
    where stage.members[1].participant.session?.activity.media?.item != ItemID("third") {
      show("third", loading: .milliseconds(10))
      stage.run(for: .milliseconds(50))
    }
    stage.run(for: .seconds(10))
    for member in [0, 1] {
      let session = try #require(stage.members[member].participant.session)
      let items = Set(session.playback.participants.values.map(\.item))
      #expect(items == [ItemID("third")], "\(member)")
    }
  }

  /// People who come back to a new server, which could not store for a while that they do.
  private func returning() throws -> ParticipantStage {
    var stage = try gathered()
    stage.restartServer()
    stage.isJournalFailing = true
    try stage.wait { $0.members[1].participant.isOnline }
    stage.run(for: .milliseconds(200))
    stage.isJournalFailing = false
    return stage
  }

  @Test func `whoever goes elsewhere does not go back`() throws {
    var stage = try returning()
    stage.ask(.joinGroup(GroupID("elsewhere")), by: 1, tag: 1)
    stage.run(for: .seconds(5))
    #expect(stage.members[1].participant.group?.id == GroupID("elsewhere"))
    #expect(stage.members[0].participant.group?.id == GroupID("room"), "who waits gets in")
  }

  @Test func `whoever leaves the group before being back in it is in none`() throws {
    var stage = try returning()
    stage.ask(.leaveGroup, by: 1, tag: 1)
    stage.run(for: .seconds(5))
    #expect(stage.members[1].participant.group == nil)
    #expect(stage.members[0].participant.group?.members.count == 1)
  }
}
