import ArgumentParser
import EventLoops
import Foundation
import Stages
import SyncplayComparison
import Vocabulary

/// Everything that `matinee demo syncplay` measures, server by server.
final class SyncplayRun {
  private let plan: ComparisonScript.Plan
  private let crowd: Int
  private let isJSON: Bool
  private let loop: EventLoop
  private let executable: String
  private var isInterrupted = false

  /// What it shows, as of a scenario.
  static let about =
    "Debian's syncplay clients with real mpv at Debian's syncplay-server and at this one, compared."

  private static let usualDelays = [10, 60, 150]
  private static let usualRounds = 3
  private static let usualJoins = 1
  private static let usualCrowd = 1000

  /// Films as long as a round, and told apart by their length.
  private static let lengths = [Duration.seconds(300), .seconds(290)]

  /// Measures, and prints.
  static func perform(_ options: SyncplayRunOptions, inJSON isJSON: Bool) throws {
    let loop = try EventLoop()
    defer { loop.close() }
    let run = try SyncplayRun(options, inJSON: isJSON, on: loop)
    do throws(ComparisonFailure) {
      try run.perform()
    } catch .interrupted {
      throw ExitCode(130)
    } catch {
      throw complaint("\(error)", 69)
    }
  }

  private init(_ options: SyncplayRunOptions, inJSON isJSON: Bool, on loop: EventLoop) throws {
    crowd = options.crowd ?? Self.usualCrowd
    self.isJSON = isJSON
    self.loop = loop
    executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let paths: [URL]
    do {
      paths = try Self.lengths.map { URL(filePath: try TestVideo.path(of: $0, on: loop)) }
    } catch let error as TestVideo.NotMade {
      throw complaint(error.reason, 69)
    }
    let delays = options.delays.isEmpty ? Self.usualDelays : options.delays
    plan = ComparisonScript.Plan(
      delays: delays.map { .milliseconds(Int64($0)) }, rounds: options.rounds ?? Self.usualRounds,
      lateJoins: options.joins ?? Self.usualJoins,
      films: ComparisonScript.Films(
        first: paths[0].lastPathComponent, second: paths[1].lastPathComponent,
        directory: paths[0].deletingLastPathComponent().path(percentEncoded: false)))
  }

  private func perform() throws(ComparisonFailure) {
    let sources = interruptions()
    defer { for source in sources { source.close() } }
    var tables: [ComparisonTable] = []
    if plan.rounds > 0 {
      let delays = plan.delays.map { "\($0.microseconds / 1000)" }.joined(separator: ", ")
      tables.append(
        try compare("clients with \(delays) ± 10 ms one way; late ones with 150 ± 10 ms") {
          (stage, tell) throws(ComparisonFailure) in
          var script = ComparisonScript(
            on: stage, plan, loop: loop, isInterrupted: { [unowned self] in isInterrupted },
            tell: tell)
          return try script.perform()
        })
    }
    if crowd > 0 { tables.append(try compareCrowds()) }
    if isJSON {
      printNow(ComparisonTable.json(of: tables, rounds: plan.rounds, load: MachineLoad.now))
    }
  }

  /// What States cost without any Syncplay, where it was built: beside this program.
  private var yardstick: SyncplayServerProgram? {
    let path = URL(filePath: executable).deletingLastPathComponent().appending(path: "bare-states")
      .path(percentEncoded: false)
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    return .bare(executable: path)
  }

  /// Has one server after the other go through the same, and each begun anew.
  private func compare(
    _ what: String,
    _ perform: (SyncplayStage, _ tell: @escaping (String) -> Void) throws(ComparisonFailure)
      -> [ComparisonFigure]
  ) throws(ComparisonFailure) -> ComparisonTable {
    let programs = [SyncplayServerProgram.reference(), .matinee(executable: executable)]
    return try table(what, of: programs) { () throws(ComparisonFailure) in
      var figures: [[ComparisonFigure]] = []
      for program in programs {
        let stage = try stage(program)
        defer { stage.close() }
        figures.append(try perform(stage, teller(program.name)))
      }
      return figures
    }
  }

  /// Has the same crowd come to all servers, each begun anew in each round, beside what States cost
  /// without any Syncplay.
  private func compareCrowds() throws(ComparisonFailure) -> ComparisonTable {
    let programs = [.reference(), .matinee(executable: executable), yardstick].compactMap(\.self)
    let what = "\(crowd) plain connections in one room"
    var round = 0
    return try table(what, of: programs, rounds: max(plan.rounds, 1)) {
      () throws(ComparisonFailure) in
      round += 1
      var stages: [SyncplayStage] = []
      defer { for stage in stages { stage.close() } }
      for program in programs { stages.append(try stage(program)) }
      return try LoadScript.perform(
        stages.map { stage in
          LoadScript(
            on: stage, people: crowd, loop: loop,
            isInterrupted: { [unowned self] in isInterrupted },
            tell: teller("\(round): \(stage.server.program.name)"))
        })
    }
  }

  /// The figures of some servers, measured as often as wanted.
  private func table(
    _ what: String, of programs: [SyncplayServerProgram], rounds: Int = 1,
    _ measure: () throws(ComparisonFailure) -> [[ComparisonFigure]]
  ) throws(ComparisonFailure) -> ComparisonTable {
    if !isJSON { printNow(what) }
    var figures = [ComparisonFigures](repeating: ComparisonFigures(), count: programs.count)
    for _ in 0..<rounds {
      for (place, values) in try measure().enumerated() {
        for figure in values { figures[place].add(figure) }
      }
    }
    let table = ComparisonTable(zip(programs, figures).map { ($0.name, $1.all) })
    if !isJSON { show(table) }
    return table
  }

  private func teller(_ subject: String) -> (String) -> Void {
    { [isJSON] line in
      if !isJSON { printNow("  \(subject): \(line)") }
    }
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

  private func show(_ table: ComparisonTable) {
    for line in table.lines { printNow(line) }
    MachineLoad.now.map { printNow("  load of this machine: \($0)") }
    printNow("")
  }
}

@available(*, unavailable)
extension SyncplayRun: Sendable {}
