import Coordination
import GRDB
import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire
import WireTesting

@testable import Journals

/// The answer to a request is stored with the first event that it caused.
///
/// Once a snapshot includes the event, the answer moves to its device's ring.
@Suite struct EventAnswersTests {
  private static let device: DeviceID = "tv"
  private static let rows = "SELECT count(*) FROM answer"

  /// A device's answer to its request of this number.
  private func answer(_ number: Int, of device: DeviceID = device) -> RecordedAnswer {
    RecordedAnswer(
      device: device, request: Int64(number + 100), .answered(.done(seq: number)), number: number)
  }

  private func begin(_ device: DeviceID = device, on scene: JournalScene) {
    var random = RandomValues(seed: 1)
    scene.append(
      Append(
        to: .device(device), after: 0,
        [RecordedEvent(at: JournalScene.start, event: .device(random.deviceEvent()))]))
  }

  /// Appends events to a group, with an answer.
  private func ask(
    _ group: GroupID, after seq: Int, _ answer: RecordedAnswer?, events count: Int = 1,
    on scene: JournalScene
  ) {
    let events = (1...count).map { number in
      RecordedEvent(
        at: JournalScene.start,
        event: .group(seq + number == 1 ? .opened(by: "ann") : .sharingSet("tv", true)))
    }
    scene.append(Append(to: .group(group), after: seq, events, answer: answer))
  }

  private func snapshot(_ group: GroupID, _ seq: Int, on scene: JournalScene) {
    var random = RandomValues(seed: 1)
    scene.journal?.snapshot(.group(random.group(group, seq: seq)))
  }

  private func memory(
    of device: DeviceID = device, in contents: JournalContents
  ) -> AnswerMemory? {
    contents.streams.first { $0.aggregate == .device(device) }?.answers
  }

  private func memory(_ numbers: ClosedRange<Int>) -> AnswerMemory {
    AnswerMemory(numbers.map { answer($0) })
  }

  @Test func `it is beside the first event, and goes to its ring with the snapshot`() throws {
    try JournalScene.run { scene in
      try scene.open()
      begin(on: scene)
      ask("g", after: 0, answer(1), events: 3, on: scene)
      ask("g", after: 3, answer(2), on: scene)
      ask("g", after: 4, answer(3), on: scene)
      try scene.settle()
      #expect(try scene.fetch("SELECT min(seq) FROM event WHERE device = 1 AND stream = 2") == 1)
      #expect(try scene.fetch("SELECT count(device) FROM event") == 3)
      #expect(try scene.fetch("SELECT (SELECT count(*) FROM recent) + (\(Self.rows))") == 0)
      // Moves answers up to the snapshot's event, and no later ones.
      snapshot("g", 4, on: scene)
      try scene.close()
      #expect(try scene.fetch(Self.rows) == 2)
      #expect(try memory(in: scene.open().contents) == memory(1...3))
      snapshot("g", 5, on: scene)
      try scene.close()
      #expect(try scene.fetch(Self.rows) == 3)
      #expect(try memory(in: scene.read().contents) == memory(1...3))
    }
  }

  @Test func `one that goes to its ring late takes no later one's place`() throws {
    try JournalScene.run { scene in
      try scene.open()
      begin(on: scene)
      ask("early", after: 0, answer(1), on: scene)
      for number in 2...5 { ask("late", after: number - 2, answer(number), on: scene) }
      snapshot("late", 4, on: scene)
      snapshot("early", 1, on: scene)
      try scene.close()
      #expect(try scene.fetch("SELECT min(number) FROM answer") == 2)
      #expect(try memory(in: scene.open().contents) == memory(2...5))
      // Nor do answers without events.
      scene.append(Append(to: .device(Self.device), after: 1, [], answer: answer(6)))
      for number in 7...10 { ask("late", after: number - 3, answer(number), on: scene) }
      snapshot("late", 8, on: scene)
      try scene.close()
      try scene.execute("\(JournalSQL.fileRecentAnswers); \(JournalSQL.deleteRecentAnswers)")
      #expect(try memory(in: scene.read().contents) == memory(7...10))
    }
  }

  @Test(arguments: [true, false])
  func `what was answered outlives what it was about`(isSession: Bool) throws {
    try JournalScene.run { scene in
      try scene.open(retention: .zero)
      begin(on: scene)
      let aggregate: AggregateID = isSession ? .session("s") : .user("ann")
      var random = RandomValues(seed: 1)
      let event = random.beginning(of: aggregate.kind)
      scene.append(
        Append(
          to: aggregate, after: 0, [RecordedEvent(at: JournalScene.start, event: event)],
          answer: answer(1)))
      scene.journal?.forget(aggregate)
      // Without retention, the next end deletes the rows of the ended stream.
      ask("g", after: 0, answer(2), on: scene)
      scene.append(
        Append(
          to: .group("g"), after: 1,
          [
            RecordedEvent(at: JournalScene.start + .seconds(1), event: .group(.closed))
          ]))
      scene.journal?.forget(.group("g"))
      try scene.close()
      #expect(try scene.fetch("SELECT count(*) FROM event WHERE stream = 2") == 0)
      #expect(try memory(in: scene.read().contents) == memory(1...2))
    }
  }

