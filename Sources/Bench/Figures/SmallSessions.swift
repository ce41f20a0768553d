import EventLoops
import GroupSessions
import Playback
import Vocabulary
import Wire

/// Many small sessions: how many commands a second one server takes, and how soon the others see
/// what came of one.
struct SmallSessions {
  let stage: Stage
  let effort: Effort

  private static let sessionCount = 200
  private static let sessionSize = 5
  private static let pacedCommandsPerSecond = 1000

  func measure(into section: inout Section) throws(BenchError) {
    let server = try ServerProcess(.matinee, on: stage)
    defer { server.stop() }
    let sessions = SessionCrowd(at: server, on: stage, sessionSize: Self.sessionSize)
    defer { sessions.crowd.close() }
    try sessions.grow(to: Self.sessionCount * Self.sessionSize)
    try measureThroughput(sessions, into: &section)
    try sessions.crowd.waitForQuiet()
    try measureLatency(sessions, into: &section)
  }

  /// Every session has one command under way: the next follows once the answer and the event of
  /// the one before have come.
  private func measureThroughput(_ sessions: SessionCrowd, into section: inout Section)
    throws(BenchError)
  {
    let crowd = sessions.crowd
    var commandCount = 0
    var isOver = false
    let hosts = Self.hosts(of: crowd)
    var linesUntilNext = [ObjectIdentifier: Int]()
    let linesBefore = crowd.lineCount
    let processorBefore = try crowd.server.processorTime()
    func send(to host: CrowdPeer) {
      linesUntilNext[ObjectIdentifier(host)] = 2
      commandCount += 1
      host.write(sessions.requests.seeks(1))
    }
    crowd.observer = { peer, lines in
      guard let left = linesUntilNext[ObjectIdentifier(peer)] else { return }
      linesUntilNext[ObjectIdentifier(peer)] = left - lines
      if left == lines, !isOver { send(to: peer) }
    }
    defer { crowd.observer = nil }
    let start = stage.loop.now
    for host in hosts { send(to: host) }
    try stage.rest(effort.trafficTime)
    isOver = true
    let elapsed = (stage.loop.now - start).inSeconds
    let count = commandCount
    // Each command is an event for everyone in its session, and an answer.
    try crowd.wait(forLines: linesBefore + count * (Self.sessionSize + 1))
    try stage.rest()
    let processorTime = Double(try crowd.server.processorTime() - processorBefore)
    section.figures += [
      Figure(
        name: "commands a second", value: Double(count) / elapsed, unit: "",
        detail: "\(rounded(Double(count * Self.sessionSize) / elapsed)) deliveries a second"),
      Figure(
        name: "processor time of the server, a command",
        value: processorTime / Double(count) / 1000,
        unit: "µs",
        detail: "\(rounded(processorTime / elapsed / 1e7)) % of one processor"),
    ]
  }

  /// Commands at a steady pace, one session after the other, and for each of the others in it the
  /// time until it has the event.
  private func measureLatency(_ sessions: SessionCrowd, into section: inout Section)
    throws(BenchError)
  {
    let crowd = sessions.crowd
    let hosts = Self.hosts(of: crowd)
    var sentAt = [HostTime](repeating: HostTime(microseconds: 0), count: hosts.count)
    var latencies: [Double] = []
    var sessionOf: [ObjectIdentifier: Int] = [:]
    for (place, peer) in crowd.peers.enumerated() where place % Self.sessionSize != 0 {
      sessionOf[ObjectIdentifier(peer)] = place / Self.sessionSize
    }
    crowd.observer = { peer, lines in
      guard lines > 0, let session = sessionOf[ObjectIdentifier(peer)] else { return }
      latencies.append((stage.loop.now - sentAt[session]).inMilliseconds)
    }
    defer { crowd.observer = nil }
    let linesBefore = crowd.lineCount
    let start = stage.loop.now
    var sent = 0
    while stage.loop.now - start < effort.trafficTime {
      let due = Int((stage.loop.now - start).inSeconds * Double(Self.pacedCommandsPerSecond))
      while sent < due {
        let session = sent % hosts.count
        sentAt[session] = stage.loop.now
        hosts[session].write(sessions.requests.seeks(1))
        sent += 1
      }
      try stage.rest(.milliseconds(1))
    }
    try crowd.wait(forLines: linesBefore + sent * (Self.sessionSize + 1))
    let what = "command to event at \(Self.pacedCommandsPerSecond) a second"
    section.figures += [
      Figure(name: what + ", median", value: latencies.median, unit: "ms"),
      Figure(
        name: what + ", 99th percentile", value: latencies.percentile(99), unit: "ms",
        detail: "\(latencies.count) receipts"),
    ]
  }

  /// The first of each session.
  private static func hosts(of crowd: Crowd) -> [CrowdPeer] {
    stride(from: 0, to: crowd.peers.count, by: sessionSize).map { crowd.peers[$0] }
  }
}
