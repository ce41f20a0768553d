import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// Whole clients under the rules of advertisements, devices, items and types.
@Suite struct ParticipantRulesTests {
  private let film = ItemID("film")

  private func gathered(_ delays: [(String, Int)]) throws -> ParticipantStage {
    var stage = ParticipantStage(seed: 3)
    for (name, delay) in delays { stage.add(name, delay: .milliseconds(delay)) }
    try stage.gather()
    return stage
  }

  private func isOut(_ stage: ParticipantStage, _ member: Int) -> Bool {
    let participant = stage.members[member].participant
    let me = participant.participantID.flatMap { participant.session?.playback.participants[$0] }
    return me?.suspensions.contains { $0.reason == .playingInterstitial } == true
  }

  /// A break from 20 to 30 s of the film, which everyone sits through.
  @Test func `an advertisement in the film is sat through together and costs no seek`() throws {
    var stage = try gathered([("Ann", 10), ("Bob", 60), ("Cid", 150)])
    var activity = ParticipantStage.film
    let range = InterstitialRange(start: .seconds(20), end: .seconds(30))
    activity.media?.interstitials = try #require(Interstitials([range]))
    stage.ask(.setActivity(nil, activity, ifRevision: nil), by: 0)
    stage.ask(.playback(nil, .seek(film, to: .seconds(15))), by: 0)
    stage.ask(.playback(nil, .play(film)), by: 1)
    let all = [0, 1, 2]
    try stage.wait(atMost: .seconds(5)) { stage in all.allSatisfy { stage.isRunning($0) } }
    try stage.wait(atMost: .seconds(8)) { stage in all.allSatisfy { isOut(stage, $0) } }
    let orders = all.map { stage.members[$0].orders.count }
    var frozen = 0
    stage.run(for: .seconds(8)) {
      if case .preparing = $0.members[0].participant.session?.playback.timelines[film]?.phase {
        frozen += 1
      }
    }
    #expect(frozen == 0)
    #expect(all.allSatisfy { isOut(stage, $0) })
    #expect(all.map { stage.members[$0].orders.count } == orders)
    try stage.wait(atMost: .seconds(5)) { stage in all.allSatisfy { !isOut(stage, $0) } }
    stage.run(for: .seconds(3))
    #expect(all.allSatisfy { stage.isRunning($0) })
    #expect(stage.spread(of: all) <= .milliseconds(40))
    for member in all {
      let seeks = stage.members[member].orders.suffix(from: orders[member]).filter {
        if case .carryOut(.seek) = $0.order { true } else { false }
      }
      #expect(seeks.isEmpty)
    }
  }

  @Test func `a seek into an advertisement takes everyone to its start`() throws {
    var stage = try gathered([("Ann", 10), ("Bob", 60)])
    var activity = ParticipantStage.film
    let range = InterstitialRange(start: .seconds(20), end: .seconds(30))
    activity.media?.interstitials = try #require(Interstitials([range]))
    stage.ask(.setActivity(nil, activity, ifRevision: nil), by: 0)
    stage.ask(.playback(nil, .seek(film, to: .seconds(27))), by: 1)
    stage.run(for: .seconds(2))
    for member in [0, 1] {
      let player = stage.members[member].player
      #expect(player?.position(at: stage.members[member].host(stage.now)) == .seconds(20))
    }
  }

