import Coordination
import EventLoops
import Foundation
import GRDB
import LoopTesting
import Testing
import Vocabulary

@testable import Journals

/// A journal in its own directory, and its recorded outcomes.
final class JournalScene: JournalDelegate {
  let test: TestLoop
  let directory: PrivateDirectory
  private(set) var journal: SQLiteJournal?
  /// The outcomes of appends, in order.
  private(set) var outcomes: [(append: Append, outcome: AppendOutcome)] = []
  /// The reported failures and recoveries.
  private(set) var complaints: [String?] = []
  private var appended = 0

  /// How many answers of a device are remembered.
  static let answers = 4
  static let start = Instant(microseconds: 1_700_000_000_000_000)

  /// Passes a scene with a temporary directory to `body`.
  static func run(_ body: (JournalScene) throws -> Void) throws {
    let directory = try PrivateDirectory(prefix: "matinee-journal-")
    try TestLoop.run { test in
      let scene = JournalScene(test, directory)
      try body(scene)
      try scene.close()
    }
    try FileManager.default.removeItem(atPath: directory.path)
  }

  private init(_ test: TestLoop, _ directory: PrivateDirectory) {
    self.test = test
    self.directory = directory
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
    let journal = try SQLiteJournal(file, on: test.loop)
    journal.delegate = self
    self.journal = journal
    return file
  }

  func append(_ append: Append) {
    appended += 1
    journal?.append(append)
  }

  /// Waits until every append is answered.
  func settle() throws {
    try test.run { [self] in outcomes.count == appended }
  }

  func close() throws {
    guard let journal else { return }
    journal.close()
    try settle()
    try test.run { journal.isClosed }
    self.journal = nil
  }

  /// Runs SQL on the closed file, to simulate a mistake or a newer build.
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

  func journal(_ journal: any Journal, didAppend append: Append, _ outcome: AppendOutcome) {
    outcomes.append((append, outcome))
  }

  func journal(_ journal: any Journal, isFailingWith reason: String?) {
    complaints.append(reason)
  }
}

@available(*, unavailable)
extension JournalScene: Sendable {}
