import EventLoops
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary

/// The program's help and messages about mistakes.
@Suite struct HelpTests {
  static let commands: [[String]] =
    [["--help"]]
    + [
      ["serve"], ["join"], ["invite"], ["pair"], ["admin"], ["admin", "groups"],
      ["admin", "sessions"], ["admin", "people"], ["admin", "close"], ["admin", "remove"],
      ["admin", "free"], ["admin", "pair"], ["admin", "rekey"], ["status"], ["push"], ["demo"],
      ["replay"], ["journal"],
      ["journal", "inspect"],
      ["journal", "verify"], ["journal", "export"], ["journal", "import"], ["campaigns"],
      ["campaigns", "check"], ["campaigns", "list"], ["campaigns", "preview"],
      ["campaigns", "explain"], ["campaigns", "results"], ["token"],
    ].map { $0 + ["--help"] }

  @Test func `the shell completes names of files after the options that take one`() throws {
    try TestLoop.run { test in
      let script = try Program.run(["--generate-completion-script", "bash"], on: test)
      #expect(script.ending == .exited(code: 0))
      #expect(script.output.contains("_add_completions -f"))
    }
  }

  @Test(arguments: commands)
  func `help is for reading`(command: [String]) throws {
    try TestLoop.run { test in
      let help = try Program.run(command, on: test)
      #expect(help.ending == .exited(code: 0))
      #expect(help.output.contains("OVERVIEW:"))
      #expect(help.output.contains("USAGE: matinee"))
      let longest = help.output.split(separator: "\n").map(\.count).max() ?? 0
      #expect(longest <= 100)
    }
  }

  @Test(arguments: commands)
  func `each command line in a help stands on one line, so that it can be copied`(
    command: [String]
  ) throws {
    try TestLoop.run { test in
      let help = try Program.run(command, on: test).output
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { !$0.hasPrefix("USAGE:") }
      for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  ") {
        #expect(next.isEmpty || next.hasPrefix("  "), "\(line)")
      }
    }
  }

  @Test func `every limit can be set where the server is started`() throws {
    try TestLoop.run { test in
      let help = try Program.run(["serve", "--help"], on: test).output
      for limit in Mirror(reflecting: Limits()).children {
        let label = try #require(limit.label)
        let option = label.reduce(into: "--") { text, letter in
          text += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
        #expect(help.contains(option + " <"), "\(option)")
      }
    }
  }

  @Test func `a mistake is told with what would be right`() throws {
    try TestLoop.run { test in
      let unknown = try Program.run(["sevre"], on: test)
      #expect(unknown.ending == .exited(code: 64))
      #expect(unknown.errorOutput.contains("matinee --help"))
      let bad = try Program.run(["serve", "--peers", "0"], on: test)
      #expect(bad.ending == .exited(code: 64))
      #expect(bad.errorOutput.contains("--peers must be at least 1"))
    }
  }
}
