import ArgumentParser
import EventLoops
import Foundation
import MatineeTerminal
import Scenarios
import Stages
import Vocabulary

/// Runs a scenario over real TCP, with this program as the server.
struct LiveRun {
  /// The report, and the figures of real players; without real players there are no figures.
  struct Outcome {
    let report: ScenarioReport
    let figures: [PlayheadFigure]
    /// How far the players were apart; `nil` if no two played.
    let plot: Plot?
  }

  private let scenario: Scenario
  private let seed: UInt64
  private let isEncrypted: Bool
  private let showsWindows: Bool

  init(_ scenario: Scenario, seed: UInt64, isEncrypted: Bool, showsWindows: Bool) {
    self.scenario = scenario
    self.seed = seed
    self.isEncrypted = isEncrypted
    self.showsWindows = showsWindows
  }

  func perform(tell: @escaping (TimelineEntry) -> Void) throws -> Outcome {
    let loop = try EventLoop()
    defer { loop.close() }
    let scenario = try withVideos(on: loop)
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let recorder = PlayheadRecorder(on: loop)
    var stage: TCPStage
    do throws(StageError) {
      stage = try TCPStage(
        scenario, serving: program, seed: seed, isEncrypted: isEncrypted,
        showsWindows: showsWindows, recorder: recorder, on: loop)
    } catch {
      throw unavailable("\(error)")
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
    recorder.close()
    stage.close()
    if isInterrupted { throw ExitCode(130) }
    let figures = PlayheadFigures.all(of: report, from: stage.start, recorder.tracks)
    return Outcome(
      report: report, figures: recorder.tracks.isEmpty ? [] : figures,
      plot: Plot(of: report, from: stage.start, recorder.tracks))
  }

  /// The scenario with the video files that its real players need.
  private func withVideos(on loop: EventLoop) throws -> Scenario {
    guard scenario.peers.contains(where: { $0.player == .mpv }) else { return scenario }
    let variables = ProcessInfo.processInfo.environment
    guard isInstalled("mpv", variables) else {
      throw unavailable("\(scenario.name) needs mpv, which is not installed: run scripts/setup")
    }
    if showsWindows, (variables["DISPLAY"] ?? variables["WAYLAND_DISPLAY"] ?? "").isEmpty {
      throw unavailable("there is no display for windows; leave --windows out")
    }
    var scenario = scenario
    for place in scenario.items.indices where scenario.items[place].isMade {
      do {
        scenario.items[place].url = try TestVideo.path(of: scenario.items[place].duration, on: loop)
      } catch let error as TestVideo.NotMade {
        throw unavailable("\(error)")
      }
    }
    return scenario
  }

  private func isInstalled(_ name: String, _ variables: [String: String]) -> Bool {
    variables["PATH", default: ""].split(separator: ":").contains { directory in
      FileManager.default.isExecutableFile(atPath: "\(directory)/\(name)")
    }
  }

  private func unavailable(_ reason: String) -> ExitCode {
    var standardError = StandardError()
    print("matinee: \(reason.withoutControls)", to: &standardError)
    return ExitCode(69)
  }
}
