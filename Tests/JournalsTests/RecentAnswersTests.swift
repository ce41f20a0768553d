import Coordination
import GRDB
import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire
import WireTesting

@testable import Journals

/// Answers without events are appended to one table, and move to the rings of their devices in
/// large batches.
@Suite struct RecentAnswersTests {
  /// Devices that send requests, and the answers that each must remember.
  private struct Askers {
    var random: RandomValues
    private(set) var memories: [DeviceID: AnswerMemory] = [:]
    private var asked: [DeviceID: Int] = [:]
    private var request: RequestID = 0

    init(seed: UInt64) {
      random = RandomValues(seed: seed)
    }

    mutating func begin(_ device: DeviceID, on scene: JournalScene) {
      memories[device] = AnswerMemory()
      asked[device] = 0
      scene.append(
        Append(
          to: .device(device), after: 0,
          [RecordedEvent(at: JournalScene.start, event: .device(random.deviceEvent()))]))
    }

    mutating func forget(_ device: DeviceID, on scene: JournalScene) {
      memories[device] = nil
      scene.journal?.forget(.device(device))
    }

    /// - Parameter isKept: whether the journal can store the answer.
    mutating func ask(
      _ count: Int, of devices: [DeviceID], isKept: Bool = true, on scene: JournalScene
    ) {
      for _ in 0..<count {
        let device = devices[random.number(0...devices.count - 1)]
        request += 1
        if isKept { asked[device, default: 0] += 1 }
        let answer = RecordedAnswer(
          device: device, request: request, random.outcome(),
          number: asked[device, default: 0] + (isKept ? 0 : 1))
        scene.append(Append(to: .device(device), after: 1, [], answer: answer))
        if isKept { memories[device]?.keep(answer, limit: JournalScene.answers) }
      }
    }
  }

  private static let devices = (1...30).map { DeviceID("tv-\($0)") }

  private func expect(_ askers: Askers, in file: JournalFile, _ comment: Comment? = nil) {
    var found: [DeviceID: AnswerMemory] = [:]
    for stream in file.contents.streams {
      guard case .device(let device) = stream.aggregate else { continue }
      found[device] = stream.answers
    }
    #expect(found == askers.memories, comment)
  }

  private func recentCount(_ scene: JournalScene) throws -> Int {
    try scene.fetch("SELECT count(*) FROM recent")
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `however many came, a start finds the last ones of each device`(seed: UInt64) throws {
    try JournalScene.run { scene in
      var askers = Askers(seed: seed)
      try scene.open()
      for device in Self.devices { askers.begin(device, on: scene) }
      var counts: Set<Bool> = []
      for count in [1, 700, 3000, 900, 5] {
        // Settles between rounds, because streams of devices with the same name are distinguished
        // only by id.
        for _ in 0..<10 {
          askers.ask(count / 10 + 1, of: Self.devices, on: scene)
          try scene.settle()
        }
        let device = Self.devices[askers.random.number(0...Self.devices.count - 1)]
        askers.forget(device, on: scene)
        askers.begin(device, on: scene)
        try scene.close()
        expect(askers, in: try scene.open(), "seed \(seed), \(count)")
        let recent = try recentCount(scene)
        #expect(recent <= JournalStore.recentAnswersMaximum + count)
        counts.insert(recent == 0)
      }
      #expect(try scene.fetch("SELECT count(*) FROM answer") > 0)
      #expect(
        try scene.fetch(
          "SELECT max(slots) FROM (SELECT count(*) AS slots FROM answer GROUP BY stream)")
          <= JournalScene.answers)
    }
  }

  @Test func `a device that is forgotten leaves none, filed or not`() throws {
    try JournalScene.run { scene in
      var askers = Askers(seed: 1)
      try scene.open()
      for device in Self.devices { askers.begin(device, on: scene) }
      askers.ask(JournalStore.recentAnswersMaximum, of: Self.devices, on: scene)
      try scene.settle()
      askers.ask(100, of: Self.devices, on: scene)
      try scene.settle()
      #expect(try recentCount(scene) == 100)
      #expect(try scene.fetch("SELECT count(*) FROM answer") > 0)
      for device in Self.devices { askers.forget(device, on: scene) }
      try scene.close()
      for table in ["stream", "answer", "recent"] {
        #expect(try scene.fetch("SELECT count(*) FROM \(table)") == 0, "\(table)")
      }
    }
  }

