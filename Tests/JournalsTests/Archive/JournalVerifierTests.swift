import Foundation
import Testing
import Vocabulary
import WireTesting

@testable import Journals

/// Verification finds damage in files that were changed on purpose, and none in sound files.
@Suite struct JournalVerifierTests {
  private func verify(_ story: SampleExport) throws -> JournalVerification {
    let journal = try ScratchJournal(story.lines)
    return try JournalArchive(journal.path).verify()
  }

  private func isSound(_ journal: ScratchJournal) throws -> Bool {
    do {
      return try JournalArchive(journal.path).verify().isSound
    } catch JournalError.unreadable, JournalError.newer {
      return false
    }
  }

  @Test func `a sound journal is sound, and what was looked at is counted`() throws {
    let whole = try verify(SampleExport(snapshot: 4))
    #expect(whole.damage == [])
    #expect((whole.streams, whole.events, whole.replayed) == (4, 13, 13))
    #expect((whole.snapshots, whole.comparedSnapshots, whole.answers) == (1, 1, 1))
    #expect(whole.shortened == 0)
  }

  @Test func `what retention removed is no damage`() throws {
    let shortened = try verify(SampleExport(kept: 3...7, snapshot: 4))
    #expect(shortened.damage == [])
    #expect(shortened.shortened == 1)
    #expect((shortened.events, shortened.replayed) == (11, 9))
    #expect(try verify(SampleExport(kept: 5...7, snapshot: 4)).isSound)
    #expect(try verify(SampleExport(kept: 3...7, ended: SampleExport.at(8))).isSound)
  }

  /// Changes of the file, and the expected complaints.
  static let spoilings: [(sql: String, complaint: String)] = [
    ("DELETE FROM event WHERE stream = 2 AND seq = 3", "session s-1: event 3 is missing"),
    ("DELETE FROM event WHERE stream = 1", "group friday has neither events nor a snapshot"),
    ("DELETE FROM stream WHERE id = 3", "rows of the table event belong to no stream"),
    ("DELETE FROM stream WHERE id = 3", "there are 3 live streams, and the tally says 4"),
    ("UPDATE tally SET live = 5", "there are 4 live streams, and the tally says 5"),
    ("DELETE FROM tally", "there are 4 live streams, and the tally says nothing"),
    ("UPDATE clock SET host = host + 1", "the clock: the row of the clock has changed"),
    ("UPDATE event SET body = 'x' WHERE stream = 2 AND seq = 3", "a row of stream 2 has changed"),
    ("UPDATE event SET at = x'00' WHERE stream = 2", "session s-1: a row of stream 2 has changed"),
    ("UPDATE event SET body = x'' WHERE stream = 2", "session s-1: a row of stream 2 has changed"),
    ("UPDATE event SET body = 1.5 WHERE stream = 2", "session s-1: a row of stream 2 has changed"),
    ("UPDATE event SET at = at + 1 WHERE stream = 2", "session s-1: a row of stream 2 has changed"),
    ("UPDATE event SET seq = 9 WHERE stream = 2 AND seq = 7", "a row of stream 2 has changed"),
    (
      "UPDATE snapshot SET body = replace(body, 'Ann', 'Eve')",
      "session s-1: a row of stream 2 has changed"
    ),
    ("UPDATE snapshot SET stream = 1", "group friday: a row of stream 1 has changed"),
    ("UPDATE answer SET body = '{}'", "device ben-1: an answer of stream 4 has changed"),
    ("UPDATE stream SET name = 'anne-1' WHERE id = 3", "the row of stream 3 has changed"),
    ("UPDATE stream SET began = 'noon' WHERE id = 3", "the row of stream 3 has changed"),
  ]

  @Test(arguments: spoilings)
  func `damage is found and named`(sql: String, complaint: String) throws {
    let journal = try ScratchJournal(SampleExport(snapshot: 4).lines)
    try journal.spoil(sql)
    let found = try JournalArchive(journal.path).verify()
    #expect(!found.isSound)
    #expect(found.damage.contains { $0.contains(complaint) }, "\(found.damage)")
  }

  /// What a faulty server might write, with correct sums, and the expected complaints.
  static let mistakes: [(sql: String, complaint: String)] = [
    ("UPDATE event SET body = 'x' WHERE stream = 2 AND seq = 3", "event 3 cannot be read"),
    ("UPDATE event SET at = 5 WHERE stream = 2 AND seq = 3", "before the one before it"),
    ("UPDATE event SET format = 9 WHERE stream = 2 AND seq = 3", "a newer Matinee wrote it"),
    ("UPDATE event SET seq = 9 WHERE stream = 2 AND seq = 1", "session s-1: event 8 is missing"),
    ("UPDATE event SET seq = 0 WHERE stream = 2 AND seq = 1", "session s-1: there is no event 0"),
    (
      "UPDATE snapshot SET body = replace(body, 'Ann', 'Eve')",
      "session s-1: its snapshot at 4 differs from the replay of its events"
    ),
    ("UPDATE snapshot SET seq = 5", "whose state is not at its number, 5"),
    ("UPDATE snapshot SET body = '{}'", "its snapshot cannot be read"),
    ("UPDATE snapshot SET stream = 1", "group friday"),
    ("UPDATE answer SET body = '{}'", "device ben-1"),
    ("UPDATE answer SET stream = 1", "it has an answer, but is no device's stream"),
  ]

