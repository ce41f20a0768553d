internal import Foundation
internal import Stages

/// A real PostgreSQL server for tests, which listens on a socket in a directory of its own.
///
/// It ends with the process that started it, or with this object.
package final class DatabaseServer: Sendable {
  /// What a test does to it.
  package enum Command: String, Sendable {
    case start
    /// `kill -9` for all its processes.
    case kill
    /// All its processes stop where they are.
    case freeze
    case thaw
    /// It ends in an orderly way, and ends its connections.
    case stop
    /// A second server keeps what it keeps, and a commit waits for both.
    case standby
    /// The second server takes writes.
    case promote
  }

  private let input: FileHandle
  private let output: FileHandle
  private let directory: String

  package struct Failure: Error {}

  /// Starts a server and waits until it takes connections.
  package init() throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/bin/bash")
    // Its processes are killed, but never the machine.
    process.arguments = [
      "-c", DatabaseScript.text, "database-server", "-c", "fsync=off",
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
    directory = try Self.line(from: self.output)
  }

  /// Does something to it, and waits until that is done.
  package func command(_ command: Command) throws {
    try begin([command])
    try finish([command])
  }

  /// Begins to do something to it; ``finish(_:)`` must follow.
  package func begin(_ commands: [Command]) throws {
    for command in commands {
      try input.write(contentsOf: Data("\(command.rawValue)\n".utf8))
    }
  }

  /// Waits until what was begun is done.
  package func finish(_ commands: [Command]) throws {
    for _ in commands {
      guard try Self.line(from: output) == "done" else { throw Failure() }
    }
  }

  /// The address of one of its databases.
  package func address(of database: String) -> String {
    "postgresql:///\(database)?host=\(directory)&user=matinee"
  }

  /// The address of a database at it or at its standby, whichever takes writes.
  package func addressWithStandby(of database: String) -> String {
    "postgresql:///\(database)?host=\(directory),\(directory)/standby&user=matinee"
  }

  /// Makes a database, and returns its address.
  package func makeDatabase() throws -> String {
    let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: "_"))"
    try run("CREATE DATABASE \(name)", in: "postgres")
    return address(of: name)
  }

  /// Runs SQL by PostgreSQL's own client, and returns what it prints: a row a line, the values with
  /// bars between them.
  @discardableResult
  package func run(_ sql: String, in database: String) throws -> String {
    try Self.run(sql, at: address(of: database))
  }

  /// Runs SQL in the database of an address.
  @discardableResult
  package static func run(_ sql: String, at address: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql,
    ]
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure() }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  private static func line(from output: FileHandle) throws -> String {
    var bytes: [UInt8] = []
    while let byte = try output.read(upToCount: 1)?.first {
      guard byte != UInt8(ascii: "\n") else { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    throw Failure()
  }

  /// The server that tests share which do nothing to it but make databases.
  package static func shared() throws -> DatabaseServer { try common.get() }

  private static let common = Result { try DatabaseServer() }
}
