import Naming
import Coordination
import EventLoops
import Foundation
import GRDB
import GroupSessions
import LoopTesting
import Testing
import Vocabulary
import Wire
import WireTesting

@testable import Journals

/// Opening files that are not as they were written.
@Suite struct DamageTests {
  /// Writes and closes a file of some thousand events; returns what it held.
  private func prepare(
    _ scene: JournalScene, seed: UInt64, steps: Int = 1500
  ) throws -> Story {
    var story = Story(seed: seed)
    try scene.open()
    try story.go(steps, on: scene)
    try scene.close()
    return story
  }

  /// Opens the damaged file, and checks that each stream is in an earlier state or is missing.
  @discardableResult
  private func expectPrefixes(
    of story: Story, _ scene: JournalScene, _ comment: String
  ) throws -> JournalFile {
    let file = try scene.read(at: story.now)
    for stream in file.contents.streams {
      let known = try #require(
        story.known.streams.first { $0.aggregate == stream.aggregate }, "\(comment)")
      if let snapshot = stream.snapshot {
        #expect(snapshot == known.snapshot, "\(comment)")
        #expect(known.events.starts(with: stream.events), "\(comment)")
      } else {
        let all = try #require(story.events[stream.aggregate], "\(comment)")
        #expect(all.starts(with: stream.events), "\(comment)")
      }
      if case .device(let device) = stream.aggregate {
        let isRight = story.isRight(stream.answers, of: device, in: file.contents)
        #expect(isRight, "\(comment), of \(device)")
      }
    }
    #expect(Set(file.contents.streams.map(\.aggregate)).count == file.contents.streams.count)
    #expect(file.contents.endings.allSatisfy(story.known.endings.contains), "\(comment)")
    return file
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// Writes damaged bytes in place of a journal; its server's lock stays.
  private func destroy(_ scene: JournalScene, _ bytes: [UInt8]) throws {
    try write(bytes, scene.path)
    try write([], scene.path + ".lock")
  }

  // MARK: Random damage

  /// The places differ in each run; to repeat a run, replace the seed by the one printed.
  @Test func `damage anywhere: it opens, and holds what once was, or says that it does not`() throws
  {
    let first = UInt64.random(in: 1...1_000_000)
    print("damage: seeds from \(first)")
    try damage(first, seeds: first..<first + 60)
  }

  /// The root of the table of recent answers becomes one of an empty table, which is sound.
  @Test func `a table that looks empty is not believed while pages are nobody's`() throws {
    try damage(377_777, seeds: 377_784..<377_785)
  }

  private func damage(_ story: UInt64, seeds: Range<UInt64>) throws {
    var made: (story: Story, bytes: [UInt8])?
    try JournalScene.run { scene in
      made = (try prepare(scene, seed: story), try bytes(scene.path))
    }
    let (story, whole) = try #require(made)
    for seed in seeds { try damage(whole, of: story, seed: seed) }
  }

  private func damage(_ whole: [UInt8], of story: Story, seed: UInt64) throws {
    try JournalScene.run { scene in
      var random = RandomValues(seed: seed)
      let comment = "seed \(seed)"
      try destroy(scene, broken(whole, &random))
      let contents = try expectPrefixes(of: story, scene, comment).contents
      if !contents.notices.contains(where: { $0.contains("is damaged") }) {
        // If no damage was noticed, nothing may be missing.
        #expect(contents == story.expected(at: contents.latest), "\(comment)")
      } else {
        #expect(try scene.files.contains { $0.contains("journal.sqlite.damaged-") }, "\(comment)")
      }
      try expectWorks(scene, comment)
    }
  }

  private func broken(_ whole: [UInt8], _ random: inout RandomValues) -> [UInt8] {
    var broken = whole
    switch random.number(0...3) {
    case 0:  // Bytes here and there.
      for _ in 0...random.number(0...20) {
        broken[random.number(0...broken.count - 1)] = UInt8(random.number(0...255))
      }
    case 1:  // One bit.
      broken[random.number(0...broken.count - 1)] ^= 1 << UInt8(random.number(0...7))
    case 2:  // Pages that were never written, or written over another one.
      for _ in 0...random.number(0...3) {
        let page = random.number(0...broken.count / 4096 - 1) * 4096
        let other = random.number(0...broken.count / 4096 - 1) * 4096
        let zeros = [UInt8](repeating: 0, count: 4096)
        broken.replaceSubrange(
          page..<page + 4096, with: random.chance() ? zeros : Array(whole[other..<other + 4096]))
      }
    default:  // The end is missing.
      broken.removeLast(random.number(1...broken.count - 1))
    }
    return broken
  }

