import EventLoops

/// A server and its crowd; the lines of the crowd's first peer go to all peers.
protocol Broadcaster {
  var crowd: Crowd { get }

  /// Lines that the first peer receives for each of its own, in addition to the broadcast one.
  var answersPerLine: Int { get }

  /// Adds peers until there are this many.
  func grow(to count: Int) throws(BenchError)

  /// The first peer's next lines, as the bytes of one write.
  func nextLines(_ count: Int) -> SharedBytes
}

extension Broadcaster {
  /// Sends rounds of lines; each round begins once all peers have received the one before.
  ///
  /// - Returns: The server's processor time per delivery, in nanoseconds.
  func broadcast(rounds: Int, linesPerRound: Int) throws(BenchError) -> Double {
    let deliveries = rounds * linesPerRound * crowd.peers.count
    let before = try crowd.server.processorTime()
    for _ in 0..<rounds {
      let expected = linesPerRound * (crowd.peers.count + answersPerLine)
      let goal = crowd.lineCount + expected
      crowd.peers[0].write(nextLines(linesPerRound))
      try crowd.wait(forLines: goal)
    }
    try crowd.stage.rest()
    return Double(try crowd.server.processorTime() - before) / Double(deliveries)
  }
}

/// Broadcasts on Matinee: seeks in one session, each an event for everyone in it.
struct SeekBroadcaster: Broadcaster {
  let session: SessionCrowd

  init(at server: ServerProcess, on stage: Stage, firstNumber: Int = 0) {
    session = SessionCrowd(
      at: server.running, on: stage, sessionSize: .max, firstNumber: firstNumber)
  }

  var crowd: Crowd { session.crowd }
  var answersPerLine: Int { 1 }

  func grow(to count: Int) throws(BenchError) { try session.grow(to: count) }

  func nextLines(_ count: Int) -> SharedBytes { session.requests.seeks(count) }

  /// The length of an event's line, including the line feed.
  func eventBytes() throws(BenchError) -> Int {
    guard let listener = crowd.peers.last else { return 0 }
    let before = listener.byteCount
    _ = try broadcast(rounds: 1, linesPerRound: 1)
    return listener.byteCount - before
  }
}

/// Broadcasts on the bare relay: lines as long as Matinee's events.
struct RelayBroadcaster: Broadcaster {
  let crowd: Crowd
  var lineBytes = 200

  init(at server: ServerProcess, on stage: Stage) {
    crowd = Crowd(at: server.running, on: stage)
  }

  var answersPerLine: Int { 0 }

  func grow(to count: Int) throws(BenchError) { try crowd.grow(to: count) }

  func nextLines(_ count: Int) -> SharedBytes {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: lineBytes - 1) + [UInt8(ascii: "\n")]
    return SharedBytes((0..<count).flatMap { _ in line })
  }
}
