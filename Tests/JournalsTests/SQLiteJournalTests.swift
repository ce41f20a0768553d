import Naming
import Coordination
import EventLoops
import Foundation
import GRDB
import GroupSessions
import Testing
import Vocabulary
import Wire
import WireTesting

@testable import Journals

/// A journal in a real file.
@Suite struct SQLiteJournalTests {
  private static let start = JournalScene.start

  private static func opening(_ name: String) -> Append {
    Append(
      to: .group(GroupID(name)), after: 0,
      [RecordedEvent(at: start, event: .group(.opened(by: "ann")))])
  }

  private static func closing(_ name: String, after seq: Int, at now: Instant = start) -> Append {
    Append(
      to: .group(GroupID(name)), after: seq, [RecordedEvent(at: now, event: .group(.closed))])
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `whatever happened, an opened file holds what was kept`(seed: UInt64) throws {
    try JournalScene.run { scene in
      var story = Story(seed: seed)
      for _ in 0..<4 {
        try scene.open(at: story.now)
        try story.go(60, on: scene)
        try scene.close()
        let file = try scene.read(at: story.now)
        let latest = try #require(file.contents.latest)
        #expect(latest <= story.now)
        #expect(file.contents == story.expected(at: latest), "seed \(seed)")
        #expect(try scene.files == ["journal.sqlite", "journal.sqlite-shm", "journal.sqlite-wal"])
      }
      #expect(scene.outcomes.allSatisfy { $0.outcome == .kept })
    }
  }

  /// Swift compares texts by Unicode equivalence, while a row's sum covers its exact bytes.
  @Test func `a name that its end spells in another way has a row that is sound`() throws {
    try JournalScene.run { scene in
      try scene.open()
      scene.append(Self.opening("caf\u{E9}"))
      scene.append(Self.closing("cafe\u{301}", after: 1))
      scene.journal?.forget(.group("cafe\u{301}"))
      try scene.close()
      let verification = try JournalArchive(scene.path).verify()
      #expect(verification.isSound, "\(verification)")
      #expect(verification.streams == 1)
    }
  }

  @Test func `answers come in the order of the appends`() throws {
    try JournalScene.run { scene in
      try scene.open()
      let appends = (0..<100).map { Self.opening("g\($0)") }
      for append in appends { scene.append(append) }
      try scene.settle()
      #expect(scene.outcomes.map(\.append) == appends)
      #expect(scene.complaints.isEmpty)
    }
  }

  @Test func `what a turn hands over is one transaction, and what comes meanwhile the next`() throws
  {
    try JournalScene.run { scene in
      let counter = CommitCounter()
      try scene.open().access.database.add(transactionObserver: counter, extent: .databaseLifetime)
      for number in 0..<100 { scene.append(Self.opening("g\(number)")) }
      try scene.settle()
      #expect(counter.commits == 1)
      scene.append(Self.closing("g0", after: 1))
      try scene.settle()
      #expect(counter.commits == 2)
    }
  }

  @Test func `a batch of which one part cannot be kept is undone as a whole, and writing goes on`()
    throws
  {
    try JournalScene.run { scene in
      let database = try scene.open().access.database
      scene.append(Self.opening("a"))
      try scene.settle()
      try database.write { database in
        try database.execute(
          sql: """
            CREATE TEMP TRIGGER full BEFORE INSERT ON event WHEN new.seq > 1
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
      }
      scene.append(Self.opening("b"))
      scene.append(Self.closing("a", after: 1))
      scene.append(Self.opening("c"))
      try scene.settle()
      #expect(scene.outcomes.map(\.outcome) == [.kept, .failed, .failed, .failed])
      // A second failure is not reported again.
      scene.append(Self.closing("a", after: 1))
      try scene.settle()
      #expect(scene.complaints.count == 1)
      #expect(scene.complaints.first??.contains("the disk is full") == true)
      try database.write { try $0.execute(sql: "DROP TRIGGER full") }
      scene.append(Self.opening("b"))
      scene.append(Self.closing("a", after: 1))
      try scene.settle()
      #expect(scene.outcomes.suffix(2).allSatisfy { $0.outcome == .kept })
      #expect(scene.complaints.count == 2 && scene.complaints.last == .some(nil))
      try scene.close()
      let contents = try scene.read().contents
      #expect(contents.streams.map(\.aggregate) == [.group("a"), .group("b")])
      #expect(contents.streams.map(\.events.count) == [2, 1])
      #expect(contents.notices.isEmpty)
    }
  }

  @Test func `an end that could not be kept goes along with the next batch`() throws {
    try JournalScene.run { scene in
      let database = try scene.open().access.database
      scene.append(Self.opening("a"))
      try scene.settle()
      try database.write { database in
        try database.execute(
          sql: """
            CREATE TEMP TRIGGER full BEFORE UPDATE ON stream
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
      }
      scene.append(Self.closing("a", after: 1))
      scene.journal?.forget(.group("a"))
      try scene.settle()
      #expect(scene.outcomes.last?.outcome == .failed)
      try database.write { try $0.execute(sql: "DROP TRIGGER full") }
      // The name begins a new stream.
      scene.append(Self.opening("a"))
      try scene.settle()
      try scene.close()
      #expect(try scene.read().contents.streams.map(\.events.count) == [1])
      #expect(try scene.fetch("SELECT count(*) FROM stream") == 2)
    }
  }

  @Test func `closing keeps what was taken in, and lets another server have the file`() throws {
    try JournalScene.run { scene in
      try scene.open()
      for number in 0..<10 { scene.append(Self.opening("g\(number)")) }
      try scene.close()
      #expect(scene.outcomes.count == 10)
      #expect(try scene.open().contents.streams.count == 10)
    }
  }

  @Test func `the answers of a device are as many as are remembered`() throws {
    try JournalScene.run { scene in
      try scene.open()
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
      var limits = Limits()
      for remembered in [JournalScene.answers, 2] {
        limits.rememberedAnswers = remembered
        let file = try JournalFile(
          scene.path, retention: .seconds(1), limits: limits, at: Self.start)
        let kept = try #require(file.contents.streams.first?.answers)
        #expect(kept == AnswerMemory(answers.suffix(remembered)))
      }
    }
  }
}

private final class CommitCounter: TransactionObserver, @unchecked Sendable {
  /// Written on the database's queue; the test reads it when the queue is idle.
  private let count = Locked(0)
  var commits: Int { count.withLock { $0 } }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { count.withLock { $0 += 1 } }
  func databaseDidRollback(_ db: Database) {}
}
