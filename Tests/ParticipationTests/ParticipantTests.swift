import GroupSessions
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// Clients and the real coordinator: groups, offers, joins and leaves.
@Suite struct ParticipantTests {
  private let film = ItemID("film")

  private func stage(_ names: [String] = ["Ann", "Bob"]) -> ParticipantStage {
    var stage = ParticipantStage()
    for name in names { stage.add(name) }
    return stage
  }

  @Test func `an offer, a join, the roster, the activity, then playback`() throws {
    var stage = stage()
    try stage.gather()
    let words = stage.updates(of: 1)
    let kinds = words.map { update in
      switch update {
      case .waiting: "waiting"
      case .joined: "joined"
      case .roster(.joined): "person"
      case .activity: "activity"
      case .playback: "playback"
      default: "other"
      }
    }
    let order = ["waiting", "joined", "person", "activity", "playback"]
    let indices = order.compactMap { kinds.firstIndex(of: $0) }
    #expect(indices.count == order.count && indices == indices.sorted(), "\(kinds)")
    #expect(stage.outcomes(of: 1, tag: -3).count == 1)
    #expect(stage.members[1].participant.session == stage.members[0].participant.session)
  }

  @Test func `each start tells that people are not ready yet, and then that they are`() throws {
    var stage = stage()
    try stage.gather()
    let ann = try #require(stage.members[0].participant.participantID)
    for _ in 1...2 {
      let known = stage.updates(of: 1).count
      stage.ask(.playback(nil, .play(film)), by: 0)
      try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
      let changes = stage.updates(of: 1).dropFirst(known).count {
        if case .roster(.changed(ann)) = $0 { true } else { false }
      }
      #expect(changes == 2)
      stage.ask(.playback(nil, .pause(film)), by: 0)
      try stage.wait(atMost: .seconds(2)) { !$0.isRunning(0) && !$0.isRunning(1) }
    }
  }

  @Test func `who was away when a start began is told who is not ready`() throws {
    var limits = Limits()
    // Whoever comes back gets the session's state in place of the events.
    limits.retainedEvents = 1
    var stage = ParticipantStage(limits: limits)
    for (name, delay) in [("Ann", 10), ("Bob", 10), ("Cid", 400)] {
      stage.add(name, delay: .milliseconds(delay))
    }
    try stage.gather()
    let cid = try #require(stage.members[2].participant.participantID)
    let known = stage.updates(of: 1).count
    stage.cut(1)
    stage.ask(.playback(nil, .play(film)), by: 0)
    try stage.wait(atMost: .seconds(2)) {
      $0.members[1].participant.session?.playback.isReadyToPlay(cid) == false
    }
    #expect(stage.updates(of: 1).dropFirst(known).contains(.roster(.changed(cid))))
  }

  @Test func `play, pause and seek have one outcome and reach everyone`() throws {
    var stage = stage()
    try stage.gather()
    stage.ask(.playback(nil, .play(film)), by: 0, tag: 1)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
    stage.ask(.playback(nil, .seek(film, to: .seconds(600))), by: 1, tag: 2)
    stage.run(for: .seconds(3))
    #expect(stage.spread(of: [0, 1]) < .milliseconds(20))
    stage.ask(.playback(nil, .pause(film)), by: 0, tag: 3)
    try stage.wait(atMost: .seconds(2)) { !$0.isRunning(0) && !$0.isRunning(1) }
    stage.run(for: .seconds(2))
    #expect(stage.spread(of: [0, 1]) == .zero)
    for (member, tag) in [(0, 1), (1, 2), (0, 3)] {
      #expect(stage.outcomes(of: member, tag: tag).count == 1)
    }
    let notices = stage.updates(of: 1).compactMap {
      if case .notice(let notice) = $0 { notice.description } else { nil }
    }
    #expect(notices.contains("Ann pressed play"))
    #expect(notices.contains("Bob went to 10:00"))
    #expect(notices.contains("Ann paused"))
  }

