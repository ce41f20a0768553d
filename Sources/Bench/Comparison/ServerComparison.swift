import Foundation
import Stages
import SyncplayComparison

/// Compares Debian's `syncplay-server` with this server, under load from Debian's own `syncplay`
/// clients and from a crowd of plain connections.
struct ServerComparison {
  let stage: Stage
  let effort: ComparisonEffort
  /// Is told about the progress, because a comparison takes a quarter of an hour.
  let tell: (String) -> Void

  /// The lengths of the films.
  ///
  /// Each film is as long as a round. The lengths differ because clients tell films apart by their
  /// lengths.
  private static let lengths = [Duration.seconds(300), .seconds(290)]

  /// Adds a table for the clients and a table for the crowd.
  func measure(into section: inout Section) throws(BenchError) {
    if effort.rounds > 0 { section.tables.append(try compareClients()) }
    if effort.crowd > 0 { section.tables.append(try compareCrowds()) }
  }

  /// Runs the same script with each server in turn.
  private func compareClients() throws(BenchError) -> ComparisonTable {
    let delays = effort.delays.map { "\($0)" }.joined(separator: ", ")
    let plan = ComparisonScript.Plan(
      delays: effort.delays.map { .milliseconds(Int64($0)) }, rounds: effort.rounds,
      lateJoins: effort.lateJoins, films: try films())
    return try table(
      "clients with \(delays) ± 10 ms one way; late ones with 150 ± 10 ms",
      of: [.reference(), matinee]
    ) { (programs) throws(ComparisonFailure) in
      var figures: [[ComparisonFigure]] = []
      for program in programs {
        let play = try begin(program)
        defer { play.close() }
        var script = ComparisonScript(
          on: play, plan, loop: stage.loop, isInterrupted: { [stage] in stage.isInterrupted },
          tell: teller(program.name))
        figures.append(try script.perform())
      }
      return figures
    }
  }

  /// Connects a new crowd to each server in each round, and measures all servers and the yardstick
  /// during the same seconds.
  private func compareCrowds() throws(BenchError) -> ComparisonTable {
    let programs = [.reference(), matinee, yardstick].compactMap(\.self)
    let what = "\(effort.crowd) plain connections in one room"
    var round = 0
    return try table(what, of: programs, rounds: max(effort.rounds, 1)) {
      (programs) throws(ComparisonFailure) in
      round += 1
      var plays: [SyncplayStage] = []
      defer { for play in plays { play.close() } }
      for program in programs { plays.append(try begin(program)) }
      return try LoadScript.perform(
        plays.map { play in
          LoadScript(
            on: play, people: effort.crowd, loop: stage.loop,
            isInterrupted: { [stage] in stage.isInterrupted },
            tell: teller("\(round): \(play.server.program.name)"))
        })
    }
  }

  /// Measures the servers over several rounds.
  private func table(
    _ what: String, of programs: [SyncplayServerProgram], rounds: Int = 1,
    _ measure: ([SyncplayServerProgram]) throws(ComparisonFailure) -> [[ComparisonFigure]]
  ) throws(BenchError) -> ComparisonTable {
    tell(what)
    var figures = [ComparisonFigures](repeating: ComparisonFigures(), count: programs.count)
    do throws(ComparisonFailure) {
      for _ in 0..<rounds {
        for (place, values) in try measure(programs).enumerated() {
          for figure in values { figures[place].add(figure) }
        }
      }
    } catch .interrupted {
      throw .interrupted
    } catch {
      throw .incomparable("\(error)")
    }
    let columns = zip(programs, figures).map { (name: $0.name, figures: $1.all) }
    return ComparisonTable(title: what, columns)
  }

  private func teller(_ subject: String) -> (String) -> Void {
    { [tell] line in tell("  \(subject): \(line)") }
  }

  // MARK: Programs and films

  private var matinee: SyncplayServerProgram {
    .matinee(executable: ServerProcess.path(of: "matinee"))
  }

  /// A server that only exchanges States; `nil` if it was not built.
  private var yardstick: SyncplayServerProgram? {
    let path = ServerProcess.path(of: "bare-states")
    return FileManager.default.isExecutableFile(atPath: path) ? .bare(executable: path) : nil
  }

  private func begin(_ program: SyncplayServerProgram) throws(ComparisonFailure) -> SyncplayStage {
    do throws(SyncplayProgramError) {
      return try SyncplayStage(program, on: stage.loop)
    } catch {
      throw .program(error)
    }
  }

  private func films() throws(BenchError) -> ComparisonScript.Films {
    do {
      let paths = try Self.lengths.map { try TestVideo.path(of: $0, on: stage.loop) }
        .map { URL(filePath: $0) }
      return ComparisonScript.Films(
        first: paths[0].lastPathComponent, second: paths[1].lastPathComponent,
        directory: paths[0].deletingLastPathComponent().path(percentEncoded: false))
    } catch {
      throw .incomparable("\(error)")
    }
  }
}
