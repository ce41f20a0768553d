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
    let server = try ServerProcess(.encrypted, on: stage)
    defer { server.stop() }
    let sessions = SessionCrowd(at: server.running, on: stage, sessionSize: 5)
    defer { sessions.crowd.close() }
    try sessions.grow(to: Self.firstPeers)
    let before = try server.writtenMemory()
    try sessions.grow(to: Self.firstPeers + effort.idlePeers)
    section.figures.append(
      Figure(
        name: "memory of an idle peer in a session of 5",
        value: Double(try server.writtenMemory() - before) / Double(effort.idlePeers), unit: "B",
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
