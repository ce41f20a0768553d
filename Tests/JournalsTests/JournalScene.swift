import Coordination
import DatabaseTesting
import EventLoops
import Foundation
import GRDB
import GroupSessions
import LoopTesting
import Naming
import PostgreSQL
import Testing
import Vocabulary

@testable import Journals

/// A journal in its own directory, and its recorded outcomes.
final class JournalScene: JournalDelegate {
  let test: TestLoop
  let directory: PrivateDirectory
  private(set) var journal: StoredJournal?
  /// The database's address; `nil` if the journal is a file.
  private let database: String?
  /// The outcomes of appends, in order.
  private(set) var outcomes: [(append: Append, outcome: AppendOutcome)] = []
  /// How long each of them took.
  private(set) var times: [Duration] = []
  /// The appends whose outcome was not known, in order of the reports.
  private(set) var doubts: [Append] = []
  /// The reported failures and recoveries.
  private(set) var complaints: [String?] = []
  /// The reported absences and returns of the database.
  private(set) var absences: [String?] = []
  /// How far the database's clock was reported to be ahead, and that it agrees again.
  private(set) var clockDifferences: [Duration?] = []
  /// How often the journal has told that it was measured.
  private(set) var measures = 0
  /// Why the server cannot go on with the journal; `nil` if it can.
  private(set) var replacement: String?
  var isReplaced: Bool { replacement != nil }
  private var appended = 0

  /// How many answers of a device are remembered.
  static let answers = 4
  static let start = Instant(microseconds: 1_700_000_000_000_000)

  /// The append that begins a group.
  static func opening(_ name: String) -> Append {
    Append(
      to: .group(GroupID(name)), after: 0,
      [RecordedEvent(at: start, event: .group(.opened(by: "ann")))])
  }

  /// The append of a group's last event.
  static func closing(_ name: String, after seq: Int, at now: Instant = start) -> Append {
    Append(
      to: .group(GroupID(name)), after: seq, [RecordedEvent(at: now, event: .group(.closed))])
  }

  /// What keeps a journal.
  enum Keeper: CaseIterable, Sendable {
    case sqlite
    case postgresql
  }

  /// Passes a scene with a temporary directory to `body`, and with a new database if it needs one.
  static func run(
    on keeper: Keeper = .sqlite, _ body: (JournalScene) throws -> Void
  ) throws {
    var database: String?
    if keeper == .postgresql {
      database = try DatabaseServer.shared().makeDatabase()
      _ = try database.map { try PostgreSQLMigration.run(PostgreSQLAddress($0)) }
    }
    try run(in: database, body)
  }

  /// Passes a scene with a migrated database, or with a file, to `body`.
  static func run(in database: String?, _ body: (JournalScene) throws -> Void) throws {
    let directory = try PrivateDirectory(prefix: "matinee-journal-")
    try TestLoop.run { test in
      let scene = JournalScene(test, directory, database)
      try body(scene)
      try scene.close()
    }
    try FileManager.default.removeItem(atPath: directory.path)
  }

  private init(_ test: TestLoop, _ directory: PrivateDirectory, _ database: String?) {
    self.test = test
    self.directory = directory
    self.database = database
  }

  var path: String { directory.path(of: "journal.sqlite") }