  @Test func `who says what of whose being ready is a notice and a change of people`() throws {
    var stage = stage()
    try stage.gather()
    let ann = try #require(stage.members[0].participant.participantID)
    stage.ask(.setReadyToStart(nil, true), by: 1, tag: 1)
    stage.ask(.setReadyToStart(nil, false, of: ann), by: 1, tag: 2)
    stage.ask(.setReadyToStart(nil, false, of: ann), by: 1, tag: 3)
    stage.run(for: .seconds(2))
    for tag in 1...3 { #expect(stage.outcomes(of: 1, tag: tag).count == 1) }
    let notices = stage.updates(of: 0).compactMap {
      if case .notice(let notice) = $0 { notice.description } else { nil }
    }
    #expect(notices.suffix(2) == ["Bob is ready", "Bob set Ann as not ready"])
    #expect(stage.updates(of: 0).contains(.roster(.changed(ann))))
    #expect(stage.members[0].participant.session?.participants[ann]?.isReadyToStart == false)
  }

  @Test func `what an app wants right after joining waits until the player has the item`() throws {
    var stage = stage()
    for member in [0, 1] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.activate(Activation(ParticipantStage.film)), by: 0)
    try stage.wait { $0.members.allSatisfy { $0.participant.offer != nil } }
    let offer = try #require(stage.members[0].participant.offer)
    for member in [0, 1] { stage.ask(.join(offer.session, handoffFrom: nil), by: member) }
    stage.ask(.playback(offer.session, .seek(film, to: .seconds(60))), by: 0, tag: 1)
    stage.ask(.playback(offer.session, .play(film)), by: 0, tag: 2)
    try stage.wait(atMost: .seconds(5)) { $0.isRunning(0) && $0.isRunning(1) }
    for tag in [1, 2] {
      guard case .answered? = stage.outcomes(of: 0, tag: tag).first else {
        Issue.record("\(stage.outcomes(of: 0, tag: tag))")
        continue
      }
    }
  }

  @Test func `what an app wants of an item that cannot be played is refused, not kept`() throws {
    var stage = stage()
    try stage.gather()
    let other = GroupSessions.GroupActivity(
      type: "watch", payload: ParticipantStage.film.payload,
      metadata: GroupActivityMetadata(title: "Other"), media: MediaItem(url: "other.mp4"))
    stage.ask(.setActivity(nil, other, ifRevision: nil), by: 1)
    try stage.wait { $0.members[0].item == ItemID("other.mp4") }
    stage.ask(.playback(nil, .play(ItemID("other.mp4"))), by: 0, tag: 1)
    #expect(stage.outcomes(of: 0, tag: 1).isEmpty)
    stage.feed(.player(.failed(reason: "no codec"), of: ItemID("other.mp4")), to: 0)
    stage.run(for: .seconds(1))
    guard case .failed(.refused(let error))? = stage.outcomes(of: 0, tag: 1).first else {
      Issue.record("\(stage.outcomes(of: 0, tag: 1))")
      return
    }
    #expect(error.code == .staleItem)
  }

