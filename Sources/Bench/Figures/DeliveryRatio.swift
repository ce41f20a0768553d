/// What a delivery costs on one server, compared with another.
struct DeliveryRatio {
  let stage: Stage
  let effort: Effort

  /// The session's size, at which the command itself costs little beside its deliveries.
  static let audience = 1000

  /// Measures both servers in turn, so that other load of the machine affects both.
  func figure(
    _ name: String, by program: ServerProcess.Program, beside base: ServerProcess.Program,
    target: Figure.Target
  ) throws(BenchError) -> Figure {
    let (baseServer, server) = (
      try ServerProcess(base, on: stage), try ServerProcess(program, on: stage)
    )
    defer {
      baseServer.stop()
      server.stop()
    }
    let (plain, other) = (
      SeekBroadcaster(at: baseServer, on: stage), SeekBroadcaster(at: server, on: stage)
    )
    defer {
      plain.crowd.close()
      other.crowd.close()
    }
    let pairs = try pairs(of: other, and: plain)
    let (cost, baseCost) = (pairs.map(\.0).median, pairs.map(\.1).median)
    return Figure(
      name: name, value: pairs.map { $0.0 / $0.1 }.median, unit: "×", target: target,
      detail: "\(rounded(cost / 1000)) µs, without \(rounded(baseCost / 1000)) µs")
  }

  /// The costs of deliveries of both, in nanoseconds.
  private func pairs(
    of one: SeekBroadcaster, and other: SeekBroadcaster
  ) throws(BenchError) -> [(Double, Double)] {
    let rounds = max(effort.deliveries / Self.audience, 4)
    for broadcaster in [other, one] {
      try broadcaster.grow(to: Self.audience)
      _ = try broadcaster.broadcast(rounds: rounds / 4, linesPerRound: 1)
    }
    var pairs: [(Double, Double)] = []
    for _ in 0..<effort.repetitions {
      let base = try other.broadcast(rounds: rounds, linesPerRound: 1)
      pairs.append((try one.broadcast(rounds: rounds, linesPerRound: 1), base))
    }
    return pairs
  }
}
