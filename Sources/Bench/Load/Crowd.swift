import EventLoops

/// The peers of one server; it connects them, and counts all lines that they receive.
///
/// Confined to its loop's thread.
final class Crowd {
  let stage: Stage
  let server: RunningServer
  private(set) var peers: [CrowdPeer] = []
  /// Lines received by all peers since the beginning.
  private(set) var lineCount = 0
  /// Called after each read with the number of lines that it ended, for closer measurements.
  var observer: ((CrowdPeer, Int) -> Void)?
  private var awaitedLines = Int.max
  private var isClosed = false

  /// Connections begun at once; fewer than the listen backlog of a busy server holds.
  private static let connectingMaximum = 256

  /// A crowd without peers.
  init(at server: RunningServer, on stage: Stage) {
    self.stage = stage
    self.server = server
  }

  /// Connects peers until there are this many.
  func grow(to count: Int) throws(BenchError) {
    while peers.count < count {
      let goal = min(count, peers.count + Self.connectingMaximum)
      for _ in peers.count..<goal { try connect() }
      try stage.wait(for: "connecting \(count) peers") { peers.count == goal }
    }
  }

  private func connect() throws(BenchError) {
    do throws(EndpointError) {
      _ = try ConnectAttempt(
        host: "127.0.0.1", port: server.port, under: server.trust, on: stage.loop
      ) { result in self.connected(result) }
    } catch {
      throw .cannotConnect(error)
    }
  }

  private func connected(_ result: Result<ByteStream, EndpointError>) {
    switch result {
    case .failure(let error): stage.fail(.cannotConnect(error))
    case .success(let stream):
      do throws(UVError) {
        try CrowdPeer(stream, speaking: server.program.carriage, in: self).start()
      } catch {
        stage.fail(.broken(.system(error)))
      }
    }
  }

  /// Takes in a peer that may send now.
  func peerIsReady(_ peer: CrowdPeer) {
    guard !isClosed else { return peer.close() }
    peers.append(peer)
    stage.nudge()
  }

  func close() {
    isClosed = true
    for peer in peers { peer.close() }
  }

  /// Waits until all peers together have received this many lines since the beginning.
  func wait(forLines count: Int) throws(BenchError) {
    awaitedLines = count
    defer { awaitedLines = .max }
    try stage.wait(for: "\(count - lineCount) deliveries to \(peers.count) peers") {
      lineCount >= count
    }
  }

  /// Waits until no line has come for 100 ms.
  func waitForQuiet() throws(BenchError) {
    var before = -1
    while before != lineCount {
      before = lineCount
      try stage.rest(.milliseconds(100))
    }
  }

  func peer(_ peer: CrowdPeer, received lines: Int) {
    lineCount += lines
    observer?(peer, lines)
    if lineCount >= awaitedLines { stage.nudge() }
  }

  func peerEnded(_ peer: CrowdPeer) {
    guard !isClosed else { return }
    stage.fail(.serverEnded(server.program.name, lastWords: "it closed a connection"))
  }
}

@available(*, unavailable)
extension Crowd: Sendable {}