  @Test(arguments: mistakes)
  func `what cannot have happened is found, though the sums are right`(
    sql: String, complaint: String
  ) throws {
    let journal = try ScratchJournal(SampleExport(snapshot: 4).lines)
    try journal.rewrite(sql)
    let found = try JournalArchive(journal.path).verify()
    #expect(!found.isSound)
    #expect(found.damage.contains { $0.contains(complaint) }, "\(found.damage)")
  }

  @Test func `a stream that was set aside is told of, and no damage`() throws {
    let journal = try ScratchJournal(SampleExport().lines)
    try journal.rewrite(
      """
      UPDATE stream SET kind = 'unreadable device', ended = 9 WHERE id = 3;
      UPDATE tally SET live = 3
      """)
    let found = try JournalArchive(journal.path).verify()
    #expect(found.damage == [])
    #expect(found.setAside == ["unreadable device ann-1"])
    try journal.spoil("UPDATE event SET body = '{}' WHERE stream = 3")
    #expect(
      try JournalArchive(journal.path).verify().damage
        == ["unreadable device ann-1: a row of stream 3 has changed"])
  }

  @Test func `where a byte has changed, it is found, or nothing that is kept has`() throws {
    let journal = try ScratchJournal(SampleExport(snapshot: 4).lines)
    let lines = withoutSlots(try journal.exported())
    let whole = [UInt8](try Data(contentsOf: URL(filePath: journal.path)))
    let seed = UInt64.random(in: 1...1_000_000)
    var random = RandomValues(seed: seed)
    var found = 0
    for _ in 0..<300 {
      var bytes = whole
      let place = random.number(0...bytes.count - 1)
      bytes[place] ^= UInt8(random.number(1...255))
      try Data(bytes).write(to: URL(filePath: journal.path))
      if try isSound(journal) {
        #expect(
          withoutSlots(try journal.exported()) == lines, "seed \(seed), byte \(place)")
      } else {
        found += 1
      }
    }
    // Pages of this small file are mostly empty, so not every change hits data.
    #expect(found > 10, "seed \(seed)")
  }

  @Test func `a letter changed in a table's definition is found, though SQLite finds nothing`()
    throws
  {
    let journal = try ScratchJournal(SampleExport(snapshot: 4).lines)
    var bytes = try Data(contentsOf: URL(filePath: journal.path))
    let place = try #require(bytes.range(of: Data("stream INTEGER PRIMARY KEY".utf8)))
    bytes[place.lowerBound + "stream INTEGER".utf8.count] = UInt8(ascii: "x")
    try bytes.write(to: URL(filePath: journal.path))
    let found = try JournalArchive(journal.path).verify()
    #expect(found.damage.contains("the definition of snapshot has changed"))
  }

  @Test(arguments: ["event", "snapshot", "answer", "stream", "clock"])
  func `a sum that is no number is damage, and ends nothing`(table: String) throws {
    let journal = try ScratchJournal(SampleExport(snapshot: 4).lines)
    try journal.spoil("UPDATE \(table) SET sum = 'x'")
    #expect(try !isSound(journal))
  }

  /// Removes the slots of answers, which no sum covers; they only determine which answer is
  /// replaced next.
  private func withoutSlots(_ lines: [String]) -> [String] {
    lines.map { $0.replacing(/"slot":\d+,/, with: "") }
  }

  @Test func `overwritten pages are damage, and end nothing`() throws {
    let journal = try ScratchJournal(SampleExport(snapshot: 4).lines)
    let file = try #require(FileHandle(forUpdatingAtPath: journal.path))
    let size = try file.seekToEnd()
    // Overwrites everything but the first page, which holds the tables' names.
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0x5A, count: Int(size) - 4096))
    try file.close()
    do throws(JournalError) {
      let found = try JournalArchive(journal.path).verify()
      #expect(!found.isSound)
    } catch {
      guard case .unreadable = error else { throw error }
    }
  }

  @Test func `a thousand complaints are a hundred and a number`() {
    var verification = JournalVerification()
    for number in 0..<1000 { verification.complain("\(number)") }
    #expect(verification.damage.count == 100)
    #expect(verification.furtherDamage == 900)
  }
}
