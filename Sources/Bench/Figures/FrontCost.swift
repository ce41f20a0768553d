/// What a server in front costs and saves, compared with the server that decides.
struct FrontCost {
  let stage: Stage
  let effort: Effort
  /// The address of a database with a journal's tables.
  let database: String

  private static let sessionCount = 20
  private static let sessionSize = 5
  private static let commandsPerSecond = 200
  /// The names of people at the server in front begin here, so that they are other people.
  private static let firstAtFront = 100_000
  private static let delayTarget = Figure.Target.atMost(0.3)
  private static let deliveryTarget = Figure.Target.atMost(1.25)
  private static let restTarget = Figure.Target.atMost(0.1)

  func measure(into section: inout Section) throws(BenchError) {
    // Whoever comes first decides.
    let decider = try ServerProcess(.cluster(address: database), on: stage)
    defer { decider.stop() }
    let front = try ServerProcess(.cluster(address: database), on: stage)
    defer { front.stop() }
    section.figures.append(try delay(decider, front))
    section.figures += try deliveries(decider, front)
  }

  /// How much longer an answer takes.
  private func delay(
    _ decider: ServerProcess, _ front: ServerProcess
  ) throws(BenchError) -> Figure {
    let near = SessionCrowd(at: decider.running, on: stage, sessionSize: Self.sessionSize)
    let far = SessionCrowd(
      at: front.running, on: stage, sessionSize: Self.sessionSize, firstNumber: Self.firstAtFront)
    defer {
      near.crowd.close()
      far.crowd.close()
    }
    var times: (near: [Double], far: [Double]) = ([], [])
    for crowd in [near, far] { try crowd.grow(to: Self.sessionCount * Self.sessionSize) }
    for _ in 0..<effort.repetitions {
      times.near += try answers(of: near)
      times.far += try answers(of: far)
    }
    return Figure(
      name: "command to answer, median, more than at the server that decides",
      value: times.far.median - times.near.median, unit: "ms", target: Self.delayTarget,
      detail: """
        \(rounded(times.far.median)) ms, 99th percentile \(rounded(times.far.percentile(99))) ms; \
        there \(rounded(times.near.median)) and \(rounded(times.near.percentile(99))) ms
        """)
  }

  private func answers(of sessions: SessionCrowd) throws(BenchError) -> [Double] {
    try SessionLoad(on: sessions, sessionSize: Self.sessionSize)
      .pace(Self.commandsPerSecond, for: effort.journalTime).answerTimes
  }

  /// What a delivery costs, and how much of it is left to the server that decides.
  private func deliveries(
    _ decider: ServerProcess, _ front: ServerProcess
  ) throws(BenchError) -> [Figure] {
    let near = SeekBroadcaster(at: decider, on: stage)
    let far = SeekBroadcaster(at: front, on: stage, firstNumber: Self.firstAtFront)
    defer {
      near.crowd.close()
      far.crowd.close()
    }
    let rounds = max(effort.deliveries / DeliveryRatio.audience, 4)
    for crowd in [near, far] {
      try crowd.grow(to: DeliveryRatio.audience)
      _ = try crowd.broadcast(rounds: rounds / 4, linesPerRound: 1)
    }
    var costs: [(near: Double, far: Double, rest: Double)] = []
    for _ in 0..<effort.repetitions {
      let base = try near.broadcast(rounds: rounds, linesPerRound: 1)
      let before = try decider.processorTime()
      let cost = try far.broadcast(rounds: rounds, linesPerRound: 1)
      let rest = Double(try decider.processorTime() - before)
      costs.append((base, cost, rest / Double(rounds * DeliveryRatio.audience)))
    }
    let detail = """
      \(rounded(costs.map(\.far).median / 1000)) µs there, \
      \(rounded(costs.map(\.rest).median / 1000)) µs at the server that decides, which has \
      \(rounded(costs.map(\.near).median / 1000)) µs alone
      """
    return [
      Figure(
        name: "a delivery of \(DeliveryRatio.audience), beside one at the server that decides",
        value: costs.map { $0.far / $0.near }.median, unit: "×", target: Self.deliveryTarget,
        detail: detail),
      Figure(
        name: "what is left of it to the server that decides",
        value: costs.map { $0.rest / $0.near }.median, unit: "×", target: Self.restTarget),
    ]
  }
}
