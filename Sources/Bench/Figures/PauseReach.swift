import EventLoops
import GroupSessions
import Playback
import Vocabulary
import Wire

/// How soon a pause has reached everybody in a large session.
struct PauseReach {
  let stage: Stage
  let effort: Effort

  private static let audience = 1000
  private static let targetMilliseconds = 10.0

  func measure(into section: inout Section) throws(BenchError) {
    let server = try ServerProcess(.matinee, on: stage)
    defer { server.stop() }
    let session = SessionCrowd(at: server, on: stage, sessionSize: .max)
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
    Figure(name: name, value: value, unit: "ms", target: hasTarget ? targetMilliseconds : nil)
  }

  /// Sends a command whose event goes to all, and says how long it took to get there.
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