  @Test func `the device that starts for another one plays nothing and is told so`() throws {
    var stage = ParticipantStage(seed: 3)
    let phone = stage.add("Ann")
    let tv = stage.add("TV") { $0.user = UserID("u-Ann") }
    let bob = stage.add("Bob")
    for member in [phone, tv, bob] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.setPreferredDevice(DeviceID("d-TV")), by: phone)
    stage.ask(.activate(Activation(ParticipantStage.film)), by: phone, tag: 7)
    try stage.wait { $0.members[tv].participant.offer != nil }
    stage.run(for: .seconds(1))
    guard
      case .answered(.activated(_, true, willDeliver: false))? = stage.outcomes(of: phone, tag: 7)
        .first
    else {
      Issue.record("\(stage.outcomes(of: phone, tag: 7))")
      return
    }
    #expect(stage.members[phone].participant.offer == nil)
    #expect(stage.members[phone].orders.isEmpty)
    #expect(stage.members[bob].participant.offer != nil)
  }

  @Test func `who opens something else than the others watch hears what they watch`() throws {
    var stage = ParticipantStage(seed: 3)
    stage.add("Ann")
    stage.add("Bob") { $0.hasPlayer = false }
    for member in [0, 1] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.activate(Activation(ParticipantStage.film)), by: 0)
    try stage.wait { $0.members.allSatisfy { $0.participant.offer != nil } }
    for member in [0, 1] {
      let id = try #require(stage.members[member].participant.offer?.session)
      stage.ask(.join(id, handoffFrom: nil), by: member)
    }
    stage.run(for: .seconds(2))
    stage.ask(.playback(nil, .transition(to: ItemID("film-uncut"))), by: 1)
    stage.run(for: .seconds(1))
    #expect(stage.updates(of: 1).contains(.itemMismatch(ItemID("film-uncut"), others: film)))
    #expect(!stage.updates(of: 0).contains { if case .itemMismatch = $0 { true } else { false } })
    #expect(notices(of: 0, in: stage).contains("Bob opened something else (film-uncut)"))
    #expect(!notices(of: 1, in: stage).contains { $0.contains("something else") })
  }

  @Test func `a copy of another length is told to everyone, with its owner's name`() throws {
    var stage = ParticipantStage(seed: 3)
    var longer = PlayerTraits()
    longer.duration += .milliseconds(3_200)
    stage.add("Ann")
    stage.add("Bob", traits: longer)
    stage.add("Cid")
    try stage.gather()
    stage.run(for: .seconds(3))
    for member in [0, 1, 2] {
      let told = notices(of: member, in: stage).filter { $0.contains("copy") }
      #expect(told == ["Bob has a copy that is 3.2 s longer"])
      let session = try #require(stage.members[member].participant.session)
      let excess = session.participants.keys.map { session.excessLength(of: $0) }
      #expect(excess.compactMap(\.self) == [.milliseconds(3_200)])
    }
    stage.ask(.playback(nil, .seek(film, to: .seconds(5))), by: 1)
    stage.run(for: .seconds(1))
    #expect(notices(of: 0, in: stage).count { $0.contains("copy") } == 1)
  }

  @Test func `what of live content can be gone to is told once, and where it came otherwise`()
    throws
  {
    var stage = try gathered([("Ann", 10), ("Bob", 10)])
    func told(_ stage: ParticipantStage) -> [SeekWindow] {
      stage.requests(of: 0).compactMap {
        if case .playback(_, .transition(_, _, _, _, let window?)) = $0 { window } else { nil }
      }
    }
    let first = try #require(SeekWindow(start: .seconds(60), end: .seconds(120), slides: true))
    let later = try #require(SeekWindow(start: .seconds(92), end: .seconds(152), slides: true))
    stage.feed(.player(.seekWindow(first), of: film), to: 0)
    stage.run(for: .seconds(30))
    stage.feed(.player(.seekWindow(later), of: film), to: 0)
    #expect(told(stage) == [first])
    stage.feed(.player(.seekWindow(first), of: film), to: 0)
    #expect(told(stage) == [first, first])
  }

  private func notices(of member: Int, in stage: ParticipantStage) -> [String] {
    stage.updates(of: member).compactMap {
      if case .notice(let notice) = $0 { notice.description } else { nil }
    }
  }

  @Test func `edge 25: an activity of a type the app does not know is a notice, not an offer`()
    throws
  {
    var stage = ParticipantStage(seed: 3)
    stage.add("Ann")
    stage.add("Bob") { $0.activityTypes = ["draw"] }
    for member in [0, 1] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.activate(Activation(ParticipantStage.film)), by: 0)
    try stage.wait { $0.members[0].participant.offer != nil }
    stage.run(for: .seconds(1))
    #expect(stage.members[1].participant.offer == nil)
    #expect(stage.updates(of: 1) == [])
    let notices = stage.members[1].updates.compactMap {
      if case .activityNotice(let notice) = $0.update { notice.title } else { nil }
    }
    #expect(notices == ["Film"])
  }
}
