/// The server's memory for a peer that takes part in a session and sends nothing.
struct IdleMemory {
  let stage: Stage
  let effort: Effort

  private static let sessionSizes = [5, 10]
  /// Peers that connect before the measurement, so that one-time allocations are not counted.
  private static let firstPeers = 100
  private static let target = Figure.Target.atMost(1536.0)

  func measure(into section: inout Section) throws(BenchError) {
    for size in Self.sessionSizes {
      section.figures.append(
        Figure(
          name: "in a session of \(size)", value: try peer(of: .matinee, inSessionOf: size),
          unit: "B",
          target: Self.target))
    }
    section.figures.append(
      Figure(
        name: "of the bare relay, for comparison", value: try relayPeer(), unit: "B"))
  }

  /// The memory of a peer of such a server in a session of this size, in bytes.
  func peer(
    of program: ServerProcess.Program, inSessionOf size: Int
  ) throws(BenchError) -> Double {
    let server = try ServerProcess(program, on: stage)
    defer { server.stop() }
    let sessions = SessionCrowd(at: server.running, on: stage, sessionSize: size)
    defer { sessions.crowd.close() }
    try sessions.grow(to: Self.firstPeers)
    let before = try server.writtenMemory()
    try sessions.grow(to: Self.firstPeers + effort.idlePeers)
    return Double(try server.writtenMemory() - before) / Double(effort.idlePeers)
  }

  private func relayPeer() throws(BenchError) -> Double {
    let server = try ServerProcess(.bareRelay, on: stage)
    defer { server.stop() }
    let crowd = Crowd(at: server.running, on: stage)
    defer { crowd.close() }
    try crowd.grow(to: Self.firstPeers)
    try crowd.waitForQuiet()
    let before = try server.writtenMemory()
    try crowd.grow(to: Self.firstPeers + effort.idlePeers)
    try crowd.waitForQuiet()
    return Double(try server.writtenMemory() - before) / Double(effort.idlePeers)
  }
}

/// The server's memory for a known person who is not connected.
struct PeopleMemory {
  let stage: Stage
  let effort: Effort

  /// People added before the measurement, so that one-time allocations are not counted.
  private static let firstPeople = 100
  private static let people = 10_000
  private static let target = Figure.Target.atMost(2048.0)

  func measure(into section: inout Section) throws(BenchError) {
    let base = try memory(of: Self.firstPeople)
    let some = try memory(of: Self.people)
    section.figures.append(
      figure("\(Self.people) people known", some - base, Self.people - Self.firstPeople))
    guard effort.people > Self.people else { return }
    let many = try memory(of: effort.people)
    section.figures.append(
      figure(
        "each further one, up to \(effort.people)", many - some, effort.people - Self.people))
  }

  private func figure(_ name: String, _ bytes: Int, _ count: Int) -> Figure {
    Figure(
      name: "memory of a person, \(name)", value: Double(bytes) / Double(count), unit: "B",
      target: Self.target,
      detail: """
        \(KnownPerson.attributeCount) attributes, \(KnownPerson.deviceCount) devices, \
        \(CampaignMix.seen.count) campaigns seen
        """)
  }

  private func memory(of count: Int) throws(BenchError) -> Int {
    let process = try ServerProcess(.people(count), on: stage)
    defer { process.stop() }
    return try process.writtenMemory()
  }
}
