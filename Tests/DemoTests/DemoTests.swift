import Demonstrations
import EventLoops
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// The command as a person uses it.
@Suite struct DemoTests {
  @Test func `the shipped scenarios are the files of the repository`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "scripts/demos").path())
    let names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    #expect(Demonstration.all.map(\.name).sorted() == names.sorted())
  }

  @Test func `they can be listed`() throws {
    try TestLoop.run { test in
      let program = try Program.demo(["--list"], on: test)
      #expect(program.ending == .exited(code: 0))
      for demonstration in Demonstration.all {
        #expect(program.output.contains(demonstration.name))
      }
    }
  }

  @Test func `in a pipe the time line is plain text`() throws {
    let shipped = try #require(Demonstration.named("activation-cancelled"))
    let file = try ScenarioFile(patient: shipped.text)
    try TestLoop.run { test in
      let program = try Program.demo([file.path], on: test)
      #expect(program.ending == .exited(code: 0))
      #expect(!program.output.contains("\u{1B}"))
      #expect(program.output.contains("ann  > activate --answer cancel"))
      #expect(program.output.contains("✓ player untouched"))
      #expect(program.output.contains("passed: 4 of 4"))
      #expect(program.errorOutput.isEmpty)
    }
  }

  @Test func `a report in JSON is one object a scenario`() throws {
    try TestLoop.run { test in
      let program = try Program.demo(["--all", "--virtual", "--json"], on: test)
      #expect(program.ending == .exited(code: 0))
      #expect(program.lines.count == Demonstration.all.count)
      for line in program.lines {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(value?["passed"] as? Bool == true)
        #expect(value?["stage"] as? String == "memory")
        #expect((value?["timeline"] as? [Any])?.isEmpty == false)
      }
    }
  }

  @Test func `an expectation that is not met fails the run, and says what was seen`() throws {
    let file = try ScenarioFile(
      """
      peers: {ann: }
      steps:
        - at: 0
          ann: group join
          see: {ann: ineligible alone}
        - after: 0
          see: {ann: eligible, within: 0.1}
      """)
    try TestLoop.run { test in
      for options in [[], ["--virtual"]] {
        let program = try Program.demo([file.path] + options, on: test)
        #expect(program.ending == .exited(code: 1))
        #expect(program.output.contains("✗ eligible (line 7) but ann: ineligible alone"))
        #expect(program.output.contains("failed: 1 of 2"))
      }
    }
  }

  @Test func `a mistake in a file is told with its line`() throws {
    let file = try ScenarioFile("peers: {ann: }\nsteps:\n  - at: 0\n    ann: dance\n")
    try TestLoop.run { test in
      let program = try Program.demo([file.path], on: test)
      #expect(program.ending == .exited(code: 65))
      #expect(program.errorOutput.contains("\(file.path):4:10: there is no verb `dance`"))
    }
  }

  @Test(arguments: ["nothing-like-it", "syncplay"])
  func `a scenario that is not there is told`(name: String) throws {
    try TestLoop.run { test in
      let program = try Program.demo([name], on: test)
      #expect(program.ending == .exited(code: 66))
      #expect(program.errorOutput.contains("see matinee demo --list"))
    }
  }
}
