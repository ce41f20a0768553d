import Journals
import Vocabulary

/// The cost of journaling: the server with a durable journal compared with the one without.
struct JournalCost {
  let stage: Stage
  let effort: Effort

  private static let sessionCount = 200
  private static let sessionSize = 5
  private static let pacedCommandsPerSecond = 1000
  private static let answerTarget = Figure.Target.atMost(2.0)
  private static let costTarget = Figure.Target.atMost(2.0)
  private static let growthTarget = Figure.Target.atMost(1.25)
  private static let startTarget = Figure.Target.atMost(2.0)
  /// The number of sessions for which the target is defined.
  private static let recordedSessions = 10_000

  func measure(into section: inout Section) throws(BenchError) {
    let directory = try JournalDirectory()
    defer { directory.remove() }
    try measureCost(in: directory, into: &section)
    try measureLargeFile(in: directory, into: &section)
  }

  private func serve(_ program: ServerProcess.Program) throws(BenchError) -> LoadedServer {
    try LoadedServer(
      program, sessions: Self.sessionCount, ofSize: Self.sessionSize, on: stage)
  }
}

// MARK: Comparison with the memory journal

extension JournalCost {
  private func measureCost(
    in directory: JournalDirectory, into section: inout Section
  ) throws(BenchError) {
    let memory = try serve(.matinee)
    defer { memory.stop() }
    let process = try serve(.durable(path: directory.file("process"), .process))
    defer { process.stop() }
    let power = try serve(.durable(path: directory.file("power"), .power))
    defer { power.stop() }
    var paced = Rounds()
    var saturated = Rounds()
    for _ in 0..<effort.repetitions {
      try paced.add(memory, process, power) { (load) throws(BenchError) in
        try load.pace(Self.pacedCommandsPerSecond, for: effort.journalTime)
      }
      try saturated.add(memory, process, power) { (load) throws(BenchError) in
        try load.saturate(for: effort.journalTime)
      }
    }
    section.figures += Self.answers(paced)
    section.figures += Self.costs(paced, "at \(Self.pacedCommandsPerSecond) a second")
    section.figures += Self.costs(saturated, "at saturation")
    section.figures += Self.throughput(saturated)
  }

  private static func answers(_ rounds: Rounds) -> [Figure] {
    [
      ("memory", rounds.memory, nil), ("process", rounds.process, answerTarget),
      ("power", rounds.power, nil),
    ].map { name, outcomes, target in
      let times = outcomes.flatMap(\.answerTimes)
      return Figure(
        name: "command to answer, median, \(name)", value: times.median, unit: "ms",
        target: target,
        detail: "99th percentile \(rounded(times.percentile(99))) ms, \(times.count) answers")
    }
  }

  private static func costs(_ rounds: Rounds, _ load: String) -> [Figure] {
    [("process", rounds.process, costTarget), ("power", rounds.power, nil)].map {
      name, outcomes, target in
      let ratios = zip(outcomes, rounds.memory).map { $0.cost / $1.cost }
      return Figure(
        name: "processor time \(load), \(name) to memory", value: ratios.median, unit: "×",
        target: target,
        detail: """
          \(rounded(outcomes.map(\.cost).median)) µs a command, memory \
          \(rounded(rounds.memory.map(\.cost).median)) µs
          """)
    }
  }

  private static func throughput(_ rounds: Rounds) -> [Figure] {
    [("memory", rounds.memory), ("process", rounds.process), ("power", rounds.power)].map {
      name, outcomes in
      Figure(
        name: "commands a second, \(name)", value: outcomes.map(\.commandsPerSecond).median,
        unit: "")
    }
  }

  /// The measurements of the variants, taken in turn.
  private struct Rounds {
    var memory: [SessionLoad.Outcome] = []
    var process: [SessionLoad.Outcome] = []
    var power: [SessionLoad.Outcome] = []

    mutating func add(
      _ memory: LoadedServer, _ process: LoadedServer, _ power: LoadedServer,
      _ measure: (SessionLoad) throws(BenchError) -> SessionLoad.Outcome
    ) throws(BenchError) {
      self.memory.append(try measure(memory.load))
      self.process.append(try measure(process.load))
      self.power.append(try measure(power.load))
    }
  }
}

// MARK: A file of a million events

extension JournalCost {
  private func measureLargeFile(
    in directory: JournalDirectory, into section: inout Section
  ) throws(BenchError) {
    let eventCount = try fill("full", in: directory)
    let size = try directory.size(of: "full")
    section.figures.append(
      Figure(
        name: "size of the file for an event", value: Double(size) / Double(eventCount), unit: "B",
        detail: """
          \(effort.recordedSessions) sessions, \(eventCount) events: \
          \(rounded(Double(size) / 1_048_576)) MiB
          """))
    try measureStart(in: directory, into: &section)
    try measureGrowth(eventCount, in: directory, into: &section)
  }

  /// Writes a file with many sessions.
  ///
  /// - Returns: The number of events in it.
  private func fill(_ name: String, in directory: JournalDirectory) throws(BenchError) -> Int {
    let author = try JournalAuthor(directory.file(name), on: stage)
    try author.write(sessions: effort.recordedSessions)
    try author.close()
    return author.eventCount
  }

  private func measureStart(
    in directory: JournalDirectory, into section: inout Section
  ) throws(BenchError) {
    var full: [Double] = []
    var memory: [Double] = []
    for _ in 0..<effort.repetitions {
      memory.append(try startTime(.matinee))
      try directory.copy("full", to: "started")
      full.append(try startTime(.durable(path: directory.file("started"), .process)))
    }
    let isTargeted = effort.recordedSessions >= Self.recordedSessions
    section.figures.append(
      Figure(
        name: "start with \(effort.recordedSessions) sessions in the file", value: full.median,
        unit: "s", target: isTargeted ? Self.startTarget : nil,
        detail: """
          from exec to listening, the file on the disk; \(rounded(memory.median * 1000)) ms without \
          a file
          """))
  }

  private func startTime(_ program: ServerProcess.Program) throws(BenchError) -> Double {
    let server = try ServerProcess(program, on: stage)
    defer { server.stop() }
    return server.startTime.inSeconds
  }

  private func measureGrowth(
    _ eventCount: Int, in directory: JournalDirectory, into section: inout Section
  ) throws(BenchError) {
    let fresh = try serve(.durable(path: directory.file("fresh"), .process))
    defer { fresh.stop() }
    let full = try serve(.durable(path: directory.file("full"), .process))
    defer { full.stop() }
    var pairs: [(fresh: Double, full: Double)] = []
    for _ in 0..<effort.repetitions {
      let base = try fresh.load.pace(Self.pacedCommandsPerSecond, for: effort.journalTime)
      let grown = try full.load.pace(Self.pacedCommandsPerSecond, for: effort.journalTime)
      pairs.append((base.cost, grown.cost))
    }
    section.figures.append(
      Figure(
        name: "processor time, \(eventCount) events in the file to none",
        value: pairs.map { $0.full / $0.fresh }.median, unit: "×", target: Self.growthTarget,
        detail: """
          \(rounded(pairs.map(\.full).median)) µs a command, fresh \
          \(rounded(pairs.map(\.fresh).median)) µs
          """))
  }
}
