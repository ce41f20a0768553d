import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// A server with keys, and people who each have a machine of their own, as far as files go.
final class KeyedServer {
  let folder: ScratchFolder
  let port: UInt16
  /// The link that opens groups.
  let foundingLink: String
  private(set) var server: Program
  private let options: [String]
  private let test: TestLoop
  /// What earlier starts logged.
  private var earlierLog = ""

  init(_ more: [String] = [], on test: TestLoop) throws {
    self.test = test
    folder = try ScratchFolder()
    _ = try PrivateFile.make(folder.path(of: "admin.key"), Array(PushTests.key.utf8))
    options =
      [
        // In a directory that does not exist yet, as at a server's first start.
        "--access", "keys", "--journal", "sqlite:\(folder.path(of: "new/journal.sqlite"))",
        "--log-level", "trace",
        "--admin-key-file", folder.path(of: "admin.key"),
      ] + more
    let (server, port) = try Program.serve(options, on: test)
    (self.server, self.port) = (server, port)
    foundingLink = try server.foundingLink(on: test)
  }

  /// The file with the server's secret.
  var accessKeyFile: String { folder.path(of: "new/journal.sqlite.access-key") }

  /// The journal, as options name it.
  var journal: String { "sqlite:\(folder.path(of: "new/journal.sqlite"))" }

  var address: String { "127.0.0.1:\(port)" }

  /// What all starts of the server logged.
  var log: String { earlierLog + server.errorOutput }

  func restart() throws {
    try stop()
    (server, _) = try Program.serve(options, port: port, on: test)
  }

  func stop() throws {
    server.kill(.terminate)
    try test.run { self.server.hasEnded }
    earlierLog = log
  }

  /// The variables of a person's machine.
  func environment(of machine: String) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_STATE_HOME"] = folder.path(of: machine)
    return environment
  }

  /// The paths of the credentials on a machine.
  func credentials(of machine: String) throws -> [String] {
    let path = folder.path(of: machine) + "/matinee/credentials"
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).map { "\(path)/\($0)" }
  }

  /// Starts a command on a person's machine.
  func start(_ arguments: [String], on machine: String) throws -> Program {
    try Program(arguments, environment: environment(of: machine), on: test, takesInput: true)
  }

  /// Runs a command on a person's machine to its end.
  func run(_ arguments: [String], on machine: String) throws -> Program {
    try Program.run(arguments, environment: environment(of: machine), on: test)
  }

  /// Starts `matinee join` on a machine.
  func join(_ name: String, _ arguments: [String], on machine: String? = nil) throws -> Program {
    try start(["join", "--as", name, "--player", "simulated"] + arguments, on: machine ?? name)
  }

  /// Joins by the options for those who need no link.
  func joinAgain(_ name: String, on machine: String? = nil) throws -> Program {
    try join(name, ["--server", address, "--group", "friday"], on: machine)
  }

  /// Has a person found the group `friday`, and waits until they are in it.
  func found(as name: String) throws -> Program {
    let founder = try join(name, [foundingLink, "--group", "friday"])
    try test.run { founder.output.contains("invite others with: ") || founder.hasEnded }
    return founder
  }

  /// The link of the group, as a person's command prints it.
  func link(of name: String) throws -> String {
    let invite = try run(["invite", "friday", "--server", address, "--as", name], on: name)
    #expect(invite.ending == .exited(code: 0), "\(invite.errorOutput)")
    return String(invite.output.dropLast())
  }

  /// Runs a command of the administrator.
  func admin(_ arguments: [String]) throws -> Program {
    try Program.run(
      ["admin"] + arguments
        + ["--admin-key-file", folder.path(of: "admin.key"), "--server", address],
      on: test)
  }
}

@available(*, unavailable)
extension KeyedServer: Sendable {}
