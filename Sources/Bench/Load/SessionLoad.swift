import EventLoops
import Vocabulary

/// Seeks by the first peer of each session of a crowd, and the measured times.
///
/// Confined to its loop's thread.
final class SessionLoad {
  let sessions: SessionCrowd
  private let sessionSize: Int
  private let hosts: [CrowdPeer]
  /// Each peer's index in the crowd.
  private var places: [ObjectIdentifier: Int] = [:]

  /// The most unanswered commands of a session; at this number it skips its turn.
  ///
  /// A server that is far behind would otherwise refuse commands (`Limits.pendingCommands`).
  private static let unansweredMaximum = 256

  /// The measurements of a load.
  struct Outcome {
    var commandCount = 0
    /// How long commands were sent.
    var elapsed = Duration.zero
    /// The server's processor time, in nanoseconds.
    var processorTime = 0
    /// The time from each command to its answer, in milliseconds.
    var answerTimes: [Double] = []
    /// The time from each command to its event at each other participant, in milliseconds.
    var eventTimes: [Double] = []

    var commandsPerSecond: Double { Double(commandCount) / elapsed.inSeconds }
    /// The processor time per command, in microseconds.
    var cost: Double { Double(processorTime) / Double(max(commandCount, 1)) / 1000 }
  }

  /// A load for a crowd that is complete.
  init(on sessions: SessionCrowd, sessionSize: Int) {
    self.sessions = sessions
    self.sessionSize = sessionSize
    let peers = sessions.crowd.peers
    hosts = stride(from: 0, to: peers.count, by: sessionSize).map { peers[$0] }
    for (place, peer) in peers.enumerated() { places[ObjectIdentifier(peer)] = place }
  }

  private var crowd: Crowd { sessions.crowd }
  private var stage: Stage { crowd.stage }

  /// Keeps the same number of commands in flight in every session; the next one is sent once the
  /// event and the answer of one have come.
  func saturate(for time: Duration, inFlight: Int = 1) throws(BenchError) -> Outcome {
    var outcome = Outcome()
    var isOver = false
    var linesMissing = [Int](repeating: 0, count: hosts.count)
    let linesBefore = crowd.lineCount
    let processorBefore = try crowd.server.processorTime()
    func send(_ count: Int, to session: Int) {
      linesMissing[session] += 2 * count
      outcome.commandCount += count
      hosts[session].write(sessions.requests.seeks(count))
    }
    crowd.observer = { [self] peer, lines in
      guard let place = places[ObjectIdentifier(peer)], place % sessionSize == 0 else { return }
      let session = place / sessionSize
      linesMissing[session] -= lines
      let free = inFlight - (linesMissing[session] + 1) / 2
      if free > 0, !isOver { send(free, to: session) }
    }
    defer { crowd.observer = nil }
    let start = stage.loop.now
    for session in hosts.indices { send(inFlight, to: session) }
    try stage.rest(time)
    isOver = true
    outcome.elapsed = stage.loop.now - start
    outcome.processorTime = try finish(outcome.commandCount, after: linesBefore) - processorBefore
    return outcome
  }

  /// Sends commands at a fixed rate, one session after the other, until the time is over or
  /// `isOver` returns true.
  func pace(
    _ commandsPerSecond: Int, for time: Duration, until isOver: () -> Bool = { false }
  ) throws(BenchError) -> Outcome {
    var outcome = Outcome()
    var sentAt = [[HostTime]](repeating: [], count: hosts.count)
    var heard = [Int](repeating: 0, count: crowd.peers.count)
    var turns = 0
    crowd.observer = { [self] peer, lines in
      guard let place = places[ObjectIdentifier(peer)] else { return }
      let (now, sent) = (stage.loop.now, sentAt[place / sessionSize])
      for line in heard[place]..<heard[place] + lines {
        if place % sessionSize > 0 {
          outcome.eventTimes.append((now - sent[line]).inMilliseconds)
        } else if line % 2 == 1 {
          // The peer that sent the command receives the event first, and then the answer.
          outcome.answerTimes.append((now - sent[line / 2]).inMilliseconds)
        }
      }
      heard[place] += lines
    }
    defer { crowd.observer = nil }
    let linesBefore = crowd.lineCount
    let processorBefore = try crowd.server.processorTime()
    let start = stage.loop.now
    while stage.loop.now - start < time, !isOver() {
      let due = Int((stage.loop.now - start).inSeconds * Double(commandsPerSecond))
      while turns < due {
        let session = turns % hosts.count
        turns += 1
        let unanswered = sentAt[session].count - heard[session * sessionSize] / 2
        if unanswered >= Self.unansweredMaximum { continue }
        sentAt[session].append(stage.loop.now)
        hosts[session].write(sessions.requests.seeks(1))
        outcome.commandCount += 1
      }
      try stage.rest(.milliseconds(1))
    }
    outcome.elapsed = stage.loop.now - start
    outcome.processorTime = try finish(outcome.commandCount, after: linesBefore) - processorBefore
    return outcome
  }

  /// Waits until every participant has each command's event, and its sender the answer.
  ///
  /// - Returns: The processor time that the server has used by then.
  private func finish(_ commandCount: Int, after lineCount: Int) throws(BenchError) -> Int {
    try crowd.wait(forLines: lineCount + commandCount * (sessionSize + 1))
    try stage.rest()
    return try crowd.server.processorTime()
  }
}

@available(*, unavailable)
extension SessionLoad: Sendable {}
