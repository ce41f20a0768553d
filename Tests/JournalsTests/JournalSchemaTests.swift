import Coordination
import Foundation
import GRDB
import Naming
import Testing
import Vocabulary
import Wire

@testable import Journals

/// Files whose tables are from before.
@Suite struct JournalSchemaTests {
  private static let device: AggregateID = .device("ann-tv")

  private static func answer(_ number: Int) -> RecordedAnswer {
    RecordedAnswer(
      device: "ann-tv", request: Int64(number + 2), .answered(.done(seq: number + 1)),
      number: number)
  }

  /// Makes a file of what a server of the first version had kept when it was killed, with rings of
  /// four: ann had asked eleven times, ben three times.
  private func makeFirst(_ scene: JournalScene) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/schema-1.sql")
    try scene.execute(try String(contentsOf: path, encoding: .utf8))
  }

  private func answers(_ contents: JournalContents) -> AnswerMemory? {
    contents.streams.first { $0.aggregate == Self.device }?.answers
  }

  @Test func `a file of the first version is read, and written on`() throws {
    try JournalScene.run { scene in
      try makeFirst(scene)
      let contents = try scene.open().contents
      #expect(contents.notices == [])
      #expect(contents.streams.map(\.events.count) == [4, 12, 1, 1])
      #expect(answers(contents) == AnswerMemory((8...11).map(Self.answer)))
      scene.append(Append(to: Self.device, after: 1, [], answer: Self.answer(12)))
      try scene.close()
      #expect(try JournalArchive(scene.path).overview().schema == "2")
      #expect(try JournalArchive(scene.path).verify().damage == [])
      #expect(answers(try scene.read().contents) == AnswerMemory((9...12).map(Self.answer)))
    }
  }

  @Test func `a damaged file of the first version is set aside, and its devices go on`() throws {
    try JournalScene.run { scene in
      try makeFirst(scene)
      try scene.execute("UPDATE event SET body = '{}' WHERE stream = 4 AND seq = 12")
      let contents = try scene.read().contents
      #expect(contents.notices.first?.contains("is damaged") == true)
      #expect(contents.streams.map(\.events.count) == [4, 11, 1, 1])
      #expect(answers(contents) == AnswerMemory((8...11).map(Self.answer)))
    }
  }
}
