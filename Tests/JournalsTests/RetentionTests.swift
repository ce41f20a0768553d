import Naming
import Coordination
import Foundation
import GRDB
import GroupSessions
import Testing
import Vocabulary
import WireTesting

@testable import Journals

/// Old history is deleted, so that the file does not grow forever.
@Suite struct RetentionTests {
  private static let hour = Duration.seconds(3600)

  /// Events of a group, one per minute.
  private func events(_ numbers: ClosedRange<Int>, from start: Instant) -> [RecordedEvent] {
    numbers.map { number in
      RecordedEvent(
        at: start + .seconds(60 * (number - 1)),
        event: number == 1 ? .group(.opened(by: "ann")) : .group(.sharingSet("tv", true)))
    }
  }

  private func keep(_ numbers: ClosedRange<Int>, on scene: JournalScene) {
    scene.append(
      Append(
        to: .group("g"), after: numbers.lowerBound - 1,
        events(numbers, from: JournalScene.start)))
    var random = RandomValues(seed: 1)
    scene.journal?.snapshot(.group(random.group("g", seq: numbers.upperBound)))
  }

  @Test func `events that a snapshot holds go when they are old, and no others`() throws {
    try JournalScene.run { scene in
      try scene.open(retention: Self.hour)
      keep(1...60, on: scene)
      try scene.close()
      #expect(try scene.fetch("SELECT count(*) FROM event") == 60)
      try scene.open(retention: Self.hour)
      keep(61...90, on: scene)
      // Events after the snapshot stay, regardless of their age.
      scene.append(
        Append(to: .group("g"), after: 90, events(91...92, from: JournalScene.start)))
      try scene.close()
      #expect(try scene.fetch("SELECT min(seq) FROM event") == 30)
      #expect(try scene.fetch("SELECT max(seq) FROM event") == 92)
      let contents = try scene.read(retention: .zero).contents
      #expect(contents.streams.first?.events.count == 2)
      #expect(contents.latest == JournalScene.start + .seconds(60 * 91))
    }
  }

  @Test func `without retention a snapshot is all that stays of a long stream, bit by bit`() throws
  {
    try JournalScene.run { scene in
      try scene.open(retention: .zero)
      keep(1...1000, on: scene)
      try scene.close()
      // One snapshot deletes at most a few hundred events, so that none takes long.
      #expect(try scene.fetch("SELECT count(*) FROM event") == 744)
      try scene.open(retention: .zero)
      for end in stride(from: 1064, through: 1700, by: 64) {
        keep(end - 63...end, on: scene)
        try scene.settle()
      }
      try scene.close()
      #expect(try scene.fetch("SELECT count(*) FROM event") <= 64)
      #expect(try scene.read().contents.streams.first?.snapshot?.seq == 1640)
    }
  }

  @Test func `what is over goes when it is old`() throws {
    try JournalScene.run { scene in
      try scene.open(retention: Self.hour)
      var now = JournalScene.start
      for number in 1...200 {
        now = now + .seconds(60)
        let group = AggregateID.group(GroupID("g\(number)"))
        scene.append(
          Append(to: group, after: 0, [RecordedEvent(at: now, event: .group(.opened(by: "ann")))]))
        scene.append(Append(to: group, after: 1, [RecordedEvent(at: now, event: .group(.closed))]))
        scene.journal?.forget(group)
      }
      try scene.close()
      #expect(try scene.fetch("SELECT count(*) FROM stream") == 61)
      #expect(try scene.fetch("SELECT count(*) FROM event") == 122)
      #expect(try scene.fetch("SELECT live FROM tally") == 0)
    }
  }

  @Test func `under a steady load the file and its log keep their size`() throws {
    try JournalScene.run { scene in
      let file = try scene.open(retention: .seconds(200))
      var random = RandomValues(seed: 7)
      var now = JournalScene.start
      var number = 0
      /// Runs one session per second with ten events each; twenty are live at a time.
      func load(_ sessions: Int) throws -> (pages: Int, logBytes: Int) {
        for _ in 0..<sessions {
          number += 1
          now = now + .seconds(1)
          let news =
            [random.beginning(of: .session)] + (1..<10).map { _ in random.event(of: .session) }
          scene.append(
            Append(
              to: AggregateID(.session, "s-\(number)"), after: 0,
              news.map { RecordedEvent(at: now, event: $0) }))
          if number > 20 { scene.journal?.forget(.session(SessionID("s-\(number - 20)"))) }
          if number % 20 == 0 { try scene.settle() }
        }
        try scene.settle()
        let pages = try file.access.database.read {
          try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0
        }
        return (pages, try JournalFiles.size(of: scene.path + "-wal"))
      }
      // The file fills during the retention; from then on deletions balance additions.
      let full = try load(300)
      let later = try load(600)
      #expect(full.pages > 100)
      #expect(Double(later.pages) < 1.1 * Double(full.pages), "\(full) \(later)")
      #expect(later.logBytes <= 17 * 1024 * 1024, "\(full) \(later)")
    }
  }
}
