import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary

@Suite struct QueueTests {
  /// A session on `a`, with `b` and `c` behind it.
  private func scene(_ more: [String] = ["b", "c"]) throws -> Scene {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.queue(.insert(more.map(Scene.media), at: .end), by: "ann"))
    return scene
  }

  private func items(_ scene: Scene) -> [String] {
    scene.session.queue.entries.map(\.media.item.text)
  }

  private func current(_ scene: Scene) -> String? {
    scene.session.queue.currentEntry?.media.item.text
  }

  private func entry(_ item: ItemID, _ scene: Scene) throws -> EntryID {
    try #require(scene.session.queue.entries.first { $0.media.item == item }).id
  }

  @Test func `the activity's media is the first entry and is on`() throws {
    let scene = try scene()
    #expect(items(scene) == ["a", "b", "c"])
    #expect(current(scene) == "a")
  }

  @Test func `next inserts right behind what is on, in the given order`() throws {
    var scene = try scene()
    try scene.run(.queue(.insert([Scene.media("x"), Scene.media("y")], at: .next), by: "bob"))
    #expect(items(scene) == ["a", "x", "y", "b", "c"])
    #expect(scene.session.queue.entries[1].addedBy == "bob")
  }

  @Test func `an entry moves behind another, and nowhere behind itself`() throws {
    var scene = try scene()
    try scene.run(.queue(.move(entry("c", scene), to: .next), by: "ann"))
    #expect(items(scene) == ["a", "c", "b"])
    try scene.run(.queue(.move(entry("a", scene), to: .end), by: "ann"))
    #expect(items(scene) == ["c", "b", "a"])
    #expect(current(scene) == "a")
    #expect(try scene.run(.queue(.move(entry("a", scene), to: .end), by: "ann")).isEmpty)
    #expect(scene.rejection(.queue(.move("e99", to: .end), by: "ann")) == .unknownEntry)
    #expect(
      scene.rejection(.queue(.insert([Scene.media("z")], at: .after("e99")), by: "ann"))
        == .unknownEntry)
  }

  @Test func `taking away what is on goes on to what follows`() throws {
    var scene = try scene()
    try scene.run(.queue(.remove(entry("a", scene)), by: "ann"))
    #expect(items(scene) == ["b", "c"])
    #expect(current(scene) == "b")
    #expect(scene.session.activity.media?.item == "b")
    #expect(scene.session.revision == 2)
  }

  @Test func `taking away the last one that is on leaves it on, in no entry`() throws {
    var scene = try scene()
    try scene.run(.queue(.select(entry("c", scene)), by: "ann"))
    try scene.run(.queue(.remove(entry("c", scene)), by: "ann"))
    #expect(current(scene) == nil)
    #expect(scene.session.activity.media?.item == "c")
    #expect(scene.session.queue.upNext == nil)
    try scene.run(.queue(.previous(), by: "ann"))
    #expect(current(scene) == "b")
  }

  @Test func `taking away another entry leaves what is on`() throws {
    var scene = try scene()
    try scene.run(.queue(.remove(entry("b", scene)), by: "ann"))
    #expect(items(scene) == ["a", "c"])
    #expect(current(scene) == "a")
    #expect(scene.session.revision == 1)
  }

  @Test func `next and previous stop at the ends and go round only where all repeats`() throws {
    var scene = try scene(["b"])
    #expect(scene.rejection(.queue(.previous(), by: "ann")) == .noSuchNeighbour)
    try scene.run(.queue(.next(), by: "ann"))
    #expect(current(scene) == "b")
    #expect(scene.rejection(.queue(.next(), by: "ann")) == .noSuchNeighbour)
    try scene.run(.queue(.setRepeat(.all), by: "ann"))
    try scene.run(.queue(.next(), by: "ann"))
    #expect(current(scene) == "a")
    try scene.run(.queue(.previous(), by: "ann"))
    #expect(current(scene) == "b")
  }

  @Test func `two who press next at once go one step, and so back`() throws {
    var scene = try scene()
    let first = try entry("a", scene)
    try scene.run(.queue(.next(from: first), by: "ann"))
    #expect(try scene.run(.queue(.next(from: first), by: "bob")) == [])
    #expect(current(scene) == "b")
    let second = try entry("b", scene)
    try scene.run(.queue(.previous(from: second), by: "bob"))
    #expect(try scene.run(.queue(.previous(from: second), by: "ann")) == [])
    #expect(current(scene) == "a")
    try scene.run(.queue(.select(entry("c", scene)), by: "ann"))
    #expect(try scene.run(.queue(.next(from: second), by: "bob")) == [])
    try scene.run(.queue(.previous(from: second), by: "bob"))
    #expect(current(scene) == "a")
    #expect(scene.rejection(.queue(.next(from: "gone"), by: "bob")) == .unknownEntry)
    let third = try entry("c", scene)
    #expect(scene.rejection(.queue(.next(from: third), by: "bob")) == .noSuchNeighbour)
  }

  @Test func `clear keeps what is on`() throws {
    var scene = try scene()
    try scene.run(.queue(.select(entry("b", scene)), by: "ann"))
    try scene.run(.queue(.clear, by: "ann"))
    #expect(items(scene) == ["b"])
    #expect(try scene.run(.queue(.clear, by: "ann")).isEmpty)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a shuffle keeps what is on in front and all others, and can be undone`(_ seed: UInt64)
    throws
  {
    var scene = try scene(["b", "c", "d", "e"])
    try scene.run(.queue(.select(entry("c", scene)), by: "ann"))
    try scene.run(.queue(.shuffle(seed: seed), by: "ann"))
    #expect(items(scene).first == "c")
    #expect(items(scene).sorted() == ["a", "b", "c", "d", "e"])
    try scene.run(.queue(.insert([Scene.media("f")], at: .next), by: "ann"))
    try scene.run(.queue(.shuffle(seed: seed &+ 1), by: "ann"))
    try scene.run(.queue(.unshuffle, by: "ann"))
    #expect(items(scene) == ["a", "b", "c", "d", "e", "f"])
    #expect(try scene.run(.queue(.unshuffle, by: "ann")).isEmpty)
  }

  @Test func `two entries can be shuffled, one cannot`() throws {
    var scene = try scene(["b"])
    try scene.run(.queue(.next(), by: "ann"))
    try scene.run(.queue(.shuffle(seed: 1), by: "ann"))
    #expect(items(scene) == ["b", "a"])
    var alone = try self.scene([])
    #expect(try alone.run(.queue(.shuffle(seed: 1), by: "ann")).isEmpty)
  }

  @Test func `the same film twice is two entries`() throws {
    var scene = try scene(["a"])
    try play("a", &scene)
    try scene.run(.queue(.next(), by: "ann"))
    #expect(scene.session.queue.current == "e2")
    #expect(scene.session.queue.currentEntry?.media.item == "a")
    guard case .preparing(let barrier) = scene.session.playback.timelines["a"]?.phase else {
      throw SessionRejection.notActivated
    }
    #expect(barrier.from == .zero)
  }

  @Test func `a full queue says so, and still takes what stands in it`() throws {
    var scene = try scene()
    scene.limits.queueEntries = 3
    let full = SessionRejection.queueFull(limit: 3)
    #expect(scene.rejection(.queue(.insert([Scene.media("x")], at: .end), by: "ann")) == full)
    #expect(
      scene.rejection(.setActivity(Scene.movie("x"), ifRevision: nil, by: "ann")) == full)
    try scene.run(.setActivity(Scene.movie("b"), ifRevision: nil, by: "ann"))
    #expect(current(scene) == "b")
    #expect(items(scene) == ["a", "b", "c"])
  }

  @Test func `an activity without media leaves no entry on`() throws {
    var scene = try scene()
    var game = Scene.movie("game")
    game.media = nil
    try scene.run(.setActivity(game, ifRevision: nil, by: "ann"))
    #expect(current(scene) == nil)
    #expect(items(scene) == ["a", "b", "c"])
  }

  // MARK: Going on

  private func play(_ item: ItemID, _ scene: inout Scene) throws {
    for id in ["ann", "bob"] as [ParticipantID] {
      try scene.run(
        .playback(.transition(to: item, duration: .seconds(100)), by: id))
    }
    try scene.run(.playback(.play(item, immediately: true), by: "ann"))
  }

  @Test func `an item that ends is followed exactly once`() throws {
    var scene = try scene()
    try play("a", &scene)
    let events = try scene.advance(.seconds(101))
    #expect(events.filter { if case .queue(.selected, _) = $0 { true } else { false } }.count == 1)
    #expect(current(scene) == "b")
    #expect(scene.session.activity.media?.item == "b")
    #expect(scene.session.playback.participants["bob"]?.item == "b")
    #expect(try scene.run(.clockAdvanced).isEmpty)
    #expect(current(scene) == "b")
  }

  @Test func `an item of unknown length is followed once most report its end`() throws {
    var scene = try scene()
    for id in ["ann", "bob"] as [ParticipantID] {
      try scene.run(.playback(.transition(to: "a"), by: id))
    }
    try scene.run(.playback(.play("a", immediately: true), by: "ann"))
    let seq = try #require(scene.session.playback.timelines["a"]).seq
    try scene.run(.playback(.reportEnd("a", seq: seq), by: "ann"))
    #expect(current(scene) == "a")
    try scene.run(.playback(.reportEnd("a", seq: seq), by: "bob"))
    #expect(current(scene) == "b")
  }

  @Test func `an item whose end others' changes share is followed, too`() throws {
    var scene = try scene()
    try scene.join("cat")
    try play("a", &scene)
    // Somebody is on another film that is about to start in the same moment.
    try scene.run(.playback(.transition(to: "z", duration: .seconds(500)), by: "cat"))
    _ = try scene.advance(.seconds(95))
    try scene.run(.playback(.play("z"), by: "cat"))
    _ = try scene.advance(.seconds(30))
    #expect(current(scene) == "b")
  }

  @Test func `an item that a new description ends is followed, too`() throws {
    var scene = try scene()
    try play("a", &scene)
    _ = try scene.advance(.seconds(50))
    var activity = scene.session.activity
    activity.media?.duration = .seconds(40)
    try scene.run(.setActivity(activity, ifRevision: nil, by: "ann"))
    #expect(current(scene) == "b")
  }

  @Test func `a clip too short to be seen does not go round`() throws {
    var scene = try scene([])
    try scene.run(.queue(.setRepeat(.one), by: "ann"))
    try scene.run(.playback(.transition(to: "a", duration: .milliseconds(999)), by: "ann"))
    try scene.run(.playback(.play("a", immediately: true), by: "ann"))
    #expect(scene.session.playback.timelines["a"]?.duration == nil)
    #expect(scene.session.nextDeadline == nil)
    #expect(try scene.advance(.seconds(100)) == [])
  }

  @Test func `repeat one goes on with the same, repeat all from the start`() throws {
    var scene = try scene(["b"])
    try scene.run(.queue(.setRepeat(.one), by: "ann"))
    try play("a", &scene)
    _ = try scene.advance(.seconds(101))
    #expect(current(scene) == "a")
    try scene.run(.queue(.setRepeat(.all), by: "ann"))
    try scene.run(.queue(.next(), by: "ann"))
    try play("b", &scene)
    _ = try scene.advance(.seconds(201))
    #expect(current(scene) == "a")
  }

  @Test func `nothing follows where advancing is off, or nothing is left`() throws {
    var scene = try scene(["b"])
    try scene.run(.queue(.setAutoAdvance(false), by: "ann"))
    try play("a", &scene)
    _ = try scene.advance(.seconds(101))
    #expect(current(scene) == "a")
    try scene.run(.queue(.next(), by: "ann"))
    try scene.run(.queue(.setAutoAdvance(true), by: "ann"))
    try play("b", &scene)
    _ = try scene.advance(.seconds(101))
    #expect(current(scene) == "b")
    guard case .ended = scene.session.playback.timelines["b"]?.phase else {
      throw SessionRejection.notActivated
    }
  }

  @Test func `previous and select stay paused while nothing runs`() throws {
    var scene = try scene()
    try scene.run(.playback(.transition(to: "a"), by: "ann"))
    try scene.run(.queue(.next(), by: "ann"))
    #expect(scene.session.playback.timelines["b"]?.phase == .paused(at: .zero))
    try scene.run(.queue(.previous(), by: "ann"))
    #expect(current(scene) == "a")
    #expect(scene.session.playback.timelines["a"]?.phase == .paused(at: .zero))
  }
}
