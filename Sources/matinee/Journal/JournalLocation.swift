import ArgumentParser
import EventLoops
import Foundation
import Journals
import PostgreSQL

/// Where a server keeps its journal.
enum JournalLocation: Equatable, CustomStringConvertible {
  case memory
  case sqlite(path: String)
  case postgresql(PostgreSQLAddress)

  /// Where the server's secrets lie, without the ends of their names; `nil` if they lie nowhere.
  ///
  /// Those of a server whose journal is in PostgreSQL lie in the user's data directory.
  var besideIt: String? {
    switch self {
    case .memory: nil
    case .sqlite(let path): path
    case .postgresql: Self.besideDatabases
    }
  }

  /// The same for a database.
  static var besideDatabases: String { "\(dataDirectory)/journal" }

  /// The database; `nil` if it is no database.
  var database: PostgreSQLAddress? {
    if case .postgresql(let address) = self { address } else { nil }
  }

  /// For people, without a password.
  var description: String {
    switch self {
    case .memory: "memory"
    case .sqlite(let path): path
    case .postgresql(let address): address.description
    }
  }

  static var standard: JournalLocation { .sqlite(path: "\(dataDirectory)/journal.sqlite") }

  static let standardText = "sqlite:$XDG_DATA_HOME/matinee/journal.sqlite"

  /// Makes the user's data directory, in which the secrets of a server lie.
  static func makeDataDirectory() throws(UVError) {
    try PrivateDirectory.make(at: dataDirectory)
  }

  /// The user's data directory, by the XDG Base Directory Specification.
  private static var dataDirectory: String {
    let environment = ProcessInfo.processInfo.environment
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? "\(environment["HOME"] ?? ".")/.local/share"
    return "\(data)/matinee"
  }

  /// Opens it for reading; an error ends the program.
  func archive() throws -> JournalArchive {
    do throws(JournalError) {
      return try opened()
    } catch {
      throw complaint("\(error)", error.readingExitCode)
    }
  }

  func opened() throws(JournalError) -> JournalArchive {
    switch self {
    case .memory: throw .failed(path: "memory", reason: "it exists only inside its server")
    case .sqlite(let path): try JournalArchive(path)
    case .postgresql(let address): try JournalArchive(copyOf: address)
    }
  }

  /// Refuses a journal in memory, where there is nothing to read.
  func mustBeStored() throws(ValidationError) {
    guard self == .memory else { return }
    throw ValidationError(
      "--journal takes sqlite:PATH or postgresql://USER@HOST/DATABASE here: a journal in memory "
        + "exists only inside its server")
  }
}

extension JournalLocation: ExpressibleByArgument {
  init?(argument: String) {
    if argument == "memory" {
      self = .memory
    } else if argument.hasPrefix("sqlite:"), argument.count > "sqlite:".count {
      self = .sqlite(path: String(argument.dropFirst("sqlite:".count)))
    } else if argument.hasPrefix("postgresql://") || argument.hasPrefix("postgres://") {
      do throws(PostgreSQLError) {
        self = .postgresql(try PostgreSQLAddress(argument))
      } catch {
        return nil
      }
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { Self.standardText }
}
