import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary

/// What would make a session larger than it may be.
@Suite struct SessionSizeTests {
  private static let long = String(repeating: "x", count: 1_000)

  private static func media(_ number: Int, in bytes: Int = 1_000) -> MediaItem {
    MediaItem(
      item: ItemID("item-\(number)"), url: String(repeating: "u", count: bytes))
  }

  private static func scene(
    sessionBytes: Int = 20_000, participantBytes: Int = 20_000
  ) throws -> Scene {
    var limits = Limits()
    limits.sessionBytes = sessionBytes
    limits.participantBytes = participantBytes
    var scene = Scene(limits: limits)
    try scene.join("ann")
    try scene.join("bob")
    return scene
  }

  /// Fills the queue up to the bound.
  private static func fill(_ scene: inout Scene) throws -> SessionRejection? {
    for number in 0..<1_000 {
      let command = SessionCommand.queue(.insert([media(number)], at: .end), by: "ann")
      if let rejection = scene.rejection(command) { return rejection }
      try scene.run(command)
    }
    return nil
  }

  @Test func `entries that make the session too large are refused, and name the queue`() throws {
    var scene = try Self.scene()
    #expect(try Self.fill(&scene) == .tooLarge(.queue, limit: 20_000))
    #expect(scene.session.size.content <= 20_000)
    #expect(scene.session.size.content > 18_000)
  }

  @Test func `a full session goes on playing, and takes who joins`() throws {
    var scene = try Self.scene()
    _ = try Self.fill(&scene)
    try scene.join("cat")
    try scene.run(.queue(.next(), by: "ann"))
    try scene.run(.playback(.transition(to: "item-1"), by: "ann"))
    try scene.run(.playback(.play("item-1"), by: "ann"))
    try scene.run(.queue(.setRepeat(.all), by: "bob"))
    try scene.run(.leave("cat"))
    for entry in ["e3", "e4", "e5"] as [EntryID] {
      try scene.run(.queue(.remove(entry), by: "bob"))
    }
    try scene.run(.queue(.insert([Self.media(99, in: 900)], at: .end), by: "ann"))
  }

  @Test func `an activity that makes the session too large is refused, and names itself`() throws {
    let scene = try Self.scene(sessionBytes: 8_000)
    var activity = Scene.movie("b")
    activity.payload = JSONText(validated: "\"\(String(repeating: "x", count: 8_000))\"")
    #expect(
      scene.rejection(.setActivity(activity, ifRevision: nil, by: "ann"))
        == .tooLarge(.activity, limit: 8_000))
    activity.payload = JSONText(validated: "1")
    activity.metadata.subtitle = String(repeating: "x", count: 8_000)
    #expect(
      scene.rejection(.setActivity(activity, ifRevision: nil, by: "ann"))
        == .tooLarge(.activity, limit: 8_000))
  }

  @Test func `interstitials of players' items count`() throws {
    var scene = try Self.scene(sessionBytes: 8_000)
    let ranges = (0..<64).map { number in
      InterstitialRange(
        start: MediaTime(microseconds: Int64(number) * 2_000_000),
        end: MediaTime(microseconds: Int64(number) * 2_000_000 + 1_000_000))
    }
    let breaks = try #require(Interstitials(ranges))
    var rejection: SessionRejection?
    for number in 0..<9 where rejection == nil {
      let command = SessionCommand.playback(
        .transition(to: ItemID("i\(number)"), interstitials: breaks), by: "ann")
      rejection = scene.rejection(command)
      if rejection == nil { try scene.run(command) }
    }
    #expect(rejection == .tooLarge(.timelines, limit: 8_000))
  }

  @Test func `people whom participants invite count`() throws {
    let scene = try Self.scene(sessionBytes: 8_000)
    let users = (0..<100).map { UserID("user-\($0)") }
    #expect(
      scene.rejection(.invite(users, lifetime: nil, by: "ann"))
        == .tooLarge(.invitations, limit: 8_000))
  }

  @Test func `participants count with their items and suspensions`() throws {
    var scene = try Self.scene(participantBytes: 2_000)
    let full = SessionRejection.tooLarge(.participants, limit: 2_000)
    #expect(
      scene.rejection(.playback(.transition(to: ItemID(Self.long + Self.long)), by: "ann")) == full)
    try scene.run(.playback(.transition(to: ItemID(Self.long)), by: "ann"))
    #expect(scene.rejection(.playback(.suspend(SuspensionReason(Self.long)), by: "ann")) == full)
    #expect(throws: full) { try scene.join("someone with a name \(Self.long)") }
    #expect(scene.rejection(.queue(.insert([Self.media(1)], at: .end), by: "ann")) == nil)
  }

  @Test func `everyone's next item counts for everyone`() throws {
    var scene = try Self.scene(participantBytes: 1_500)
    let items = ["a", Self.long].map { MediaItem(item: ItemID($0), url: "u") }
    try scene.run(.queue(.insert([items[1]], at: .end), by: "ann"))
    for name in ["ann", "bob"] as [ParticipantID] {
      try scene.run(.playback(.transition(to: "a"), by: name))
    }
    #expect(
      scene.rejection(.queue(.next(), by: "ann")) == .tooLarge(.participants, limit: 1_500))
  }

  /// It must not become longer than the bound by itself.
  @Test func `the next entry does not start by itself where there is no room for its name`() throws
  {
    for (bound, item) in [(1_500, "a"), (20_000, Self.long)] {
      var scene = try Self.scene(participantBytes: bound)
      let next = MediaItem(item: ItemID(Self.long), url: "u")
      try scene.run(.queue(.insert([next], at: .end), by: "ann"))
      for name in ["ann", "bob"] as [ParticipantID] {
        try scene.run(.playback(.transition(to: "a", duration: .seconds(60)), by: name))
      }
      try scene.run(.playback(.play("a", immediately: true), by: "ann"))
      scene.now = scene.now + .seconds(70)
      try scene.run(.clockAdvanced)
      #expect(scene.session.activity.media?.item == ItemID(item))
    }
  }
}
