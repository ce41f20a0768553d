import Journals

/// The cost of a journal in PostgreSQL, compared with one in a file that waits for the disk, too.
struct DatabaseCost {
  let stage: Stage
  let effort: Effort
  /// The address of a database with a journal's tables.
  let database: String

  private static let sessionCount = 200
  private static let sessionSize = 5
  private static let pacedCommandsPerSecond = 1000
  private static let answerTarget = Figure.Target.atMost(3.0)
  private static let costTarget = Figure.Target.atMost(2.0)

  func measure(into section: inout Section) throws(BenchError) {
    let directory = try JournalDirectory()
    defer { directory.remove() }
    let file = try serve(.durable(path: directory.file("power"), .power))
    defer { file.stop() }
    let database = try serve(.database(address: database))
    defer { database.stop() }
    var paced = Rounds()
    var saturated = Rounds()
    for _ in 0..<effort.repetitions {
      try paced.add(file, database) { (load) throws(BenchError) in
        try load.pace(Self.pacedCommandsPerSecond, for: effort.journalTime)
      }
      try saturated.add(file, database) { (load) throws(BenchError) in
        try load.saturate(for: effort.journalTime)
      }
    }
    section.figures.append(Self.answers(paced))
    section.figures.append(Self.cost(paced, "at \(Self.pacedCommandsPerSecond) a second"))
    section.figures.append(Self.cost(saturated, "at saturation"))
    for (name, outcomes) in [("file", saturated.file), ("PostgreSQL", saturated.database)] {
      section.figures.append(
        Figure(
          name: "commands a second, \(name)", value: outcomes.map(\.commandsPerSecond).median,
          unit: ""))
    }
  }

  private func serve(_ program: ServerProcess.Program) throws(BenchError) -> LoadedServer {
    try LoadedServer(
      program, sessions: Self.sessionCount, ofSize: Self.sessionSize, on: stage)
  }

  private static func answers(_ rounds: Rounds) -> Figure {
    let file = rounds.file.flatMap(\.answerTimes)
    let database = rounds.database.flatMap(\.answerTimes)
    return Figure(
      name: "command to answer, median, PostgreSQL to file", value: database.median / file.median,
      unit: "×", target: answerTarget,
      detail: """
        \(rounded(database.median)) ms, 99th percentile \(rounded(database.percentile(99))) ms; \
        file \(rounded(file.median)) and \(rounded(file.percentile(99))) ms
        """)
  }

  private static func cost(_ rounds: Rounds, _ load: String) -> Figure {
    let ratios = zip(rounds.database, rounds.file).map { $0.cost / $1.cost }
    return Figure(
      name: "processor time \(load), PostgreSQL to file", value: ratios.median, unit: "×",
      target: costTarget,
      detail: """
        \(rounded(rounds.database.map(\.cost).median)) µs a command, file \
        \(rounded(rounds.file.map(\.cost).median)) µs
        """)
  }

  /// The measurements of the two, taken in turn.
  private struct Rounds {
    var file: [SessionLoad.Outcome] = []
    var database: [SessionLoad.Outcome] = []

    mutating func add(
      _ file: LoadedServer, _ database: LoadedServer,
      _ measure: (SessionLoad) throws(BenchError) -> SessionLoad.Outcome
    ) throws(BenchError) {
      self.file.append(try measure(file.load))
      self.database.append(try measure(database.load))
    }
  }
}
