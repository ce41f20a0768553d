/// Many small sessions: how many commands a second one server takes, and how soon the others see
/// what came of one.
struct SmallSessions {
  let stage: Stage
  let effort: Effort

  private static let sessionCount = 200
  private static let sessionSize = 5
  private static let pacedCommandsPerSecond = 1000

  func measure(into section: inout Section) throws(BenchError) {
    let server = try LoadedServer(
      .matinee, sessions: Self.sessionCount, ofSize: Self.sessionSize, on: stage)
    defer { server.stop() }
    try measureThroughput(server.load, into: &section)
    try server.load.sessions.crowd.waitForQuiet()
    try measureLatency(server.load, into: &section)
  }

  private func measureThroughput(_ load: SessionLoad, into section: inout Section)
    throws(BenchError)
  {
    let outcome = try load.saturate(for: effort.trafficTime)
    let deliveries = outcome.commandsPerSecond * Double(Self.sessionSize)
    let share = Double(outcome.processorTime) / outcome.elapsed.nanoseconds * 100
    section.figures += [
      Figure(
        name: "commands a second", value: outcome.commandsPerSecond, unit: "",
        detail: "\(rounded(deliveries)) deliveries a second"),
      Figure(
        name: "processor time of the server, a command", value: outcome.cost, unit: "µs",
        detail: "\(rounded(share)) % of one processor"),
    ]
  }

  private func measureLatency(_ load: SessionLoad, into section: inout Section)
    throws(BenchError)
  {
    let times = try load.pace(Self.pacedCommandsPerSecond, for: effort.trafficTime).eventTimes
    let what = "command to event at \(Self.pacedCommandsPerSecond) a second"
    section.figures += [
      Figure(name: what + ", median", value: times.median, unit: "ms"),
      Figure(
        name: what + ", 99th percentile", value: times.percentile(99), unit: "ms",
        detail: "\(times.count) receipts"),
    ]
  }
}
