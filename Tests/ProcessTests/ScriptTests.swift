import EventLoops
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// The scripts, as far as they build and install nothing.
@Suite struct ScriptTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "scripts").path()

  private static let names = ["bench", "build", "demo", "format", "lint", "setup", "test"]

  @Test func `there are no others`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    #expect(files.filter { $0 != "demos" }.sorted() == Self.names)
  }

  @Test(arguments: names)
  func `each says what it does`(name: String) throws {
    try TestLoop.run { test in
      let help = try Program.run(["--help"], of: "\(Self.folder)/\(name)", on: test)
      #expect(help.ending == .exited(code: 0))
      #expect(help.output.hasPrefix("scripts/\(name)"))
    }
  }

  @Test(arguments: ["build", "format", "lint", "setup", "test"])
  func `a mistake is told before anything is done`(name: String) throws {
    try TestLoop.run { test in
      let mistake = try Program.run(["--dance"], of: "\(Self.folder)/\(name)", on: test)
      #expect(mistake.ending == .exited(code: 64))
      #expect(mistake.errorOutput.contains("--dance; see scripts/\(name) --help"))
      #expect(mistake.output.isEmpty)
    }
  }
}
