import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing

/// A person's second device.
@Suite struct PairTests {
  /// The code in a program's output, once it is there.
  private func code(_ program: Program, on test: TestLoop) throws -> String {
    try test.run { program.output.contains("The code is ") || program.hasEnded }
    let code = program.output.firstMatch(of: /The code is ([0-9a-z]{8})/)
    return try String(#require(code, "\(program.errorOutput)").1)
  }

  private func pair(_ code: String?, _ evening: KeyedServer, on machine: String) throws
    -> Program
  {
    let device = code.map { [$0, "--device", "phone"] } ?? []
    return try evening.start(
      ["pair"] + device + ["--as", "Ann", "--server", evening.address], on: machine)
  }

  @Test func `a device that the first one lets in comes in from then on`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      let host = try pair(nil, evening, on: "Ann")
      let code = try code(host, on: test)
      #expect(
        host.output.contains("  matinee pair \(code) --server \(evening.address) --as Ann\n"))
      let guest = try pair(code, evening, on: "phone")
      try test.run { host.output.contains("Let “phone” in? [y/N] ") }
      #expect(try evening.credentials(of: "phone").isEmpty)
      try host.say("y")
      try test.run { host.hasEnded && guest.hasEnded }
      #expect(host.ending == .exited(code: 0) && host.output.contains("“phone” is let in."))
      #expect(guest.ending == .exited(code: 0), "\(guest.errorOutput)")
      #expect(guest.output.contains("This device is in as Ann"))
      let phone = try evening.joinAgain("Ann", on: "phone")
      try test.run { phone.output.contains("in group friday: Ann") }
      try phone.say("say hello")
      #expect(ann.ending == nil)
      try evening.stop()
      #expect(!evening.log.contains(code))
    }
  }

  @Test func `a device that is not let in stays out, and keeps nothing`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      _ = try evening.found(as: "Ann")
      let host = try pair(nil, evening, on: "Ann")
      let code = try code(host, on: test)
      let guest = try pair(code, evening, on: "phone")
      try test.run { host.output.contains("Let “phone” in?") }
      try host.say("")
      try test.run { host.hasEnded && guest.hasEnded }
      #expect(host.ending == .exited(code: 1) && host.errorOutput.contains("stays out"))
      #expect(guest.ending == .exited(code: 1))
      #expect(guest.errorOutput.contains("ask your other device for a new code"))
      #expect(try evening.credentials(of: "phone").isEmpty)
    }
  }

  @Test func `a wrong code lets nobody in, and who has no device cannot make one`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      _ = try evening.found(as: "Ann")
      let guest = try pair("00000000", evening, on: "phone")
      try test.run { guest.hasEnded }
      #expect(guest.ending == .exited(code: 1))
      let host = try pair(nil, evening, on: "phone")
      try test.run { host.hasEnded }
      #expect(host.ending == .exited(code: 66))
    }
  }

  @Test func `whoever is joined lets a device in by verbs`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      try ann.say("pair")
      try test.run { ann.output.contains("the code is ") }
      let code = try #require(ann.output.firstMatch(of: /the code is ([0-9a-z]{8})/)).1
      let guest = try pair(String(code), evening, on: "phone")
      try test.run {
        ann.output.contains("a device named “phone” shows your code: type pair yes or pair no")
      }
      try ann.say("pair yes")
      try test.run { guest.hasEnded && ann.output.contains("the device is let in") }
      #expect(guest.ending == .exited(code: 0), "\(guest.errorOutput)")
    }
  }

  @Test(arguments: [
    ([], "--as"), (["--as", ""], "--as takes"), (["--as", "Ann", "--device", "x"], "--device"),
    (["", "--as", "Ann"], "eight letters"),
    (["--as", String(repeating: "長", count: 22)], "--as takes a name of 1 to 64 bytes"),
  ])
  func `a mistake is told with what would be right`(arguments: [String], words: String) throws {
    try TestLoop.run { test in
      let pair = try Program.run(["pair"] + arguments, on: test)
      #expect(pair.ending == .exited(code: 64))
      #expect(pair.errorOutput.contains(words), "\(pair.errorOutput)")
    }
  }
}
