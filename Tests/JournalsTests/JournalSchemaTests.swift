import Coordination
import Foundation
import GRDB
import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Journals

/// Files with tables of earlier versions.
@Suite struct JournalSchemaTests {
  private static let device: AggregateID = .device("ann-tv")

  private static func answer(_ number: Int) -> RecordedAnswer {
    RecordedAnswer(
      device: "ann-tv", request: Int64(number + 2), .answered(.done(seq: number + 1)),
      number: number)
  }

  /// Makes a file as a server of that version left it when it was killed, with rings of four
  /// answers.
  ///
  /// In version 1, ann had asked eleven times and ben three times. The file of version 2 continues
  /// that one and has a snapshot among the events: ann had asked seven more times and ben two more
  /// times.
  private func make(_ version: Int, _ scene: JournalScene) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/schema-\(version).sql")
    try scene.execute(try String(contentsOf: path, encoding: .utf8))
  }

  private func answers(_ contents: JournalContents) -> AnswerMemory? {
    contents.streams.first { $0.aggregate == Self.device }?.answers
  }

  @Test func `a file of the first version is read, and written on`() throws {
    try JournalScene.run { scene in
      try make(1, scene)
      let contents = try scene.open().contents
      #expect(contents.notices == [])
      #expect(contents.streams.map(\.events.count) == [4, 12, 1, 1])
      #expect(answers(contents) == AnswerMemory((8...11).map(Self.answer)))
      scene.append(Append(to: Self.device, after: 1, [], answer: Self.answer(12)))
      try scene.close()
      #expect(try JournalArchive(scene.path).overview().schema == "3")
      #expect(try JournalArchive(scene.path).verify().damage == [])
      #expect(answers(try scene.read().contents) == AnswerMemory((9...12).map(Self.answer)))
    }
  }

  @Test(arguments: [1, 2])
  func `a file of an earlier version says so when it is opened, once`(version: Int) throws {
    try JournalScene.run { scene in
      try make(version, scene)
      for earlier in ["\(version)", nil] {
        let file = try JournalFile(
          scene.path, retention: .seconds(3600), limits: Limits(), at: Instant(microseconds: 0))
        #expect(file.earlierVersion == earlier)
        try file.access.database.close()
      }
    }
  }

  @Test(arguments: [1, 2])
  func `a file of an earlier version is no damaged one to a reader`(version: Int) throws {
    try JournalScene.run { scene in
      try make(version, scene)
      #expect(throws: JournalError.older(path: scene.path)) { try JournalArchive(scene.path) }
    }
  }

  @Test func `a damaged file of the first version is set aside, and its devices go on`() throws {
    try JournalScene.run { scene in
      try make(1, scene)
      try scene.execute("UPDATE event SET body = '{}' WHERE stream = 4 AND seq = 12")
      let contents = try scene.read().contents
      #expect(contents.notices.first?.contains("is damaged") == true)
      #expect(contents.streams.map(\.events.count) == [4, 11, 1, 1])
      #expect(answers(contents) == AnswerMemory((8...11).map(Self.answer)))
    }
  }

  @Test func `a file of the second version is read, and written on`() throws {
    try JournalScene.run { scene in
      try make(2, scene)
      let contents = try scene.open().contents
      #expect(contents.notices == [])
      #expect(contents.streams.map(\.events.count) == [8, 5, 1, 1])
      let late = [8, 20, nil, 21].enumerated().map { place, seq in
        RecordedAnswer(
          device: "ann-tv", request: Int64(19 + place), .answered(.done(seq: seq)),
          number: 15 + place)
      }
      #expect(answers(contents) == AnswerMemory(late))
      let session = try #require(contents.streams.first { $0.aggregate.kind == .session })
      let event = RecordedEvent(
        at: try #require(contents.latest), event: .session(.ended(.empty)))
      scene.append(
        Append(to: session.aggregate, after: 21, [event], answer: Self.answer(19)))
      try scene.close()
      #expect(try JournalArchive(scene.path).verify().damage == [])
      #expect(try scene.fetch("SELECT count(device) FROM event") == 1)
      let again = try scene.read().contents
      #expect(answers(again) == AnswerMemory(late.dropFirst() + [Self.answer(19)]))
    }
  }

  /// Makes the file larger than the limit up to which every start checks all of it.
  private static let enlargement =
    "INSERT INTO notice (at, text) VALUES (5, hex(zeroblob(5000000)))"
  private static let damage = """
    UPDATE event SET body = '{}'
    WHERE stream = 4 AND seq = (SELECT max(seq) FROM event WHERE stream = 4)
    """

  @Test(arguments: [1, 2, 3], [true, false])
  func `a damaged file is set aside as it was, to the byte, whatever its version and size`(
    version: Int, isLarge: Bool
  ) throws {
    try JournalScene.run { scene in
      try make(min(version, 2), scene)
      if version == 3 { _ = try scene.read() }
      if isLarge { try scene.execute(Self.enlargement) }
      // A killed server leaves a part of its data only in the log.
      let files = ["", "-wal"].map { URL(filePath: scene.path + $0) }
      let database = try DatabaseQueue(path: scene.path)
      try database.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL; \(Self.damage)")
      }
      let before = try files.map { try Data(contentsOf: $0) }
      try database.close()
      for (file, bytes) in zip(files, before) { try bytes.write(to: file) }
      #expect(before[1].count > 4096)
      let contents = try scene.read().contents
      #expect(contents.notices.first?.contains("is damaged") == true)
      let aside = scene.path + ".damaged-20231114T221320Z"
      for (part, bytes) in zip(["", "-wal"], before) {
        #expect(try Data(contentsOf: URL(filePath: aside + part)) == bytes, "\(part)")
      }
    }
  }
}
