import EventLoops
import LoopTesting
import ProgramTesting

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
}
