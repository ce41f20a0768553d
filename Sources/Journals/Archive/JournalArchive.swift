import Foundation
import GRDB

/// A journal's file for those who only read it: it works while a server writes to it, asks for no
/// lock, and changes nothing.
///
/// Each question is answered from one moment of the file (a read transaction of SQLite's
/// write-ahead log); the server goes on writing meanwhile.
package struct JournalArchive: Sendable {
  /// Where the file is.
  package let path: String
  let database: DatabaseQueue

  /// How long to wait where a server is just folding its log into the file.
  private static let patience = 5.0

  /// Opens a file.
  ///
  /// - Throws: that there is none, that it is no journal or damaged, or that another Matinee wrote
  ///   it than this one can read.
  package init(_ path: String) throws(JournalError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .failed(path: path, reason: "there is no such file")
    }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(Self.patience)
    do {
      database = try DatabaseQueue(path: path, configuration: configuration)
      self.path = path
      try database.read { try Self.check($0, path) }
    } catch {
      throw JournalError(error, path)
    }
  }

  private static func check(_ database: Database, _ path: String) throws {
    let migrator = JournalSchema.migrator
    guard try JournalSchema.isJournal(database), try !migrator.appliedIdentifiers(database).isEmpty
    else {
      throw JournalError.unreadable(path: path, reason: "it is no journal of Matinee's")
    }
    guard try !migrator.hasBeenSuperseded(database) else { throw JournalError.newer(path: path) }
    guard try migrator.hasCompletedMigrations(database) else {
      throw JournalError.unreadable(
        path: path, reason: "an older Matinee wrote it; let matinee serve open it once")
    }
  }

  /// What the body makes of one moment of the file.
  func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    do {
      return try database.read(body)
    } catch let error as UnreadableRecord {
      throw .unreadable(path: path, reason: error.description)
    } catch {
      throw JournalError(error, path)
    }
  }
}
