import EventLoops
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// The demonstration on a terminal, which `script` (of bsdutils) makes.
@Suite struct TerminalTests {
  private static func command(_ arguments: [String]) throws -> [String] {
    let words = [try Program.path, "demo"] + arguments
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    return ["--quiet", "--return", "--flush", "--command", "exec \(line)", "/dev/null"]
  }

  private static let variables = ProcessInfo.processInfo.environment

  @Test func `on a terminal the time line is in colour, unless that is not wanted`() throws {
    let command = try Self.command(["activation-cancelled", "--virtual"])
    var variables = Self.variables
    variables["NO_COLOR"] = nil
    try TestLoop.run { test in
      let colored = try Program.run(command, of: "script", environment: variables, on: test)
      #expect(colored.ending == .exited(code: 0))
      #expect(colored.output.contains("\u{1B}[32mpassed: 4 of 4"))
      variables["NO_COLOR"] = "1"
      let plain = try Program.run(command, of: "script", environment: variables, on: test)
      #expect(plain.ending == .exited(code: 0))
      #expect(!plain.output.contains("\u{1B}"))
      #expect(plain.output.contains("passed: 4 of 4"))
    }
  }

  /// The key goes to the terminal, which interrupts the program and all it started.
  @Test func `Ctrl-C ends it with 130, and nothing is left behind`() throws {
    let file = try ScenarioFile(
      """
      items: {film: {seconds: 20, video: made}}
      peers:
        ann: {player: mpv}
        ben: {player: mpv}
      steps:
        - at: 0
          all: group join
          see: {all: eligible, within: 60}
        - after: 0
          ann: activate
          see: {all: offered, within: 60}
        - after: 0
          all: join
          see: {all: [joined, paused at 0], within: 60}
        - after: 0
          see: {all: playing, within: 60}
      """)
    try TestLoop.run { test in
      let program = try Program(
        try Self.command([file.path]), of: "script", on: test, takesInput: true)
      try test.run {
        program.output.contains("paused at 0") || program.hasEnded
      }
      // A child of the demonstration has its name until it runs mpv. The demonstration itself and
      // its server keep it.
      func counts(_ started: [RunningProcess]) -> [Int] {
        ["mpv", "matinee"].map { name in started.count { $0.name == name } }
      }
      var started: [RunningProcess] = []
      for _ in 0..<600 where counts(started) != [2, 2] {
        try test.run(for: .milliseconds(100))
        started = try RunningProcess.descendants(of: program.id)
      }
      #expect(counts(started) == [2, 2], "\(started.map(\.name))")
      try program.input?.write(SharedBytes("\u{3}"))
      try test.run { program.hasEnded }
      #expect(program.ending == .exited(code: 130))
      try test.run(lookingEvery: .milliseconds(20)) {
        !started.contains { RunningProcess($0.id)?.name == $0.name }
      }
    }
  }
}
