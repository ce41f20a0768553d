import Coordination
import DatabaseTesting
import GroupSessions
import LoopTesting
import Naming
import PostgreSQL
import Testing
import Vocabulary
import Wire

@testable import Journals

/// What a journal says of its size.
@Suite struct JournalSizeTests {
  private static func greeting(_ number: Int) -> Append {
    let name = String(repeating: "n", count: 4_000)
    let device = DeviceID("d\(number)")
    let greeting = Greeting(
      identity: Identity(user: "ann", device: device, name: name),
      token: Secret(high: 1, low: UInt64(number)), understandsSessions: true)
    return Append(
      to: .device(device), after: 0,
      [RecordedEvent(at: JournalScene.start, event: .device(.greeted(greeting)))])
  }

  @Test func `it counts what was written, with the log`() throws {
    try JournalScene.run { scene in
      try scene.open()
      let before = try #require(scene.journal?.size)
      for number in 0..<100 { scene.append(Self.greeting(number)) }
      try scene.settle()
      let after = try #require(scene.journal?.size)
      // Each row of 4 KB is on a page of the file and on one of the log.
      #expect(after - before > 800_000 && after - before < 1_600_000, "\(after - before)")
    }
  }

  @Test(arguments: JournalScene.Keeper.allCases)
  func `it tells of its size after each turn, and later when nothing is written`(
    _ keeper: JournalScene.Keeper
  ) throws {
    try JournalScene.run(on: keeper) { scene in
      try scene.begin()
      scene.append(Self.greeting(1))
      try scene.settle()
      let before = scene.measures
      scene.journal?.forget(.device("d1"))
      try scene.test.run { scene.measures > before }
      let idle = scene.measures
      scene.journal?.measure(after: .milliseconds(1))
      try scene.test.run { scene.measures > idle }
    }
  }

  /// A database keeps the room of what was erased until it clears that away, in a time of its own.
  @Test func `a full journal in a database has room once that is given back and measured again`()
    throws
  {
    let database = try DatabaseServer.shared().makeDatabase()
    _ = try PostgreSQLMigration.run(PostgreSQLAddress(database))
    // Repetitions in a text would be compressed.
    try DatabaseServer.run(
      "ALTER TABLE matinee.event ALTER COLUMN body SET STORAGE EXTERNAL", at: database)
    try JournalScene.run(in: database) { scene in
      try scene.begin()
      let journal = try #require(scene.journal)
      let empty = journal.size
      for number in 0..<100 { scene.append(Self.greeting(number)) }
      try scene.settle()
      journal.measure(after: .milliseconds(1))
      try scene.test.run { journal.size > empty + 300_000 }
      let full = journal.size
      let before = scene.measures
      for number in 0..<100 { journal.forget(.device(DeviceID("d\(number)"))) }
      try scene.test.run { scene.measures > before }
      try DatabaseServer.run("VACUUM FULL matinee.event", at: database)
      journal.measure(after: .milliseconds(1))
      try scene.test.run { journal.size < full - 300_000 }
    }
  }

  @Test func `a full journal that is measured again has the room of its log`() throws {
    try JournalScene.run { scene in
      try scene.open()
      let journal = try #require(scene.journal)
      let empty = journal.size
      for number in 0..<100 { scene.append(Self.greeting(number)) }
      try scene.settle()
      let before = scene.measures
      for number in 0..<100 { journal.forget(.device(DeviceID("d\(number)"))) }
      try scene.test.run { scene.measures > before }
      #expect(journal.size > empty + 400_000)
      journal.measure(after: .milliseconds(1))
      try scene.test.run { journal.size < empty + 100_000 }
    }
  }

  @Test func `a full journal has the room of its log, though something is written all the while`()
    throws
  {
    try JournalScene.run { scene in
      try scene.open()
      let journal = try #require(scene.journal)
      let empty = journal.size
      for number in 0..<100 { scene.append(Self.greeting(number)) }
      try scene.settle()
      for number in 0..<100 { journal.forget(.device(DeviceID("d\(number)"))) }
      var measures = -1
      try scene.test.run {
        guard journal.size >= empty + 100_000 else { return true }
        guard scene.measures > measures else { return false }
        // As a server does, it asks after each transaction, and has more to write by then.
        measures = scene.measures
        journal.measure(after: .milliseconds(50))
        journal.forget(.device("d0"))
        return false
      }
    }
  }

  @Test func `what was erased is room`() throws {
    try JournalScene.run { scene in
      try scene.open()
      for number in 0..<100 { scene.append(Self.greeting(number)) }
      try scene.close()
      let full = try scene.read().access.size
      try scene.open()
      for number in 0..<100 { scene.journal?.forget(.device(DeviceID("d\(number)"))) }
      scene.append(Self.greeting(100))
      try scene.close()
      #expect(try scene.read().access.size < full - 300_000)
    }
  }
}
