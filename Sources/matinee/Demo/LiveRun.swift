import ArgumentParser
import EventLoops
import Foundation
import Scenarios
import Stages

/// One scenario over real TCP, with this very program as the server.
struct LiveRun {
  private let scenario: Scenario
  private let seed: UInt64

  init(_ scenario: Scenario, seed: UInt64) {
    self.scenario = scenario
    self.seed = seed
  }

  func perform(tell: @escaping (TimelineEntry) -> Void) throws -> ScenarioReport {
    let loop = try EventLoop()
    defer { loop.close() }
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var stage: TCPStage
    do throws(StageError) {
      stage = try TCPStage(scenario, serving: program, seed: seed, on: loop)
    } catch {
      var standardError = StandardError()
      print("matinee: \(error)", to: &standardError)
      throw ExitCode(69)
    }
    var isInterrupted = false
    let running = stage
    let sources = try [Signal.interrupt, .terminate].map { signal in
      try SignalSource(signal, on: loop) {
        isInterrupted = true
        running.interrupt("interrupted")
      }
    }
    let report = ScenarioRunner.run(scenario, on: &stage, tell: tell)
    for source in sources { source.close() }
    stage.close()
    if isInterrupted { throw ExitCode(130) }
    return report
  }
}
