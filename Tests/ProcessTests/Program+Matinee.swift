import EventLoops
import LoopTesting
import ProgramTesting
import Testing

extension Program {
  /// Starts `matinee join` with a simulated player.
  static func join(
    _ name: String, _ port: UInt16, _ more: [String] = [], on test: TestLoop
  ) throws -> Program {
    try Program(
      [
        "join", "--server", "127.0.0.1:\(port)", "--group", "friday", "--as", name, "--player",
        "simulated",
      ] + more, on: test, takesInput: true)
  }

  /// Types a line.
  func say(_ line: String) throws {
    try input?.write(SharedBytes(line + "\n"))
  }

  /// The link that opens groups, once a server with keys has printed all of its line.
  ///
  /// The log says that the server listens by another stream, which may be read first.
  func foundingLink(on test: TestLoop) throws -> String {
    try test.run { [self] in output.contains("'\n") || hasEnded }
    return try String(#require(output.firstMatch(of: /'(matinee[^']+)'/)).1)
  }

  /// The server's port for Syncplay's clients; `nil` if there is none.
  var syncplayPort: UInt16? { port(of: "serving clients of Syncplay") }
}
