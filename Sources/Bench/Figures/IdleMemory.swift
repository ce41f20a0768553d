/// What a peer that takes part in a session, and says nothing, costs the server.
struct IdleMemory {
  let stage: Stage
  let effort: Effort

  private static let sessionSizes = [5, 10]
  /// Peers that come first, so that what is allocated once is not counted.
  private static let firstPeers = 100
  private static let target = 1536.0

  func measure(into section: inout Section) throws(BenchError) {
    for size in Self.sessionSizes {
      section.figures.append(
        Figure(
          name: "in a session of \(size)", value: try matineePeer(inSessionOf: size), unit: "B",
          target: Self.target))
    }
    section.figures.append(
      Figure(
        name: "of the bare relay, for comparison", value: try relayPeer(), unit: "B"))
  }

  private func matineePeer(inSessionOf size: Int) throws(BenchError) -> Double {
    let server = try ServerProcess(.matinee, on: stage)
    defer { server.stop() }
    let sessions = SessionCrowd(at: server, on: stage, sessionSize: size)
    defer { sessions.crowd.close() }
    try sessions.grow(to: Self.firstPeers)
    let before = try server.writtenMemory()
    try sessions.grow(to: Self.firstPeers + effort.idlePeers)
    return Double(try server.writtenMemory() - before) / Double(effort.idlePeers)
  }

  private func relayPeer() throws(BenchError) -> Double {
    let server = try ServerProcess(.bareRelay, on: stage)
    defer { server.stop() }
    let crowd = Crowd(at: server, on: stage)
    defer { crowd.close() }
    try crowd.grow(to: Self.firstPeers)
    try crowd.waitForQuiet()
    let before = try server.writtenMemory()
    try crowd.grow(to: Self.firstPeers + effort.idlePeers)
    try crowd.waitForQuiet()
    return Double(try server.writtenMemory() - before) / Double(effort.idlePeers)
  }
}
