import DatabaseTesting
import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// The own machine of a server whose journal others share: its data directory.
struct StandbyMachine {
  let folder: ScratchFolder
  private let options: [String]

  /// - Parameter keys: options that name files of this machine, and those files.
  init(
    _ database: String, _ options: [String] = [], keys: KeyValuePairs<String, String> = [:]
  ) throws {
    let folder = try ScratchFolder()
    self.folder = folder
    self.options =
      ["--journal", database] + options + keys.flatMap { [$0, folder.path(of: $1)] }
  }

  private var wrapper: [String] { ["env", "XDG_DATA_HOME=\(folder.path)"] }

  func serve(on test: TestLoop) throws -> (server: Program, port: UInt16) {
    try Program.serve(options, by: wrapper, on: test)
  }

  func standBy(on test: TestLoop) throws -> Program {
    try Program.standBy(options, by: wrapper, on: test)
  }

  /// Writes a key file as an operator does.
  func write(_ text: String, to file: String) throws {
    let path = folder.path(of: file)
    _ = FileManager.default.createFile(
      atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
  }

  func secret(_ name: String) throws -> String { try content(of: "matinee/journal.\(name)") }

  func content(of file: String) throws -> String {
    try String(contentsOfFile: folder.path(of: file), encoding: .utf8)
  }

  /// A database with the tables of a journal.
  static func migrated(_ server: DatabaseServer) throws -> String {
    let database = try server.makeDatabase()
    try TestLoop.run { test in
      let migration = try Program.run(["journal", "migrate", "--journal", database], on: test)
      #expect(migration.ending == .exited(code: 0), "\(migration.errorOutput)")
    }
    return database
  }
}
