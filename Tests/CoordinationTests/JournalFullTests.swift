import GroupSessions
import Naming
import Playback
import ProtocolReading
import RightsTesting
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A journal that has reached its size.
@Suite struct JournalFullTests {
  /// Ann and Bob watch, and the journal is full.
  private static func full() throws -> (stage: Stage, session: SessionID) {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.handle(.journalFilled(true))
    return (stage, id)
  }

  @Test func `an evening goes on and ends`() throws {
    var (stage, _) = try Self.full()
    try stage.play("film", ["ann", "bob"])
    try stage.ask("bob", .playback(nil, .pause("film")))
    try stage.ask("ann", .playback(nil, .seek("film", to: .seconds(60))))
    try stage.ask("bob", .leave(nil))
    try stage.ask("ann", .end(nil))
    try stage.ask("bob", .leaveGroup)
    try stage.ask("ann", .closeGroup())
  }

  @Test func `what would stay is refused, and may be asked again when there is room`() throws {
    var (stage, _) = try Self.full()
    let send = Request.send(nil, JSONText(validated: "1"), to: .all)
    let request = stage.post(send, from: "ann")
    guard case .failure(let refusal)? = stage["ann"].answers[request]?.first else {
      Issue.record("nothing was refused")
      return
    }
    #expect(refusal.code == .journalFull && refusal.limit == Limits().journalSize)
    #expect(refusal.code.advice.contains("--journal-size"))
    stage.handle(.journalFilled(false))
    stage.say(.request(request, send), from: "ann")
    #expect(throws: Never.self) { try stage["ann"].answers[request]?.last?.get() }
  }

  @Test func `a status says what is in the way, as long as it is`() throws {
    var (stage, _) = try Self.full()
    var told: [String?] = []
    for obstacle in ["The journal is full.", nil] {
      stage.handle(.obstacle(obstacle))
      stage.post(.status(), from: "ann")
      for case .status(_, let report) in stage.inbox("ann").suffix(1) {
        told.append(report.obstacle)
      }
    }
    #expect(told == ["The journal is full.", nil])
  }

  @Test func `a lost device comes back, and a newcomer does not come in`() throws {
    var (stage, id) = try Self.full()
    stage.disconnect("bob")
    stage.resume("bob")
    #expect(stage.session(id)?.lost.isEmpty == true)
    stage.connect(as: "cat")
    #expect(try stage.refusal("cat", .joinGroup("g")).code == .journalFull)
  }

  @Test func `of every request, only those that grow the journal are refused`() throws {
    let make = try #require(RefusalScene.all["in the session, and wrong about everything"])
    for request in try make().requests {
      var scene = try make()
      scene.stage.handle(.journalFilled(true))
      let isRefused = scene.refusals(of: request) == [.journalFull]
      #expect(isRefused == (request.journalUse == .grows), "\(request)")
    }
  }
}

/// The levels of a journal's size.
@Suite struct JournalFillTests {
  private static let limits: Limits = {
    var limits = Limits()
    limits.journalSize = 10_000
    return limits
  }()

  @Test func `each level is told once, and again only after the size fell below it`() {
    var fill = JournalFill(Self.limits)
    let sizes = [
      100, 8_999, 9_000, 9_500, 8_900, 9_000, 8_400, 9_100, 10_000, 9_900, 10_100, 9_400,
    ]
    let told = sizes.map { fill.note($0) }
    #expect(
      told == [nil, nil, .scarce, nil, nil, nil, .ample, .scarce, .full, nil, nil, .scarce])
  }

  @Test func `a journal that stores nothing is never full`() {
    var limits = Limits()
    limits.journalSize = 1
    var fill = JournalFill(limits)
    #expect(fill.note(0) == nil)
  }

  @Test func `a journal that shrinks at once is ample at once`() {
    var fill = JournalFill(Self.limits)
    #expect(fill.note(20_000) == .full)
    #expect(fill.note(0) == .ample)
  }
}
