import Coordination
import EventLoops
import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire
import WireTesting

@testable import Journals

/// What every journal does that keeps something: one in a file, and one in a real PostgreSQL server.
@Suite struct JournalConformanceTests {
  private static let start = JournalScene.start

  @Test(arguments: JournalScene.Keeper.allCases, 1...12 as ClosedRange<UInt64>)
  func `whatever happened, an opened journal holds what was kept`(
    _ keeper: JournalScene.Keeper, seed: UInt64
  ) throws {
    try JournalScene.run(on: keeper) { scene in
      var story = Story(seed: seed)
      for _ in 0..<4 {
        try scene.begin(at: story.now)
        try story.go(60, on: scene)
        try scene.close()
        let opened = try scene.opened(at: story.now)
        let latest = try #require(opened.contents.latest)
        #expect(latest <= story.now)
        #expect(opened.contents == story.expected(at: latest), "seed \(seed)")
      }
      #expect(scene.outcomes.allSatisfy { $0.outcome == .kept })
    }
  }

  /// Swift compares texts by Unicode equivalence, while a row's sum covers its exact bytes.
  @Test(arguments: JournalScene.Keeper.allCases)
  func `a name that its end spells in another way has a row that is sound`(
    _ keeper: JournalScene.Keeper
  ) throws {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin()
      scene.append(JournalScene.opening("caf\u{E9}"))
      scene.append(JournalScene.closing("cafe\u{301}", after: 1))
      scene.journal?.forget(.group("cafe\u{301}"))
      try scene.close()
      let verification = try scene.archive().verify()
      #expect(verification.isSound, "\(verification)")
      #expect(verification.streams == 1)
    }
  }

  @Test(arguments: JournalScene.Keeper.allCases)
  func `answers come in the order of the appends`(_ keeper: JournalScene.Keeper) throws {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin()
      let appends = (0..<100).map { JournalScene.opening("g\($0)") }
      for append in appends { scene.append(append) }
      try scene.settle()
      #expect(scene.outcomes.map(\.append) == appends)
      #expect(scene.complaints.isEmpty)
    }
  }

  @Test(arguments: JournalScene.Keeper.allCases)
  func `a batch of which one part cannot be kept is undone as a whole, and writing goes on`(
    _ keeper: JournalScene.Keeper
  )
    throws
  {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin()
      scene.append(JournalScene.opening("a"))
      try scene.settle()
      try scene.setFull(true, "INSERT", "event", when: "new.seq > 1")
      scene.append(JournalScene.opening("b"))
      scene.append(JournalScene.closing("a", after: 1))
      scene.append(JournalScene.opening("c"))
      try scene.settle()
      #expect(scene.outcomes.map(\.outcome) == [.kept, .failed, .failed, .failed])
      // A second failure is not reported again.
      scene.append(JournalScene.closing("a", after: 1))
      try scene.settle()
      #expect(scene.complaints.first??.contains("the disk is full") == true)
      try scene.setFull(false, "INSERT", "event")
      scene.append(JournalScene.opening("b"))
      scene.append(JournalScene.closing("a", after: 1))
      try scene.settle()
      #expect(scene.outcomes.suffix(2).allSatisfy { $0.outcome == .kept })
      #expect(scene.complaints.last == .some(nil))
      try scene.close()
      let contents = try scene.opened().contents
      #expect(contents.streams.map(\.aggregate) == [.group("a"), .group("b")])
      #expect(contents.streams.map(\.events.count) == [2, 1])
      #expect(contents.notices.isEmpty)
    }
  }

  @Test(arguments: JournalScene.Keeper.allCases)
  func `an end that could not be kept goes along with the next batch`(_ keeper: JournalScene.Keeper)
    throws
  {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin()
      scene.append(JournalScene.opening("a"))
      try scene.settle()
      try scene.setFull(true, "UPDATE", "stream")
      scene.append(JournalScene.closing("a", after: 1))
      scene.journal?.forget(.group("a"))
      try scene.settle()
      #expect(scene.outcomes.last?.outcome == .failed)
      try scene.setFull(false, "UPDATE", "stream")
      // The name begins a new stream.
      scene.append(JournalScene.opening("a"))
      try scene.settle()
      try scene.close()
      #expect(try scene.opened().contents.streams.map(\.events.count) == [1])
      #expect(try scene.archive().overview().streams.count == 2)
    }
  }

  @Test(arguments: JournalScene.Keeper.allCases)
  func `closing keeps what was taken in, and lets another server have it`(
    _ keeper: JournalScene.Keeper
  ) throws {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin()
      for number in 0..<10 { scene.append(JournalScene.opening("g\(number)")) }
      try scene.close()
      #expect(scene.outcomes.count == 10)
      #expect(try scene.opened().contents.streams.count == 10)
    }
  }

  @Test(arguments: JournalScene.Keeper.allCases)
  func `the answers of a device are as many as are remembered`(_ keeper: JournalScene.Keeper) throws
  {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin()
      var random = RandomValues(seed: 1)
      let device = AggregateID.device("tv")
      scene.append(
        Append(
          to: device, after: 0,
          [RecordedEvent(at: Self.start, event: .device(random.deviceEvent()))]))
      let answers = (1...10).map { number in
        RecordedAnswer(
          device: "tv", request: Int64(number), .answered(.done(seq: number)), number: number)
      }
      for answer in answers { scene.append(Append(to: device, after: 1, [], answer: answer)) }
      try scene.close()
      for remembered in [JournalScene.answers, 2] {
        let opened = try scene.opened(answers: remembered)
        let kept = try #require(opened.contents.streams.first?.answers)
        #expect(kept == AnswerMemory(answers.suffix(remembered)))
      }
    }
  }

  @Test func `one that keeps nothing answers in the order of the appends, too`() {
    let answers = AppendAnswers()
    let journal = MemoryJournal()
    journal.delegate = answers
    let appends = (0..<100).map { JournalScene.opening("g\($0)") }
    for append in appends { journal.append(append) }
    #expect(answers.kept == appends)
    journal.close()
  }

  @Test(arguments: JournalScene.Keeper.allCases)
  func `a second server is turned away`(_ keeper: JournalScene.Keeper) throws {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin()
      let error = #expect(throws: JournalError.self) { try scene.opened() }
      switch (keeper, error) {
      case (.sqlite, .inUse), (.postgresql, .served): break
      default: Issue.record("\(String(describing: error))")
      }
    }
  }

  @Test(arguments: JournalScene.Keeper.allCases)
  func `a stream may begin and end within one turn, and its name begins another`(
    _ keeper: JournalScene.Keeper
  ) throws {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin()
      var random = RandomValues(seed: 3)
      scene.append(JournalScene.opening("a"))
      scene.append(JournalScene.closing("a", after: 1))
      scene.journal?.snapshot(.group(random.group("a", seq: 2)))
      scene.journal?.forget(.group("a"))
      scene.append(JournalScene.opening("a"))
      scene.journal?.forget(.group("a"))
      scene.append(
        Append(
          to: .device("tv"), after: 0,
          [RecordedEvent(at: Self.start, event: .device(random.deviceEvent()))]))
      scene.append(
        Append(
          to: .device("tv"), after: 1, [],
          answer: RecordedAnswer(
            device: "tv", request: 1, .answered(.done(seq: 1)), number: 1)))
      scene.journal?.forget(.device("tv"))
      scene.append(JournalScene.opening("a"))
      try scene.close()
      #expect(try scene.opened().contents.streams.map(\.events.count) == [1])
      let archive = try scene.archive()
      #expect(try archive.verify().damage == [])
      let streams = try archive.overview().streams
      #expect(streams.map(\.events) == [2, 1, 1])
      #expect(streams.allSatisfy { $0.snapshot == nil })
    }
  }

  @Test(arguments: JournalScene.Keeper.allCases)
  func `old events and old streams go with later snapshots and ends`(
    _ keeper: JournalScene.Keeper
  ) throws {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin(retention: .seconds(10))
      var random = RandomValues(seed: 7)
      let group = GroupID("g")
      scene.append(JournalScene.opening("old"))
      scene.append(JournalScene.closing("old", after: 1))
      scene.journal?.forget(.group("old"))
      scene.append(JournalScene.opening("g"))
      for number in 1...3 {
        scene.append(
          Append(
            to: .group(group), after: number,
            [
              RecordedEvent(
                at: Self.start + .seconds(10 * number),
                event: .group(random.groupEvent("memberResumed")))
            ]))
      }
      scene.journal?.snapshot(.group(random.group(group, seq: 4)))
      scene.append(JournalScene.opening("new"))
      scene.append(JournalScene.closing("new", after: 1, at: Self.start + .seconds(60)))
      scene.journal?.forget(.group("new"))
      try scene.close()
      let overview = try scene.archive().overview()
      #expect(overview.streams.map(\.name) == ["g", "new"])
      #expect(overview.streams.first?.first == 3)
      #expect(overview.streams.first?.last == 4)
    }
  }
}

/// The appends that a journal has kept.
private final class AppendAnswers: JournalDelegate {
  private(set) var kept: [Append] = []

  func journal(
    _ journal: any Journal, didAppend append: Append, _ outcome: AppendOutcome,
    after time: Duration
  ) {
    if outcome == .kept { kept.append(append) }
  }

  func journal(_ journal: any Journal, isUnreachableBecause reason: String?) {}

  func journal(_ journal: any Journal, clockIsAheadBy difference: Duration?) {}

  func journal(_ journal: any Journal, isFailingWith reason: String?) {}

  func journalDidMeasure(_ journal: any Journal) {}

  func journalIsReplaced(_ journal: any Journal, because reason: String) {}
}

@available(*, unavailable)
extension AppendAnswers: Sendable {}
