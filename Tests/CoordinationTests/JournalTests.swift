import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// The journal's door: order, waiting, and somebody who was first.
@Suite struct JournalTests {
  @Test func `peers hear of nothing that is not kept yet`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.forget()
    stage.isHeld = true
    let request = stage.post(.setControl(nil, .hostsOnly), from: "ann")
    #expect(stage.inbox("ann").isEmpty && stage.inbox("bob").isEmpty)
    #expect(stage.session(id)?.control == .everyone)
    stage.release()
    #expect(stage["ann"].answers[request] == [.success(.done(seq: stage.session(id)?.seq))])
    #expect(stage.events("bob").count == 1)
  }

  @Test func `an aggregate has one append in flight, and what waits goes in order`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.isHeld = true
    for number in 1...3 {
      stage.post(.send(nil, JSONText(validated: "\(number)"), to: .all), from: "ann")
    }
    #expect(stage.held.count == 1)
    stage.release()
    let messages = stage.events("bob").compactMap {
      if case .messageSent(let text, _, _) = $0 { text.text } else { nil }
    }
    #expect(messages == ["1", "2", "3"])
    #expect(stage.session(id)?.seq == stage["bob"].mirror?.seq)
  }

  @Test func `too much waiting is refused, but losses and ends are not`() throws {
    var limits = Limits()
    limits.pendingCommands = 2
    var (stage, id) = try Stage.watching(["ann", "bob"], limits: limits)
    stage.isHeld = true
    for _ in 0..<3 { stage.post(.send(nil, JSONText(validated: "1"), to: .all), from: "ann") }
    let refusal = try stage.refusal("ann", .leave(nil))
    #expect(refusal.code == .busy)
    #expect(refusal.retryAfter != nil)
    stage.disconnect("bob")
    stage.isHeld = false
    stage.release()
    #expect(stage.session(id)?.lost.count == 1)
  }

  @Test func `a join refused as busy leaves no trace`() throws {
    var limits = Limits()
    limits.pendingCommands = 2
    var stage = Stage(limits: limits)
    try stage.gather(["ann", "bob", "cat"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    stage.isHeld = true
    for _ in 0..<2 { stage.post(.send(nil, JSONText(validated: "1"), to: .all), from: "ann") }
    #expect(try stage.refusal("bob", .join(id, handoffFrom: nil)).code == .busy)
    #expect(stage.coordinator.groups.seats["bob"]?.session == nil)
    stage.isHeld = false
    stage.release()
    try stage.join("bob", id)
  }

  @Test func `while a journal is slow, deadlines do not spin`() throws {
    var (stage, _) = try Stage.watching(["ann", "bob"])
    stage.disconnect("bob")
    stage.isHeld = true
    stage.advance(Limits().resumeGrace + .seconds(5))
    #expect(stage.held.joined().count == 2)
    stage.isHeld = false
    stage.release()
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members.count == 1)
  }

  /// Two nodes serve one session over one journal, and the slower one takes the other's events in.
  @Test func `somebody was first: the loser takes the events in and decides again`() throws {
    var (one, id) = try Stage.watching(["ann", "bob"])
    var two = one  // The same connections on another node, over the same journal.
    try one.ask("ann", .setActivity(nil, Stage.movie("one"), ifRevision: nil))
    let late = try two.refusal("bob", .setActivity(nil, Stage.movie("two"), ifRevision: 1))
    #expect(late.code == .conflict)
    #expect(late.revision == 2)
    #expect(two.losses == 1)
    #expect(two.session(id)?.activity == Stage.movie("one"))
    try two.ask("bob", .setActivity(nil, Stage.movie("two"), ifRevision: 2))
    // The first node learns of it the same way.
    try one.ask("ann", .send(nil, JSONText(validated: "1"), to: .all))
    #expect(one.losses == 1)
    let events = try #require(one.journal.streams[.session(id)])
    #expect(one.session(id) == GroupSession(replaying: events, id: id))
    #expect(two.session(id) == GroupSession(replaying: events.dropLast(), id: id))
    one.checkMirrors()
    two.checkMirrors()
  }

  @Test func `two nodes open one group, and it is one`() throws {
    let journal = SharedJournal()
    var one = Stage(seed: 1, journal: journal)
    var two = Stage(seed: 2, journal: journal)
    one.connect(as: "ann")
    two.connect(as: "bob")
    try one.ask("ann", .joinGroup("g"))
    try two.ask("bob", .joinGroup("g"))
    #expect(two.losses == 1)
    #expect(two.coordinator.groups.rooms.groups["g"]?.group?.founder == "ann")
    try one.ask("ann", .setSharing(false))
    #expect(one.losses == 1)
    try two.ask("bob", .setSharing(false))
    try one.ask("ann", .setSharing(true))
    try two.ask("bob", .setSharing(true))
    let events = try #require(journal.streams[.group("g")])
    #expect(two.coordinator.groups.rooms.groups["g"]?.group == Group(replaying: events, id: "g"))
    #expect(
      two.coordinator.groups.rooms.groups["g"]?.group?.members.keys.sorted() == ["ann", "bob"])
  }

  @Test func `a random duel of two nodes ends with equal values`() throws {
    for seed in 1...20 {
      var (one, id) = try Stage.watching(["ann", "bob"])
      var two = one
      var verbs = RandomVerbs(random: SplitMix64(seed: UInt64(seed)))
      for _ in 0..<60 {
        let name = JSONText(validated: "\(verbs.random.next())")
        let request: Request =
          switch Int.random(in: 0..<4, using: &verbs.random) {
          case 0: .send(nil, name, to: .all)
          case 1: .queue(nil, .insert([Stage.media("x")], at: .next))
          case 2: .queue(nil, .next())
          default: .playback(nil, .transition(to: verbs.pick(["film", "x", nil])))
          }
        if verbs.chance(50) {
          one.post(request, from: "ann")
        } else {
          two.post(request, from: "bob")
        }
      }
      // The last word of each takes in what the other one said.
      try one.ask("ann", .send(nil, JSONText(validated: "0"), to: .all))
      try two.ask("bob", .send(nil, JSONText(validated: "0"), to: .all))
      let events = try #require(one.journal.streams[.session(id)])
      #expect(two.session(id) == GroupSession(replaying: events, id: id), "seed \(seed)")
      #expect(one.session(id) == GroupSession(replaying: events.dropLast(), id: id))
      #expect(one.losses > 0 && two.losses > 0)
      one.checkMirrors()
      two.checkMirrors()
    }
  }
}