  @Test func `history that retention takes has no answer that was not filed`() throws {
    try JournalScene.run { scene in
      try scene.open(retention: .zero)
      begin(on: scene)
      ask("g", after: 0, answer(1), events: 10, on: scene)
      scene.append(
        Append(
          to: .group("g"), after: 10,
          [
            RecordedEvent(
              at: JournalScene.start + .seconds(1), event: .group(.sharingSet("tv", true)))
          ], answer: answer(2)))
      snapshot("g", 10, on: scene)
      try scene.close()
      #expect(try scene.fetch("SELECT count(*) FROM event WHERE stream = 2") == 1)
      #expect(try memory(in: scene.read().contents) == memory(1...2))
    }
  }

  @Test func `what was answered in a stream that nobody understands is remembered`() throws {
    try JournalScene.run { scene in
      try scene.open()
      ask("g", after: 0, nil, on: scene)
      begin(on: scene)
      for number in 1...3 { ask("g", after: number, answer(number), on: scene) }
      try scene.close()
      try scene.rewrite("event", of: 1, seq: 1, #"{"event":"danced"}"#)
      for contents in [try scene.read().contents, try scene.read().contents] {
        #expect(contents.streams.map(\.aggregate) == [.device(Self.device)])
        #expect(memory(in: contents) == memory(1...3))
      }
      #expect(try scene.fetch(Self.rows) == 3)
    }
  }

  @Test func `what a device that is gone was answered is nobody else's`() throws {
    try JournalScene.run { scene in
      try scene.open()
      ask("g", after: 0, nil, on: scene)
      begin(on: scene)
      ask("g", after: 1, answer(1), on: scene)
      scene.journal?.forget(.device(Self.device))
      // Appended while the device exists, and answered when it is gone.
      ask("g", after: 2, answer(2), on: scene)
      try scene.close()
      try scene.open()
      begin("radio", on: scene)
      #expect(try scene.fetch("SELECT count(device) FROM event") == 1)
      try scene.close()
      #expect(try scene.fetch("SELECT max(id) FROM stream") == 3)
      #expect(try memory(of: "radio", in: scene.open().contents) == AnswerMemory())
      snapshot("g", 3, on: scene)
      try scene.close()
      #expect(try scene.fetch(Self.rows) == 0)
    }
  }

  @Test func `a snapshot that cannot be kept leaves them where they are`() throws {
    try JournalScene.run { scene in
      let database = try scene.open().access.database
      begin(on: scene)
      ask("g", after: 0, answer(1), on: scene)
      try scene.settle()
      try database.write { database in
        try database.execute(
          sql: """
            CREATE TEMP TRIGGER full BEFORE INSERT ON snapshot
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
      }
      snapshot("g", 1, on: scene)
      ask("g", after: 1, answer(2), on: scene)
      try scene.settle()
      #expect(scene.outcomes.last?.outcome == .failed)
      try scene.close()
      #expect(try scene.fetch(Self.rows) == 0)
      #expect(try memory(in: scene.read().contents) == memory(1...1))
    }
  }

  @Test func `those who only read find them wherever they are`() throws {
    try JournalScene.run { scene in
      try scene.open()
      begin(on: scene)
      for number in 1...3 { ask("g", after: number - 1, answer(number), on: scene) }
      scene.append(Append(to: .device(Self.device), after: 1, [], answer: answer(4)))
      ask("g", after: 3, answer(5), on: scene)
      snapshot("g", 2, on: scene)
      try scene.close()
      let before = try scene.look()
      #expect(before.answers == [4, 0])
      #expect(before.verified.answers == 4)
      #expect(before.lines.filter { $0.contains(#""type":"answer""#) }.count == 4)
      let copy = try ScratchJournal(before.lines)
      #expect(try copy.exported() == before.lines)
      #expect(try copy.contents().streams.last?.answers == memory(2...5))
      // Without devices, an export contains no answers.
      #expect(try !copy.exported(withSecrets: false).contains { $0.contains("answer") })
    }
  }

  @Test(
    arguments: [
      ("UPDATE event SET outcome = '{}' WHERE seq = 2", "an answer of stream 1 has changed"),
      ("UPDATE event SET slot = 3 WHERE seq = 2", "an answer of stream 1 has changed"),
      ("UPDATE event SET device = 2 WHERE seq = 2", "an answer of stream 2 has changed"),
      ("UPDATE event SET number = 9 WHERE seq = 2", "an answer of stream 1 has changed"),
      ("UPDATE event SET request = 9 WHERE seq = 2", "an answer of stream 1 has changed"),
      ("UPDATE event SET device = NULL WHERE seq = 2", "a row of stream 2 has changed"),
      ("UPDATE event SET sum = sum & 4294967295 WHERE seq = 2", "an answer of stream 1"),
      ("UPDATE event SET at = at + 1 WHERE seq = 2", "a row of stream 2 has changed"),
    ])
  func `damage to either part of the row is found and named`(sql: String, complaint: String) throws
  {
    for isFiled in [false, true] {
      try JournalScene.run { scene in
        try scene.open()
        begin(on: scene)
        for number in 1...3 { ask("g", after: number - 1, answer(number), on: scene) }
        if isFiled { snapshot("g", 3, on: scene) }
        try scene.close()
        #expect(try JournalArchive(scene.path).verify().answers == 3)
        try scene.execute(sql)
        let found = try JournalArchive(scene.path).verify().damage
        #expect(found.contains { $0.contains(complaint) }, "\(found)")
        #expect(try scene.read().contents.notices.first?.contains("is damaged") == true)
      }
    }
  }

  /// The damage, how far the group continues, and what the device remembers; `nil` if it is gone.
  @Test(
    arguments: [
      // The answer stays, because it is readable.
      ("UPDATE event SET body = '{}' WHERE seq = 3", 2, 1...3),
      ("UPDATE event SET body = '{}' WHERE seq = 2", 1, 1...3),
      // Event and answer are both gone, so the request may be carried out again.
      ("UPDATE event SET body = '{}', outcome = '{}' WHERE seq = 3", 2, 1...2),
      ("DELETE FROM event WHERE seq = 3", 2, 1...2),
      // An event without its answer is dropped.
      ("UPDATE event SET outcome = '{}' WHERE seq = 3", 2, 1...2),
      // A later answer is there, but an earlier one is missing.
      ("UPDATE event SET outcome = '{}' WHERE seq = 2", 1, nil),
      ("DELETE FROM recent", 3, 1...3),
    ])
  func `of a damaged file a device goes on that lacks no answer but with its event`(
    sql: String, last: Int, numbers: ClosedRange<Int>?
  ) throws {
    try JournalScene.run { scene in
      try scene.open()
      begin(on: scene)
      for number in 1...3 { ask("g", after: number - 1, answer(number), on: scene) }
      try scene.close()
      try scene.execute("\(sql); UPDATE tally SET live = 7")
      let contents = try scene.read().contents
      #expect(contents.notices.first?.contains("is damaged") == true)
      #expect(contents.streams.first?.events.count == last)
      #expect(memory(in: contents) == numbers.map { memory($0) })
      #expect(try scene.read().contents.streams == contents.streams)
    }
  }

  /// A refusal of the moment takes a number and is not kept.
  @Test(arguments: [
    // An event of a group that has ended, and one of a group that goes on.
    ("UPDATE event SET body = '{}' WHERE stream = 3", true),
    ("UPDATE event SET body = '{}' WHERE stream = 2 AND seq = 3", false),
  ])
  func `a gap in a device's numbers is a missing answer only where an event may be missing`(
    sql: String, goesOn: Bool
  ) throws {
    try JournalScene.run { scene in
      try scene.open()
      begin(on: scene)
      let answers = [2, 3, 5].map { answer($0) }
      for (seq, answer) in answers.enumerated() { ask("g", after: seq, answer, on: scene) }
      ask("old", after: 0, nil, on: scene)
      scene.append(JournalScene.closing("old", after: 1))
      scene.journal?.forget(.group("old"))
      try scene.close()
      try scene.execute("\(sql); UPDATE tally SET live = 7")
      let contents = try scene.read().contents
      #expect(contents.notices.first?.contains("is damaged") == true)
      #expect(memory(in: contents) == (goesOn ? AnswerMemory(answers) : nil))
    }
  }

  /// Earlier answers fill a ring, so a missing latest answer cannot be noticed.
  @Test func `where rings are damaged, a device goes on only if its own is there as a whole`()
    throws
  {
    try JournalScene.run { scene in
      try scene.open()
      begin(on: scene)
      begin("phone", on: scene)
      for number in 1...4 { ask("late", after: number - 1, answer(number), on: scene) }
      ask("early", after: 0, answer(5), on: scene)
      ask("early", after: 1, answer(1, of: "phone"), on: scene)
      snapshot("early", 2, on: scene)
      try scene.close()
      #expect(try memory(in: scene.read().contents) == memory(2...5))
      try scene.execute(
        """
        DELETE FROM answer WHERE number = 5; UPDATE answer SET body = '{}'; UPDATE tally SET live = 7
        """)
      let contents = try scene.read().contents
      #expect(contents.notices.first?.contains("is damaged") == true)
      #expect(memory(in: contents) == nil)
    }
  }
}
