import Coordination
import GRDB
import InAppMessaging
import Naming
import Testing
import Vocabulary
import WireTesting

@testable import Journals

/// The journal of people.
@Suite struct UserJournalTests {
  private static let ann = AggregateID.user("ann")

  /// Runs a story and stores its events, with occasional snapshots.
  private func keep(
    _ story: inout PersonStory, steps: Int, snapshotEvery interval: Int, on scene: JournalScene
  ) {
    for _ in 0..<steps {
      let before = story.messaging.seq
      story.step()
      guard !story.news.isEmpty else { continue }
      scene.append(Append(to: .user(story.messaging.id), after: before, story.news))
      if before / interval != story.messaging.seq / interval {
        scene.journal?.snapshot(.user(story.messaging))
      }
    }
  }

  /// The messaging state that results from a stream's snapshot and events.
  private func replayed(_ stream: RecordedStream) throws -> UserMessaging? {
    var replay = StreamReplay(from: stream.snapshot)
    for record in stream.events {
      try replay.take(record.event, of: stream.aggregate, at: record.at)
    }
    guard case .user(let messaging)? = replay.state else { return nil }
    return messaging
  }

  // Proves: R-10
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `what a snapshot and the events behind it add up to is what was there`(seed: UInt64) throws {
    try JournalScene.run { scene in
      var story = try PersonStory("ann", seed: seed)
      for _ in 0..<3 {
        try scene.open(at: story.now)
        keep(&story, steps: 100, snapshotEvery: 64, on: scene)
        try scene.close()
        let stream = try #require(try scene.read(at: story.now).contents.streams.first)
        #expect(try replayed(stream) == story.messaging, "seed \(seed)")
        #expect(stream.earlier.isEmpty)
      }
      let found = try JournalArchive(scene.path).verify()
      #expect(found.damage == [])
      #expect(found.comparedSnapshots == 1 && found.replayed == story.messaging.seq)
    }
  }

  @Test func `a person who is forgotten leaves no row, and may begin anew at once`() throws {
    try JournalScene.run { scene in
      try scene.open()
      var story = try PersonStory("ann", seed: 1)
      keep(&story, steps: 200, snapshotEvery: 64, on: scene)
      var other = try PersonStory("bob", seed: 2)
      keep(&other, steps: 20, snapshotEvery: 64, on: scene)
      scene.journal?.forget(Self.ann)
      var again = try PersonStory("ann", seed: 3)
      keep(&again, steps: 3, snapshotEvery: 64, on: scene)
      try scene.settle()
      #expect(scene.outcomes.allSatisfy { $0.outcome == .kept })
      try scene.close()
      let streams = try scene.read().contents.streams
      #expect(Set(streams.map(\.aggregate)) == [Self.ann, .user("bob")])
      let stream = try #require(streams.first { $0.aggregate == Self.ann })
      #expect(try replayed(stream) == again.messaging)
      #expect(
        try scene.fetch("SELECT count(*) FROM event")
          == again.messaging.seq + other.messaging.seq)
      try scene.open()
      scene.journal?.forget(Self.ann)
      scene.journal?.forget(.user("bob"))
      try scene.close()
      for table in ["stream", "event", "snapshot", "answer"] {
        #expect(try scene.fetch("SELECT count(*) FROM \(table)") == 0, "\(table)")
      }
      #expect(try scene.fetch("SELECT live FROM tally") == 0)
    }
  }

  @Test func `an erasure that could not be kept goes along with the next batch`() throws {
    try JournalScene.run { scene in
      let database = try scene.open().access.database
      var story = try PersonStory("ann", seed: 1)
      keep(&story, steps: 30, snapshotEvery: 64, on: scene)
      try scene.settle()
      try database.write { database in
        try database.execute(
          sql: """
            CREATE TEMP TRIGGER full BEFORE DELETE ON stream
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
      }
      scene.journal?.forget(Self.ann)
      var again = try PersonStory("ann", seed: 3)
      keep(&again, steps: 1, snapshotEvery: 64, on: scene)
      try scene.settle()
      #expect(scene.outcomes.last?.outcome == .failed)
      try database.write { try $0.execute(sql: "DROP TRIGGER full") }
      scene.append(Append(to: Self.ann, after: 0, again.news))
      try scene.close()
      #expect(scene.outcomes.last?.outcome == .kept)
      let stream = try #require(try scene.read().contents.streams.first)
      #expect(try replayed(stream) == again.messaging)
      #expect(try scene.fetch("SELECT count(*) FROM stream") == 1)
    }
  }

  @Test func `people are counted, exported, imported and verified`() throws {
    try JournalScene.run { scene in
      try scene.open()
      for number in 0..<3 {
        var story = try PersonStory(UserID("u\(number)"), seed: UInt64(number))
        keep(&story, steps: 80, snapshotEvery: 64, on: scene)
      }
      try scene.close()
      let archive = try JournalArchive(scene.path)
      let overview = try archive.overview()
      #expect(overview.streams.map(\.kind) == ["user", "user", "user"])
      #expect(overview.streams.allSatisfy { $0.snapshot != nil && !$0.isSetAside })
      var bytes: [UInt8] = []
      try archive.export(withSecrets: false) { bytes += $0 }
      let copy = try ScratchJournal()
      let result = try copy.load(text: String(decoding: bytes, as: UTF8.self), chunk: 4096)
      #expect(result.streams == 3)
      #expect(try copy.contents().streams == scene.read().contents.streams)
      #expect(
        try copy.exported(withSecrets: false)
          == String(decoding: bytes, as: UTF8.self)
          .split(separator: "\n").map(String.init))
      #expect(try JournalArchive(copy.path).verify().isSound)
      // Only sessions can be replayed, and there are none.
      #expect(try archive.sessions().isEmpty)
    }
  }

  @Test func `a person's events of which one is damaged go on from the one before`() throws {
    try JournalScene.run { scene in
      try scene.open()
      var story = try PersonStory("ann", seed: 5)
      var states: [Int: UserMessaging] = [:]
      while story.messaging.seq < 20 {
        keep(&story, steps: 1, snapshotEvery: 1000, on: scene)
        states[story.messaging.seq] = story.messaging
      }
      try scene.close()
      let cut = try #require(states.keys.filter { $0 < 15 }.max())
      try scene.execute("UPDATE event SET body = '{}' WHERE seq = \(cut + 1)")
      let contents = try scene.read().contents
      #expect(!contents.notices.isEmpty)
      let stream = try #require(contents.streams.first)
      #expect(try replayed(stream) == states[cut])
    }
  }
}
