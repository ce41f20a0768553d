import EventLoops
import Vocabulary

/// Seeks by the first of each session of a crowd, and how the server bears them.
///
/// Confined to its loop's thread.
final class SessionLoad {
  let sessions: SessionCrowd
  private let sessionSize: Int
  private let hosts: [CrowdPeer]
  /// The session of everyone, by its number.
  private var sessionOf: [ObjectIdentifier: Int] = [:]

  /// What came of a load.
  struct Outcome {
    var commandCount = 0
    /// How long commands were sent.
    var elapsed = Duration.zero
    /// The processor time of the server, in nanoseconds.
    var processorTime = 0
    /// From each command to its answer, in milliseconds.
    var answerTimes: [Double] = []
    /// From each command to its event at each of the others in the session, in milliseconds.
    var eventTimes: [Double] = []

    var commandsPerSecond: Double { Double(commandCount) / elapsed.inSeconds }
    /// The processor time of one command, in microseconds.
    var cost: Double { Double(processorTime) / Double(max(commandCount, 1)) / 1000 }
  }

  /// A load for a crowd that has grown.
  init(on sessions: SessionCrowd, sessionSize: Int) {
    self.sessions = sessions
    self.sessionSize = sessionSize
    let peers = sessions.crowd.peers
    hosts = stride(from: 0, to: peers.count, by: sessionSize).map { peers[$0] }
    for (place, peer) in peers.enumerated() {
      sessionOf[ObjectIdentifier(peer)] = place / sessionSize
    }
  }

  private var crowd: Crowd { sessions.crowd }
  private var stage: Stage { crowd.stage }

  /// Every session has one command under way: the next follows once the answer and the event of
  /// the one before have come.
  func saturate(for time: Duration) throws(BenchError) -> Outcome {
    var outcome = Outcome()
    var isOver = false
    var linesUntilNext = [Int](repeating: 0, count: hosts.count)
    let linesBefore = crowd.lineCount
    let processorBefore = try crowd.server.processorTime()
    func send(_ session: Int) {
      linesUntilNext[session] = 2
      outcome.commandCount += 1
      hosts[session].write(sessions.requests.seeks(1))
    }
    crowd.observer = { [self] peer, lines in
      guard let session = sessionOf[ObjectIdentifier(peer)], peer === hosts[session] else { return }
      linesUntilNext[session] -= lines
      if linesUntilNext[session] == 0, !isOver { send(session) }
    }
    defer { crowd.observer = nil }
    let start = stage.loop.now
    for session in hosts.indices { send(session) }
    try stage.rest(time)
    isOver = true
    outcome.elapsed = stage.loop.now - start
    let goal = linesBefore + outcome.commandCount * (sessionSize + 1)
    outcome.processorTime = try finish(at: goal) - processorBefore
    return outcome
  }

  /// Commands at a steady pace, one session after the other.
  func pace(_ commandsPerSecond: Int, for time: Duration) throws(BenchError) -> Outcome {
    var outcome = Outcome()
    var sentAt = [HostTime](repeating: HostTime(microseconds: 0), count: hosts.count)
    var linesUntilAnswered = [Int](repeating: 0, count: hosts.count)
    crowd.observer = { [self] peer, lines in
      guard lines > 0, let session = sessionOf[ObjectIdentifier(peer)] else { return }
      let time = (stage.loop.now - sentAt[session]).inMilliseconds
      guard peer === hosts[session] else { return outcome.eventTimes.append(time) }
      // To the one who asked, the answer follows the event.
      linesUntilAnswered[session] -= lines
      if linesUntilAnswered[session] == 0 { outcome.answerTimes.append(time) }
    }
    defer { crowd.observer = nil }
    let linesBefore = crowd.lineCount
    let processorBefore = try crowd.server.processorTime()
    let start = stage.loop.now
    while stage.loop.now - start < time {
      let due = Int((stage.loop.now - start).inSeconds * Double(commandsPerSecond))
      while outcome.commandCount < due {
        let session = outcome.commandCount % hosts.count
        sentAt[session] = stage.loop.now
        linesUntilAnswered[session] += 2
        hosts[session].write(sessions.requests.seeks(1))
        outcome.commandCount += 1
      }
      try stage.rest(.milliseconds(1))
    }
    outcome.elapsed = stage.loop.now - start
    let goal = linesBefore + outcome.commandCount * (sessionSize + 1)
    outcome.processorTime = try finish(at: goal) - processorBefore
    return outcome
  }

  /// Waits until each command was an event for everyone in its session, and an answer.
  ///
  /// - Returns: The processor time that the server has used by then.
  private func finish(at lineCount: Int) throws(BenchError) -> Int {
    try crowd.wait(forLines: lineCount)
    try stage.rest()
    return try crowd.server.processorTime()
  }
}

@available(*, unavailable)
extension SessionLoad: Sendable {}