  @Test func `where filing fails nothing is lost, and the next batch tries again`() throws {
    try JournalScene.run { scene in
      var askers = Askers(seed: 1)
      let database = try scene.open().access.database
      for device in Self.devices { askers.begin(device, on: scene) }
      askers.ask(JournalStore.recentAnswersMaximum, of: Self.devices, on: scene)
      try scene.settle()
      try database.write { database in
        try database.execute(
          sql: """
            CREATE TEMP TRIGGER full BEFORE INSERT ON answer
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
      }
      for _ in 1...2 {
        askers.ask(1, of: Self.devices, isKept: false, on: scene)
        try scene.settle()
        #expect(scene.outcomes.last?.outcome == .failed)
      }
      try database.write { try $0.execute(sql: "DROP TRIGGER full") }
      askers.ask(1, of: Self.devices, on: scene)
      try scene.settle()
      #expect(scene.outcomes.last?.outcome == .kept)
      #expect(try recentCount(scene) == 1)
      try scene.close()
      expect(askers, in: try scene.read())
    }
  }

  @Test func `those who only read find them wherever they are`() throws {
    try JournalScene.run { scene in
      var askers = Askers(seed: 1)
      try scene.open()
      for device in Self.devices { askers.begin(device, on: scene) }
      askers.ask(JournalStore.recentAnswersMaximum, of: Self.devices, on: scene)
      try scene.settle()
      askers.ask(100, of: Self.devices, on: scene)
      try scene.close()
      let recent = try scene.look()
      #expect(try recentCount(scene) == 100)
      #expect(recent.verified.damage == [])
      #expect(recent.verified.answers == recent.answers.reduce(0, +))
      try scene.execute(
        "\(JournalSQL.fileRecentAnswers); \(JournalSQL.deleteRecentAnswers)")
      let filed = try scene.look()
      #expect(filed.answers == recent.answers)
      #expect(filed.lines == recent.lines)
      #expect(filed.verified.answers == recent.verified.answers)
      let copy = try ScratchJournal(recent.lines)
      #expect(try copy.exported() == recent.lines)
    }
  }

  @Test(
    arguments: [
      ("UPDATE recent SET body = '{}' WHERE id = 50", "an answer of stream"),
      ("UPDATE recent SET slot = (slot + 1) % 4 WHERE id = 50", "an answer of stream"),
      ("UPDATE recent SET stream = 99 WHERE id = 50", "1 rows of the table recent belong to no"),
    ])
  func `damage among them is found and named`(sql: String, complaint: String) throws {
    try JournalScene.run { scene in
      var askers = Askers(seed: 1)
      try scene.open()
      for device in Self.devices { askers.begin(device, on: scene) }
      askers.ask(100, of: Self.devices, on: scene)
      try scene.close()
      try scene.execute(
        "DELETE FROM recent WHERE id < 50 AND stream = (SELECT stream FROM recent WHERE id = 50)")
      try scene.execute(sql)
      let found = try JournalArchive(scene.path).verify().damage
      #expect(found.contains { $0.contains(complaint) }, "\(found)")
      #expect(try scene.read().contents.notices.first?.contains("is damaged") == true)
    }
  }

  /// Which devices continue after damage: all, none, or those with full rings.
  enum Surviving { case all, none, full }

  @Test(
    arguments: [
      ("UPDATE event SET body = '{}' WHERE stream = 31", Surviving.all),
      ("UPDATE recent SET body = '{}' WHERE id = (SELECT max(id) FROM recent)", .none),
      ("DROP TABLE recent", .none),
      ("UPDATE answer SET body = '{}' WHERE stream = 1 AND slot = 1", .full),
    ])
  func `of a damaged file devices go on of which no answer may be missing`(
    sql: String, surviving: Surviving
  ) throws {
    try JournalScene.run { scene in
      var askers = Askers(seed: 1)
      try scene.open()
      for device in Self.devices { askers.begin(device, on: scene) }
      scene.append(
        Append(
          to: .group("g"), after: 0,
          [RecordedEvent(at: JournalScene.start, event: .group(.opened(by: "ann")))]))
      let (busy, quiet) = (Array(Self.devices[..<20]), Array(Self.devices[20...]))
      askers.ask(2 * JournalStore.recentAnswersMaximum, of: busy, on: scene)
      try scene.settle()
      for device in quiet { askers.ask(2, of: [device], on: scene) }
      askers.ask(100, of: busy, on: scene)
      try scene.close()
      try scene.execute(sql)
      let file = try scene.read()
      #expect(file.contents.notices.first?.contains("is damaged") == true)
      let found = file.contents.streams.filter { $0.aggregate != .group("g") }
      switch surviving {
      case .all: expect(askers, in: file)
      case .none: #expect(found.isEmpty)
      case .full:
        // A recent answer may have replaced the damaged one.
        #expect((busy.count - 1...busy.count).contains(found.count))
        for stream in found {
          guard case .device(let device) = stream.aggregate else { continue }
          #expect(stream.answers == askers.memories[device])
          #expect(busy.contains(device))
        }
      }
    }
  }
}
