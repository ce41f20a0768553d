import Demonstrations
import EventLoops
import LoopTesting
import ProgramTesting
import Testing

/// Every scenario that is shipped, against the built server over real TCP.
///
/// Each runs in a process of its own, because the apps of its people need threads for their tasks,
/// and other tests hold the threads that this process has for that.
@Suite struct ShippedScenarioTests {
  /// Real players need a video, which the program itself makes: see below.
  private static let names = Demonstration.all.map(\.name).filter { $0 != "together" }

  @Test(arguments: names)
  func `a shipped scenario passes over TCP, with simulated players`(name: String) throws {
    let text = try #require(Demonstration.named(name)).text
    let file = try ScenarioFile(
      patient: text.replacing("player: mpv", with: "player: simulated"))
    try TestLoop.run { test in
      let program = try Program.demo([file.path], on: test)
      #expect(program.ending == .exited(code: 0), "\(program.output) \(program.errorOutput)")
    }
  }

  /// Restarts and answers by token find the same server again.
  @Test(arguments: ["crash", "machines", "answer-and-crash", "roles"])
  func `a shipped scenario passes over TLS`(name: String) throws {
    let text = try #require(Demonstration.named(name)).text
    let file = try ScenarioFile(
      patient: text.replacing("player: mpv", with: "player: simulated"))
    try TestLoop.run { test in
      let program = try Program.demo(["--tls", file.path], on: test)
      #expect(program.ending == .exited(code: 0), "\(program.output) \(program.errorOutput)")
    }
  }

  /// What everyone sees; how far apart the players are depends on the machine's load.
  @Suite(.serialized) struct WithRealPlayers {
    @Test(arguments: [
      ["together"], ["together", "--tls"], ["crash"], ["machines"], ["video-message"],
    ])
    func `a shipped scenario passes with three real players`(words: [String]) throws {
      let shipped = try #require(Demonstration.named(words[0]))
      let file = try ScenarioFile(patient: shipped.text)
      try TestLoop.run { test in
        let program = try Program.demo(words.dropFirst() + [file.path], on: test)
        #expect(program.ending == .exited(code: 0), "\(program.output) \(program.errorOutput)")
      }
    }
  }
}