  /// Checks that the replacement of the damaged file is an ordinary journal.
  private func expectWorks(_ scene: JournalScene, _ comment: String) throws {
    let before = try scene.open(at: JournalScene.start).contents
    #expect(before.notices.isEmpty, "\(comment)")
    let event = RecordedEvent(at: JournalScene.start, event: .group(.opened(by: "ann")))
    scene.append(Append(to: .group("brand-new"), after: 0, [event]))
    for stream in before.streams {
      guard case .group = stream.aggregate else { continue }
      let seq = (stream.snapshot?.seq ?? 0) + stream.events.count
      scene.append(
        Append(
          to: stream.aggregate, after: seq,
          [RecordedEvent(at: JournalScene.start, event: .group(.closed))]))
    }
    try scene.close()
    #expect(scene.outcomes.allSatisfy { $0.outcome == .kept }, "\(comment)")
    let after = try scene.read().contents
    #expect(after.streams.count == before.streams.count + 1, "\(comment)")
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `a log whose end is missing or damaged: what was kept before is there`(seed: UInt64) throws {
    try JournalScene.run { scene in
      var story = Story(seed: seed)
      try scene.open()
      try story.go(100, on: scene)
      // A killed server leaves it like this: nothing was written back.
      let log = try bytes(scene.path + "-wal")
      let file = try bytes(scene.path)
      try scene.close()
      var random = RandomValues(seed: seed)
      var broken = log
      if random.chance() {
        broken.removeLast(random.number(1...broken.count - 1))
      } else {
        let place = random.number(0...broken.count - 1)
        for offset in 0..<min(64, broken.count - place) {
          broken[place + offset] = UInt8(random.number(0...255))
        }
      }
      try write(file, scene.path)
      try write(broken, scene.path + "-wal")
      let live = try scene.read(at: story.now).contents
      for stream in live.streams {
        // Later snapshots and ends may be missing, so the stream is compared with all of its
        // events.
        let seq = (stream.snapshot?.seq ?? 0) + stream.events.count
        guard let all = story.events[stream.aggregate] else { continue }
        #expect(all[..<seq].suffix(stream.events.count).elementsEqual(stream.events), "\(seed)")
      }
    }
  }

  // MARK: Specific damage

  @Test func `what never was a journal is left alone, and nothing is put beside it`() throws {
    try JournalScene.run { scene in
      let text = Array("This is a letter to my aunt, and no journal.\n".utf8)
      try write(text, scene.path)
      let files = try scene.files
      let error = #expect(throws: JournalError.self) { _ = try scene.read() }
      #expect(
        error?.description == "the journal \(scene.path) cannot be read: it is another program's "
          + "file; choose another one with --journal sqlite:PATH")
      #expect(try bytes(scene.path) == text)
      #expect(try scene.files == files)
    }
  }

  @Test func `a destroyed journal is set aside untouched, and a new file begun`() throws {
    try JournalScene.run { scene in
      let text = Array("What stands here was a journal once, and is none.\n".utf8)
      try destroy(scene, text)
      let contents = try scene.read().contents
      #expect(contents.streams.isEmpty)
      let notice = try #require(contents.notices.first)
      #expect(notice.contains("\(scene.path) is damaged (file is not a database)"), "\(notice)")
      let aside = scene.path + ".damaged-20231114T221320Z"
      #expect(notice.contains("set aside as \(aside)"), "\(notice)")
      #expect(try bytes(aside) == text)
      #expect(try scene.fetch("SELECT count(*) FROM notice") == 1)
    }
  }