  /// The names of the files in the directory, without the lock.
  var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: directory.path)
        .filter { !$0.hasSuffix(".lock") }.sorted()
    }
  }

  /// Opens the file without a journal on it.
  func read(
    retention: Duration = .seconds(3600), at now: Instant = JournalScene.start
  ) throws(JournalError) -> JournalFile {
    var limits = Limits()
    limits.rememberedAnswers = Self.answers
    return try JournalFile(path, retention: retention, limits: limits, at: now)
  }

  /// Opens the file and a journal on it.
  @discardableResult
  func open(
    retention: Duration = .seconds(3600), at now: Instant = JournalScene.start
  ) throws -> JournalFile {
    let file = try read(retention: retention, at: now)
    let journal = try file.journal(on: test.loop)
    journal.delegate = self
    self.journal = journal
    return file
  }

  /// Opens the journal, wherever it is kept, without going on with it.
  func opened(
    retention: Duration = .seconds(3600), at now: Instant = JournalScene.start,
    answers: Int = JournalScene.answers
  ) throws -> any OpenedJournal {
    var limits = Limits()
    limits.rememberedAnswers = answers
    guard let database else {
      return try JournalFile(path, retention: retention, limits: limits, at: now)
    }
    return try PostgreSQLOpening(
      PostgreSQLAddress(database), retention: retention, limits: limits, at: now)
  }

  /// Opens the journal, wherever it is kept, and goes on with it.
  func begin(
    retention: Duration = .seconds(3600), at now: Instant = JournalScene.start
  ) throws {
    journal = try opened(retention: retention, at: now).journal(on: test.loop)
    journal?.delegate = self
  }

  /// Makes writes to a table fail, or work again.
  func setFull(_ isFull: Bool, _ operation: String, _ table: String, when: String = "true") throws {
    if let database {
      try DatabaseServer.run(
        isFull
          ? """
          CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$;
          CREATE TRIGGER full_disk BEFORE \(operation) ON matinee.\(table) FOR EACH ROW
            WHEN (\(when)) EXECUTE FUNCTION full_disk()
          """
          : "DROP TRIGGER full_disk ON matinee.\(table); DROP FUNCTION full_disk", at: database)
    } else {
      try execute(
        isFull
          ? """
          CREATE TRIGGER full_disk BEFORE \(operation) ON \(table) WHEN \(when)
          BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
          """
          : "DROP TRIGGER full_disk")
    }
  }

  /// Opens the journal for reading, wherever it is kept.
  func archive() throws -> JournalArchive {
    try database.map { try JournalArchive(copyOf: PostgreSQLAddress($0)) } ?? JournalArchive(path)
  }

  /// Waits until the journal has told of a failure or a recovery.
  func awaitComplaint(_ isExpected: @escaping (String?) -> Bool) throws {
    try test.run { [self] in complaints.last.map(isExpected) == true }
  }

  /// Waits until the journal has told that its database is away, or is back.
  func awaitAbsence(_ isAway: Bool) throws {
    try test.run { [self] in absences.last.map { ($0 != nil) == isAway } == true }
  }

  /// Waits until that many appends are answered.
  func awaitOutcomes(_ count: Int) throws {
    try test.run { [self] in outcomes.count == count }
  }

  /// Waits until no failure is left.
  func awaitRecovery() throws {
    try test.run { [self] in complaints.last.map { $0 == nil } ?? true }
  }

  func append(_ append: Append) {
    appended += 1
    journal?.append(append)
  }

  /// Waits until every append is answered.
  func settle() throws {
    try test.run { [self] in outcomes.count == appended }
  }

  /// - Parameter isAnswered: whether every append is answered before.
  func close(isAnswered: Bool = true) throws {
    guard let journal else { return }
    journal.close()
    if isAnswered { try settle() }
    try test.run { journal.isClosed }
    self.journal = nil
  }

  /// Runs SQL on the file, to simulate a mistake or a newer build.
  func execute(_ sql: String) throws {
    let database = try DatabaseQueue(path: path)
    try database.writeWithoutTransaction { try $0.execute(sql: sql) }
    try database.close()
  }

  func fetch(_ sql: String) throws -> Int {
    let database = try DatabaseQueue(path: path)
    defer { withExtendedLifetime(database) {} }
    return try database.read { try Int.fetchOne($0, sql: sql) ?? 0 }
  }

  /// The content of the closed file: the number of answers by stream, the result of `verify`, and
  /// the export's lines.
  func look() throws -> (answers: [Int], verified: JournalVerification, lines: [String]) {
    let archive = try JournalArchive(path)
    var bytes: [UInt8] = []
    try archive.export(withSecrets: true) { bytes += $0 }
    return (
      try archive.overview().streams.map(\.answers), try archive.verify(),
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    )
  }

  func journal(
    _ journal: any Journal, didAppend append: Append, _ outcome: AppendOutcome,
    after time: Duration
  ) {
    guard outcome != .unknown else { return doubts.append(append) }
    outcomes.append((append, outcome))
    times.append(time)
  }

  func journal(_ journal: any Journal, isFailingWith reason: String?) {
    complaints.append(reason)
  }

  func journal(_ journal: any Journal, isUnreachableBecause reason: String?) {
    absences.append(reason)
  }

  func journal(_ journal: any Journal, clockIsAheadBy difference: Duration?) {
    clockDifferences.append(difference)
  }

  func journalDidMeasure(_ journal: any Journal) { measures += 1 }

  func journalIsReplaced(_ journal: any Journal, because reason: String) {
    replacement = reason
  }
}

@available(*, unavailable)
extension JournalScene: Sendable {}
