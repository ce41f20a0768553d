/// What encryption costs: a delivery, an idle peer, a handshake.
struct EncryptionCost {
  let stage: Stage
  let effort: Effort

  private static let deliveryTarget = Figure.Target.atMost(1.6)
  private static let memoryTarget = Figure.Target.atMost(30 * 1024)
  /// Peers that connect before the measurement, so that one-time allocations are not counted.
  private static let firstPeers = 100

  func measure(into section: inout Section) throws(BenchError) {
    section.figures.append(
      try DeliveryRatio(stage: stage, effort: effort).figure(
        "a delivery to \(DeliveryRatio.audience) peers", by: .encrypted, beside: .matinee,
        target: Self.deliveryTarget))
    let memory = try IdleMemory(stage: stage, effort: effort).peer(of: .encrypted, inSessionOf: 5)
    section.figures.append(
      Figure(
        name: "memory of an idle peer in a session of 5", value: memory, unit: "B",
        target: Self.memoryTarget))
    try measureHandshake(into: &section)
  }

  /// Connections that say nothing, so that nothing but accepting and the handshake is measured.
  private func measureHandshake(into section: inout Section) throws(BenchError) {
    let server = try ServerProcess(.encrypted, on: stage)
    defer { server.stop() }
    let crowd = Crowd(at: server.running, on: stage)
    defer { crowd.close() }
    try crowd.grow(to: Self.firstPeers)
    let before = try server.processorTime()
    try crowd.grow(to: Self.firstPeers + effort.idlePeers / 4)
    try stage.rest()
    let cost = Double(try server.processorTime() - before) / Double(effort.idlePeers / 4)
    section.figures.append(
      Figure(
        name: "handshakes a second of one core", value: 1e9 / cost, unit: "",
        target: nil, detail: "\(rounded(cost / 1000)) µs each"))
  }
}

/// What WebSocket costs: a delivery in a frame, compared with one in a line.
///
/// Encryption is not measured again, because the same stream encrypts both.
struct WebSocketCost {
  let stage: Stage
  let effort: Effort

  /// The event is encoded once for lines and frames, so only a header is more.
  private static let target = Figure.Target.atMost(1.3)

  func measure(into section: inout Section) throws(BenchError) {
    section.figures.append(
      try DeliveryRatio(stage: stage, effort: effort).figure(
        "a delivery to \(DeliveryRatio.audience) peers", by: .web, beside: .matinee,
        target: Self.target))
  }
}

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