  @Test func `a second damaged file of the same second does not take the first one's place`() throws
  {
    try JournalScene.run { scene in
      for number in 1...3 {
        try destroy(scene, Array("no database, \(number)".utf8))
        _ = try scene.read()
      }
      let names = try scene.files.filter { $0.contains("damaged") }
      #expect(
        names == ["", "-2", "-3"].map { "journal.sqlite.damaged-20231114T221320Z\($0)" })
    }
  }

  @Test func `an empty file with a log is damaged: SQLite alone would throw the log away`() throws {
    try JournalScene.run { scene in
      try write([], scene.path)
      try write([1, 2, 3], scene.path + "-wal")
      let contents = try scene.read().contents
      #expect(contents.notices.first?.contains("the file is empty, and its log is not") == true)
      #expect(try bytes(scene.path + ".damaged-20231114T221320Z-wal") == [1, 2, 3])
    }
  }

  @Test func `a changed event is noticed though SQLite sees nothing, and the ones before it stay`()
    throws
  {
    try JournalScene.run { scene in
      try scene.open()
      let events: [GroupEvent] =
        [.opened(by: "ann")] + Array(repeating: .sharingSet("tv", true), count: 9)
      for name in ["a", "b"] {
        scene.append(
          Append(
            to: .group(GroupID(name)), after: 0,
            events.map { RecordedEvent(at: JournalScene.start, event: .group($0)) }))
      }
      try scene.close()
      try scene.execute(
        "UPDATE event SET body = replace(body, 'true', 'false') WHERE stream = 1 AND seq = 5")
      let contents = try scene.read().contents
      #expect(contents.streams.map(\.events.count) == [4, 10])
      #expect(
        contents.notices.last
          == "the group a continues from its event 4: the next ones cannot be read")
      #expect(
        contents.notices.first?.contains("1 live streams complete, 1 continued") == true)
    }
  }

  @Test(
    arguments: [
      "DELETE FROM event WHERE stream = 1 AND seq = 1", "DELETE FROM stream WHERE id = 1",
      "UPDATE stream SET ended = 5 WHERE id = 1", "UPDATE stream SET name = 'x' WHERE id = 1",
      "UPDATE stream SET began = 'soon' WHERE id = 1",
      "UPDATE event SET at = x'00' WHERE stream = 1",
      "UPDATE event SET seq = 7 WHERE stream = 1", "UPDATE event SET stream = 9 WHERE stream = 1",
    ])
  func `rows that vanish or change are noticed, and the other streams go on`(sql: String) throws {
    try JournalScene.run { scene in
      try scene.open()
      for name in ["a", "b"] {
        scene.append(
          Append(
            to: .group(GroupID(name)), after: 0,
            [RecordedEvent(at: JournalScene.start, event: .group(.opened(by: "ann")))]))
      }
      try scene.close()
      try scene.execute(sql)
      let contents = try scene.read().contents
      #expect(contents.notices.first?.contains("is damaged") == true)
      #expect(contents.streams.map(\.aggregate).last == .group("b"), "\(contents.notices)")
    }
  }

  @Test func `a value of a type that was never written is damage`() throws {
    let database = try DatabaseQueue()
    let error = #expect(throws: RowDecodingError.self) {
      try database.read { try String.fetchAll($0, sql: "SELECT NULL") }
    }
    #expect(Damage(try #require(error)) != nil)
  }

  @Test func `a snapshot that has changed is made good by the events from the first one on`() throws
  {
    try JournalScene.run { scene in
      try scene.open()
      let events: [GroupEvent] =
        [.opened(by: "ann")] + Array(repeating: .sharingSet("tv", true), count: 9)
      let records = events.map { RecordedEvent(at: JournalScene.start, event: .group($0)) }
      scene.append(Append(to: .group("a"), after: 0, records))
      var random = RandomValues(seed: 1)
      scene.journal?.snapshot(.group(random.group("a", seq: 10)))
      try scene.close()
      try scene.execute("UPDATE snapshot SET body = '{}'")
      let contents = try scene.read().contents
      #expect(contents.streams.first?.snapshot == nil)
      #expect(contents.streams.first?.known == records)
    }
  }

  @Test func `damage that writing meets is marked, and the next start looks at every page`() throws
  {
    try JournalScene.run { scene in
      let reason = try scene.open().access.explain(Damage("a page is not what it was"))
      #expect(reason.contains("restart the server"))
      #expect(FileManager.default.fileExists(atPath: scene.path + ".suspect"))
      try scene.close()
      _ = try scene.read()
      #expect(!FileManager.default.fileExists(atPath: scene.path + ".suspect"))
    }
  }

  @Test
  func `pages that rot while the server runs: it is told, and the next start sets them aside`()
    throws
  {
    try JournalScene.run { scene in
      var story = try prepare(scene, seed: 5, steps: 100)
      let database = try scene.open(at: story.now).access.database
      let size = try JournalFiles.size(of: scene.path)
      let file = try FileHandle(forWritingTo: URL(filePath: scene.path))
      try file.seek(toOffset: 4096)
      try file.write(contentsOf: Data(count: size - 4096))
      try file.close()
      // Empties the page cache, so that damage is read from the file.
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cache_size = 1") }
      database.releaseMemory()
      try story.go(20, on: scene)
      #expect(scene.outcomes.last?.outcome == .failed)
      let complaint = try #require(scene.complaints.first ?? nil)
      #expect(complaint.contains("restart the server"), "\(complaint)")
      try scene.close()
      let notice = try scene.read().contents.notices.first
      #expect(notice?.contains("is set aside as") == true)
    }
  }

  // MARK: Interrupted replacements

  @Test(arguments: 0...4)
  func `a replacement that was interrupted is finished, wherever it was`(renamed: Int) throws {
    try JournalScene.run { scene in
      let story = try prepare(scene, seed: 1, steps: 100)
      // A complete new file that is not in place yet, and a damaged one that is partly renamed.
      let new = try bytes(scene.path)
      try write(new, scene.path + ".salvaged-20260101T000000Z")
      try write(Array("damaged".utf8), scene.path)
      for part in ["-wal", "-shm"] { try write([7], scene.path + part) }
      for part in ["-wal", "-shm", ""].prefix(renamed) {
        try JournalFiles.rename(
          scene.path + part, to: scene.path + ".damaged-20260101T000000Z" + part)
      }
      var contents = try scene.read(at: story.now).contents
      #expect(contents.notices.count == 1)
      contents.notices = []
      #expect(contents == story.expected(at: contents.latest))
      #expect(try bytes(scene.path + ".damaged-20260101T000000Z") == Array("damaged".utf8))
      #expect(try bytes(scene.path + ".damaged-20260101T000000Z-wal") == [7])
    }
  }

  @Test func `a new file that was never completed is begun again`() throws {
    try JournalScene.run { scene in
      try write(Array("half a file".utf8), scene.path + ".salvage")
      try destroy(scene, Array("no database".utf8))
      #expect(try scene.read().contents.notices.count == 1)
      #expect(try scene.files.filter { $0.hasSuffix(".salvage") } == [])
    }
  }
}
