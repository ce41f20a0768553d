/// The cost of one event for each receiving peer, compared with a bare relay in C.
struct FanOut {
  let stage: Stage
  let effort: Effort

  /// The ratio by which a delivery may cost more than the relay's.
  private static let ratioTarget = Figure.Target.atMost(1.25)
  /// How many commands are sent in one write, so that their events leave in one write.
  private static let batches = [1, 2, 4, 8]
  /// The session size for these batches.
  private static let batchAudience = 1000

  func measure(into section: inout Section) throws(BenchError) {
    let matineeServer = try ServerProcess(.matinee, on: stage)
    defer { matineeServer.stop() }
    let relayServer = try ServerProcess(.bareRelay, on: stage)
    defer { relayServer.stop() }
    let matinee = SeekBroadcaster(at: matineeServer, on: stage)
    defer { matinee.crowd.close() }
    var relay = RelayBroadcaster(at: relayServer, on: stage)
    defer { relay.crowd.close() }
    var costs: [Cost] = []
    for audience in effort.audiences {
      try matinee.grow(to: audience)
      try relay.grow(to: audience)
      relay.lineBytes = try matinee.eventBytes()
      costs.append(
        try compare(matinee, relay, linesPerRound: 1, "to \(audience) peers", &section))
      guard audience == Self.batchAudience else { continue }
      for batch in Self.batches.dropFirst() {
        let name = "to \(audience) peers, \(batch) at once"
        _ = try compare(matinee, relay, linesPerRound: batch, name, &section)
      }
    }
    guard let smallest = costs.first, let largest = costs.last, smallest.matinee > 0 else { return }
    if costs.count > 1 { section.figures.append(furtherPeer(from: smallest, to: costs[1])) }
    section.figures.append(
      Figure(
        name: "largest audience to smallest", value: largest.matinee / smallest.matinee, unit: "×",
        target: Self.ratioTarget, detail: "cost per delivery; 1 is flat"))
  }

  /// The cost of a delivery in an audience of one size, in nanoseconds.
  private struct Cost {
    let peers: Int
    let matinee: Double
    let relay: Double
  }

  /// The marginal cost of one more peer.
  ///
  /// It excludes the cost of the command itself, which the server has to decode, check, journal and
  /// apply once for any number of peers. A relay does none of this.
  private func furtherPeer(from few: Cost, to more: Cost) -> Figure {
    func slope(_ cost: (Cost) -> Double) -> Double {
      (cost(more) * Double(more.peers) - cost(few) * Double(few.peers))
        / Double(more.peers - few.peers)
    }
    let (matinee, relay) = (slope(\.matinee), slope(\.relay))
    return Figure(
      name: "a further peer, from \(few.peers) to \(more.peers)", value: matinee / relay, unit: "×",
      target: Self.ratioTarget,
      detail: "\(rounded(matinee / 1000)) µs, relay \(rounded(relay / 1000)) µs")
  }

  /// Measures both servers in turn, so that other load on the machine affects both.
  ///
  /// - Returns: The cost of a delivery for both.
  private func compare(
    _ matinee: SeekBroadcaster, _ relay: RelayBroadcaster, linesPerRound: Int,
    _ name: String, _ section: inout Section
  ) throws(BenchError) -> Cost {
    let perRound = matinee.crowd.peers.count * linesPerRound
    let rounds = max(effort.deliveries / perRound, 4)
    _ = try relay.broadcast(rounds: rounds / 4, linesPerRound: linesPerRound)
    _ = try matinee.broadcast(rounds: rounds / 4, linesPerRound: linesPerRound)
    var pairs: [(matinee: Double, relay: Double)] = []
    for _ in 0..<effort.repetitions {
      let base = try relay.broadcast(rounds: rounds, linesPerRound: linesPerRound)
      let cost = try matinee.broadcast(rounds: rounds, linesPerRound: linesPerRound)
      pairs.append((cost, base))
    }
    let cost = pairs.map(\.matinee).median
    let base = pairs.map(\.relay).median
    section.figures.append(
      Figure(
        name: name, value: pairs.map { $0.matinee / $0.relay }.median, unit: "×",
        target: Self.ratioTarget,
        detail: "\(rounded(cost / 1000)) µs a delivery, relay \(rounded(base / 1000)) µs"))
    return Cost(peers: matinee.crowd.peers.count, matinee: cost, relay: base)
  }
}