  @Test func `a join of what is only staged is refused, and the offer stays`() throws {
    var stage = stage()
    for member in [0, 1] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.stage(Activation(ParticipantStage.film)), by: 0)
    try stage.wait { $0.members[1].participant.offer?.isStaged == true }
    let id = try #require(stage.members[1].participant.offer?.session)
    stage.ask(.join(id, handoffFrom: nil), by: 1, tag: 1)
    guard case .failed(.refused(let error))? = stage.outcomes(of: 1, tag: 1).first else {
      Issue.record("it was taken")
      return
    }
    #expect(error.code == .notActivated && stage.invalidations(of: 1) == [])
    stage.ask(.activateStaged(id), by: 1)
    try stage.wait { $0.members[1].participant.offer?.isStaged == false }
    stage.ask(.join(id, handoffFrom: nil), by: 1, tag: 2)
    try stage.wait { $0.members[1].participant.session?.id == id }
  }

  @Test func `a person's key at one player moves everyone`() throws {
    var stage = stage()
    try stage.gather()
    stage.press(.play, by: 1)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
    stage.run(for: .seconds(2))
    stage.press(.pause, by: 0)
    try stage.wait(atMost: .seconds(2)) { !$0.isRunning(0) && !$0.isRunning(1) }
    stage.run(for: .seconds(2))
    #expect(stage.spread(of: [0, 1]) == .zero)
  }

  @Test func `a person's speed at one player is everyone's`() throws {
    var stage = stage()
    try stage.gather()
    stage.press(.play, by: 1)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
    stage.run(for: .seconds(1))
    stage.press(.rate(1.5), by: 1)
    stage.run(for: .seconds(4))
    for member in [0, 1] { #expect(stage.members[member].player?.rate == 1.5) }
    #expect(stage.spread(of: [0, 1]) <= .milliseconds(5))
  }

  @Test func `edge 16: who joins the group later is offered the live session, and is not in it`()
    throws
  {
    var stage = stage()
    try stage.gather()
    let cid = stage.add("Cid")
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[cid].participant.offer != nil }
    stage.run(for: .seconds(5))
    #expect(stage.members[cid].participant.session == nil)
    #expect(stage.members[0].participant.session?.participants.count == 2)
  }

  @Test func `edge 17: leaving twice, and after the end, sends one leave`() throws {
    var stage = stage()
    try stage.gather()
    let session = stage.sessionID
    stage.ask(.leave(session), by: 1, tag: 1)
    stage.ask(.leave(session), by: 1, tag: 2)
    stage.run(for: .seconds(1))
    stage.ask(.leave(session), by: 1, tag: 3)
    stage.run(for: .seconds(1))
    let leaves = stage.requests(of: 1).filter { if case .leave = $0 { true } else { false } }
    #expect(leaves.count == 1)
    #expect(stage.invalidations(of: 1) == [.left])
    for tag in 1...3 { #expect(stage.outcomes(of: 1, tag: tag).count == 1) }
    #expect(stage.members[0].participant.session?.participants.count == 1)
    guard
      case .session(_, .invalidated)? = stage.members[1].updates.last(where: {
        if case .session = $0.update { true } else { false }
      })?.update
    else {
      Issue.record("something was told after the invalidation")
      return
    }
  }

  @Test func `edge 17: leaving while joining sends one leave once the join is answered`() throws {
    var stage = stage()
    try stage.gather()
    let cid = stage.add("Cid", delay: .milliseconds(80))
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[cid].participant.offer != nil }
    let session = stage.sessionID
    let id = try #require(session)
    stage.ask(.join(id, handoffFrom: nil), by: cid, tag: 1)
    stage.run(for: .milliseconds(20))
    stage.ask(.leave(id), by: cid, tag: 2)
    stage.run(for: .seconds(2))
    let leaves = stage.requests(of: cid).filter { if case .leave = $0 { true } else { false } }
    #expect(leaves.count == 1)
    #expect(stage.invalidations(of: cid) == [.left])
    #expect(stage.outcomes(of: cid, tag: 1) == [.failed(.invalidated(.left))])
    #expect(stage.outcomes(of: cid, tag: 2).count == 1)
    #expect(stage.members[0].participant.session?.participants.count == 2)
  }

  @Test func `a dismissed offer is declined once`() throws {
    var stage = stage()
    for member in [0, 1] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    stage.run(for: .seconds(1))
    stage.ask(.activate(Activation(ParticipantStage.film)), by: 0)
    try stage.wait { $0.members[1].participant.offer != nil }
    let id = try #require(stage.members[1].participant.offer?.session)
    stage.ask(.decline(id), by: 1, tag: 1)
    stage.ask(.decline(id), by: 1, tag: 2)
    stage.run(for: .seconds(1))
    let declines = stage.requests(of: 1).filter { $0 == .decline(id) }
    #expect(declines.count == 1)
    #expect(stage.invalidations(of: 1) == [.declined])
    for tag in 1...2 { #expect(stage.outcomes(of: 1, tag: tag).count == 1) }
  }

  @Test func `ending is for all, with the one who did it`() throws {
    var stage = stage()
    try stage.gather()
    let bob = try #require(stage.members[1].participant.participantID)
    stage.ask(.end(nil), by: 1, tag: 1)
    stage.run(for: .seconds(1))
    #expect(stage.invalidations(of: 0) == [.ended(.endedBy(bob))])
    #expect(stage.invalidations(of: 1) == [.ended(.endedBy(bob))])
    #expect(stage.outcomes(of: 1, tag: 1).count == 1)
    #expect(!stage.isRunning(0))
  }

  @Test func `a removed participant hears by whom`() throws {
    var stage = stage()
    try stage.gather()
    let ann = try #require(stage.members[0].participant.participantID)
    let bob = try #require(stage.members[1].participant.participantID)
    stage.ask(.remove(nil, bob, isBanned: true), by: 0)
    stage.run(for: .seconds(1))
    #expect(stage.invalidations(of: 1) == [.removed(by: ann, isBanned: true)])
    #expect(stage.invalidations(of: 0) == [])
  }

  @Test func `a replaced session ends, and its successor is offered`() throws {
    var stage = stage()
    try stage.gather()
    var other = ParticipantStage.film
    other.media = MediaItem(item: ItemID("other"), url: "other.mp4")
    stage.ask(.activate(Activation(other, ifBusy: .replace)), by: 1, tag: 1)
    stage.run(for: .seconds(1))
    for member in [0, 1] {
      guard case .ended(.replaced(by: _))? = stage.invalidations(of: member).first else {
        Issue.record("\(stage.invalidations(of: member))")
        return
      }
      #expect(stage.members[member].participant.offer?.activity.media?.item == ItemID("other"))
    }
  }

  @Test func `edge 28: an activity set while waiting is refused here`() throws {
    var stage = stage()
    for member in [0, 1] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    stage.run(for: .seconds(1))
    stage.ask(.activate(Activation(ParticipantStage.film)), by: 0)
    try stage.wait { $0.members[1].participant.offer != nil }
    stage.ask(.setActivity(nil, ParticipantStage.film, ifRevision: nil), by: 1, tag: 1)
    #expect(stage.outcomes(of: 1, tag: 1) == [.failed(.notJoined)])
  }

  @Test func `another activity is opened by everyone and plays on together`() throws {
    var stage = stage()
    try stage.gather()
    var other = ParticipantStage.film
    other.media = MediaItem(item: ItemID("other"), url: "other.mp4")
    stage.ask(.setActivity(nil, other, ifRevision: nil), by: 1)
    try stage.wait(atMost: .seconds(3)) { stage in
      stage.members.allSatisfy {
        guard let me = $0.participant.participantID else { return false }
        return $0.participant.session?.playback.participants[me]?.item == ItemID("other")
      }
    }
    stage.ask(.playback(nil, .play(ItemID("other"))), by: 0)
    try stage.wait(atMost: .seconds(3)) { $0.isRunning(0) && $0.isRunning(1) }
    let loads = stage.members[0].orders.filter { if case .load = $0.order { true } else { false } }
    #expect(loads.count == 2)
  }

  @Test func `messages reach the others once, and drafts before the join go out with it`() throws {
    var stage = stage()
    try stage.gather()
    let note = JSONText(validated: "\"hi\"")
    stage.ask(.send(nil, note, to: .all), by: 0)
    stage.run(for: .seconds(1))
    func notes(_ member: Int) -> Int {
      stage.updates(of: member).count {
        if case .message(note, _, _, _) = $0 { true } else { false }
      }
    }
    #expect(notes(1) == 1)
    #expect(notes(0) == 0)
    let cid = stage.add("Cid")
    stage.ask(.joinGroup(GroupID("room")), by: cid)
    try stage.wait { $0.members[cid].participant.offer != nil }
    let id = try #require(stage.sessionID)
    stage.ask(.join(id, handoffFrom: nil), by: cid)
    stage.ask(.send(nil, note, to: .all), by: cid, tag: 5)
    stage.run(for: .seconds(1))
    #expect(notes(0) == 1)
    #expect(notes(1) == 2)
    #expect(stage.outcomes(of: cid, tag: 5).count == 1)
  }

  @Test func `preparing an activity tells alone from not at all`() throws {
    var stage = stage()
    let film = ParticipantStage.film
    #expect(
      stage.members[0].participant.adviseActivation(of: film)
        == .disabled(.notEligible(.notConnected)))
    for member in [0, 1] { stage.ask(.joinGroup(GroupID("room")), by: member) }
    stage.run(for: .seconds(1))
    #expect(stage.members[0].participant.adviseActivation(of: film) == .ask)
    stage.feed(.setSharing(.never, activityType: "watch"), to: 0)
    #expect(stage.members[0].participant.adviseActivation(of: film) == .disabled(.neverShares))
    stage.feed(.setSharing(.always, activityType: "watch"), to: 0)
    #expect(stage.members[0].participant.adviseActivation(of: film) == .preferred)
    try stage.gather()
    let id = try #require(stage.sessionID)
    #expect(stage.members[0].participant.adviseActivation(of: film) == .alreadyIn(id))
    var other = film
    other.payload = JSONText(validated: "{\"part\":2}")
    #expect(stage.members[0].participant.adviseActivation(of: other) == .update(id))
    #expect(ShareChoice.cancel.consequence.decision == .cancelled)
    #expect(
      ShareChoice.onlyMe(remembers: true).consequence.decision == .activationDisabled(.onlyMe))
  }
}
