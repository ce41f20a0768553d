import ArgumentParser
import EventLoops
import Foundation
import Stages
import SyncplayComparison
import Vocabulary

/// Everything that `matinee demo syncplay` measures, server by server.
final class SyncplayRun {
  private let delays: [Int]
  private let joins: Int
  private let crowd: Int
  private let films: ComparisonScript.Films
  private let loop: EventLoop
  private let executable: String
  private var isInterrupted = false

  /// What it shows, as of a scenario.
  static let about =
    "Debian's syncplay clients with real mpv at Debian's syncplay-server and at this one, compared."

  private static let usualDelays = [10, 60, 150]
  private static let usualJoins = 3
  private static let usualCrowd = 1000

  /// Films as long as the longest run, and told apart by their length.
  private static let lengths = [Duration.seconds(300), .seconds(290)]

  /// Measures, and prints.
  static func perform(_ options: SyncplayRunOptions) throws {
    let loop = try EventLoop()
    defer { loop.close() }
    let run = try SyncplayRun(options, on: loop)
    do throws(ComparisonFailure) {
      try run.perform()
    } catch .interrupted {
      throw ExitCode(130)
    } catch {
      throw complaint("\(error)", 69)
    }
  }

  private init(_ options: SyncplayRunOptions, on loop: EventLoop) throws {
    delays = options.delays.isEmpty ? Self.usualDelays : options.delays
    joins = options.joins ?? Self.usualJoins
    crowd = options.crowd ?? Self.usualCrowd
    self.loop = loop
    executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let paths: [URL]
    do {
      paths = try Self.lengths.map { URL(filePath: try TestVideo.path(of: $0, on: loop)) }
    } catch let error as TestVideo.NotMade {
      throw complaint(error.reason, 69)
    }
    films = ComparisonScript.Films(
      first: paths[0].lastPathComponent, second: paths[1].lastPathComponent,
      directory: paths[0].deletingLastPathComponent().path(percentEncoded: false))
  }

  private func perform() throws(ComparisonFailure) {
    let sources = interruptions()
    defer { for source in sources { source.close() } }
    let programs: [SyncplayServerProgram] = [
      .reference(), .matinee(executable: executable, options: []),
    ]
    for delay in delays {
      printNow("clients with \(delay) ± 10 ms one way; late ones with 150 ± 10 ms")
      var results: [ComparisonTable.Column] = []
      for program in programs {
        results.append((program.name, try evening(with: program, delay: .milliseconds(delay))))
      }
      show(results)
    }
    guard crowd > 0 else { return }
    printNow("\(crowd) plain connections in one room")
    var results: [ComparisonTable.Column] = []
    for program in programs { results.append((program.name, try crowd(at: program))) }
    show(results)
  }

  private func evening(
    with program: SyncplayServerProgram, delay: Duration
  ) throws(ComparisonFailure) -> [ComparisonFigure] {
    let stage = try stage(program)
    defer { stage.close() }
    var script = ComparisonScript(
      on: stage, delay: delay, films: films, lateJoins: joins, loop: loop,
      isInterrupted: { [unowned self] in isInterrupted },
      tell: { printNow("  \(program.name): \($0)") })
    return try script.perform()
  }

  private func crowd(
    at program: SyncplayServerProgram
  ) throws(ComparisonFailure) -> [ComparisonFigure] {
    let stage = try stage(program)
    defer { stage.close() }
    return try LoadScript(
      on: stage, people: crowd, loop: loop, isInterrupted: { [unowned self] in isInterrupted },
      tell: { printNow("  \(program.name): \($0)") }
    ).perform()
  }

  private func stage(
    _ program: SyncplayServerProgram
  ) throws(ComparisonFailure) -> SyncplayStage {
    do throws(SyncplayProgramError) {
      return try SyncplayStage(program, on: loop)
    } catch {
      throw .program(error)
    }
  }

  private func interruptions() -> [SignalSource] {
    [Signal.interrupt, .terminate].compactMap { signal in
      do throws(UVError) {
        return try SignalSource(signal, on: loop) { [unowned self] in
          isInterrupted = true
          loop.stop()
        }
      } catch {
        // Then it ends at once, and all it started with it.
        return nil
      }
    }
  }

  private func show(_ results: [ComparisonTable.Column]) {
    for line in ComparisonTable(results).lines { printNow(line) }
    MachineLoad.now.map { printNow("  load of this machine: \($0)") }
    printNow("")
  }
}

@available(*, unavailable)
extension SyncplayRun: Sendable {}
