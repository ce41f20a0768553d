import EventLoops
import Playback
import Vocabulary
import Wire

/// Many small sessions: the server's commands per second, and the latency until the other
/// participants receive an event.
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

/// The time until a pause reaches everyone in a large session.
struct PauseReach {
  let stage: Stage
  let effort: Effort

  private static let audience = 1000
  private static let target = Figure.Target.atMost(10.0)

  func measure(into section: inout Section) throws(BenchError) {
    let server = try ServerProcess(.matinee, on: stage)
    defer { server.stop() }
    let session = SessionCrowd(at: server.running, on: stage, sessionSize: .max)
    defer { session.crowd.close() }
    try session.grow(to: Self.audience, everyoneWatches: true)
    var processorTimes: [Double] = []
    var wallTimes: [Double] = []
    for _ in 0..<effort.pauses {
      _ = try send(.play(Requests.film), to: session)
      try stage.rest()
      let before = try server.processorTime()
      let wallTime = try send(.pause(Requests.film), to: session)
      try stage.rest()
      processorTimes.append(Double(try server.processorTime() - before) / 1_000_000)
      wallTimes.append(Double(wallTime.microseconds) / 1000)
    }
    section.figures += [
      Self.figure("processor time of the server, median", processorTimes.median, hasTarget: true),
      Self.figure(
        "processor time of the server, 95th percentile", processorTimes.percentile(95),
        hasTarget: true),
      Self.figure("from the command to the last receipt, median", wallTimes.median),
      Self.figure(
        "from the command to the last receipt, 95th percentile", wallTimes.percentile(95)),
    ]
  }

  private static func figure(_ name: String, _ value: Double, hasTarget: Bool = false) -> Figure {
    Figure(name: name, value: value, unit: "ms", target: hasTarget ? target : nil)
  }

  /// Sends a command whose event goes to all peers, and returns the time until all have received
  /// it.
  private func send(
    _ command: PlaybackCommand, to session: SessionCrowd
  ) throws(BenchError) -> Duration {
    let crowd = session.crowd
    let bytes = SharedBytes(encode(session.requests.next(.playback(nil, command))))
    let goal = crowd.lineCount + crowd.peers.count + 1
    let start = stage.loop.now
    crowd.peers[0].write(bytes)
    try crowd.wait(forLines: goal)
    return stage.loop.now - start
  }
}
