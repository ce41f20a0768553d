import EventLoops
import Journals
import Vocabulary

/// The cost of bursts: a crowd joins one session at once, and one peer has many commands in flight.
struct JoinCost {
  let stage: Stage
  let effort: Effort

  private static let secondsTarget = Figure.Target.atMost(2)
  private static let deliveryTarget = Figure.Target.atMost(20)
  private static let throughputTarget = Figure.Target.atLeast(5000)
  private static let growthTarget = Figure.Target.atMost(1.5)

  private static let sessionSize = 5
  /// Commands per second in the other session while the crowd joins.
  private static let pacedCommandsPerSecond = 200
  private static let commandsInFlight = 32
  /// Members who start the session, because one alone is not eligible.
  private static let founders = 2
  /// The longest time to wait for a crowd.
  private static let patience = Duration.seconds(60)
  /// The number of joins around the reported one; the median is used.
  private static let neighbours = 20
  private static let earlyJoin = 100

  func measure(into section: inout Section) throws(BenchError) {
    let directory = try JournalDirectory()
    defer { directory.remove() }
    try measureCrowd(in: directory, into: &section)
    try measureThroughput(in: directory, into: &section)
    measureGrowth(into: &section)
  }
}

// MARK: A crowd that joins at once

extension JoinCost {
  /// The measurements of one crowd.
  private struct Joining {
    var seconds: Double
    /// The server's processor time, in nanoseconds.
    var processorTime: Int
    /// The time from each command of the other session to each delivery of its event, in
    /// milliseconds.
    var deliveryTimes: [Double]
  }

  private func measureCrowd(
    in directory: JournalDirectory, into section: inout Section
  ) throws(BenchError) {
    var joinings: [Joining] = []
    for round in 0..<effort.joinRounds {
      joinings.append(try joining(in: directory.file("joining-\(round)")))
    }
    let crowd = "\(effort.joiners) peers in one session"
    let costs = joinings.map { Double($0.processorTime) / 1e6 / Double(effort.joiners) }
    let times = joinings.flatMap(\.deliveryTimes)
    section.figures += [
      Figure(
        name: "until all have their snapshot, \(crowd)", value: joinings.map(\.seconds).median,
        unit: "s", target: Self.secondsTarget,
        detail: "hello, joinGroup and join in one write"),
      Figure(name: "processor time of the server, a peer", value: costs.median, unit: "ms"),
      Figure(
        name: "another session meanwhile, deliveries, 99th percentile",
        value: times.percentile(99), unit: "ms", target: Self.deliveryTarget,
        detail: """
          median \(rounded(times.median)) ms, \(times.count) deliveries at \
          \(Self.pacedCommandsPerSecond) commands a second
          """),
    ]
  }

  /// Makes a crowd join the session of two founders while a session of five keeps playing.
  private func joining(in path: String) throws(BenchError) -> Joining {
    let server = try ServerProcess(.durable(path: path, .process), on: stage)
    defer { server.stop() }
    let playing = SessionCrowd(at: server.running, on: stage, sessionSize: Self.sessionSize)
    defer { playing.crowd.close() }
    try playing.grow(to: Self.sessionSize)
    let joiners = try Burst(
      of: effort.joiners, behind: Self.founders, firstNumber: Self.sessionSize, at: server.running)
    defer { joiners.close() }
    let load = SessionLoad(on: playing, sessionSize: Self.sessionSize)
    try stage.rest()

    let before = try server.processorTime()
    let start = stage.loop.now
    joiners.joinAtOnce()
    let outcome = try load.pace(Self.pacedCommandsPerSecond, for: Self.patience) {
      joiners.end != nil
    }
    guard let end = joiners.end else {
      throw .timedOut("the snapshots of \(effort.joiners) peers")
    }
    return Joining(
      seconds: (end - start).inSeconds, processorTime: try server.processorTime() - before,
      deliveryTimes: outcome.eventTimes)
  }
}

// MARK: One peer with many commands in flight

extension JoinCost {
  private func measureThroughput(
    in directory: JournalDirectory, into section: inout Section
  ) throws(BenchError) {
    let server = try LoadedServer(
      .durable(path: directory.file("flight"), .process), sessions: 1, ofSize: Self.sessionSize,
      on: stage)
    defer { server.stop() }
    let outcome = try server.load.saturate(
      for: effort.trafficTime, inFlight: Self.commandsInFlight)
    section.figures.append(
      Figure(
        name: "commands a second in one session of \(Self.sessionSize)",
        value: outcome.commandsPerSecond, unit: "", target: Self.throughputTarget,
        detail: """
          \(Self.commandsInFlight) in flight, \(rounded(outcome.cost)) µs of processor time each
          """))
  }
}

// MARK: Growth with the session

extension JoinCost {
  /// Compares the last join of a large session with an early one, in this process.
  private func measureGrowth(into section: inout Section) {
    let last = effort.audiences.last ?? 1000
    var early: [Double] = []
    var late: [Double] = []
    for _ in 0..<effort.joinRounds {
      var hall = Hall(members: last)
      for place in 0..<last {
        let time = hall.joinTime(of: place)
        if abs(place - Self.earlyJoin) < Self.neighbours / 2 { early.append(time) }
        if last - place <= Self.neighbours { late.append(time) }
      }
    }
    section.figures.append(
      Figure(
        name: "the \(last)th join to the \(Self.earlyJoin)th", value: late.median / early.median,
        unit: "×", target: Self.growthTarget,
        detail: "\(rounded(late.median / 1000)) µs, \(rounded(early.median / 1000)) µs"))
  }
}
