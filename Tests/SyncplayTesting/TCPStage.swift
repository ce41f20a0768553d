internal import EventLoops
package import LoopTesting
internal import Vocabulary
internal import Wire

/// Plays scripts over TCP against any server.
///
/// Each step waits for what it expects, not for a clock; time is measured by the protocol's
/// periodic States.
package final class TCPStage: SyncplayStage {
  /// Lines take time, especially on a busy machine.
  ///
  /// Precise positions are checked by the tests in virtual time.
  package let slack = 45.0
  /// The longest time in which this process did nothing.
  ///
  /// Servers drop clients that are silent for 12.5 s.
  package private(set) var longestPause = Duration.zero
  private let port: UInt16
  private let test: TestLoop
  private var clients: [String: Client] = [:]
  private var lastTurn: HostTime

  /// Makes a stage whose clients connect to a port of this machine.
  package init(port: UInt16, on test: TestLoop) {
    self.port = port
    self.test = test
    lastTurn = test.loop.now
    test.loop.atTurnEnd(.settle) { [weak self] in self?.noteTurn() }
  }

  private func noteTurn() {
    longestPause = max(longestPause, test.loop.now - lastTurn)
    lastTurn = test.loop.now
  }

  package func connect(_ name: String) throws {
    var result: Result<ByteStream, EndpointError>?
    let attempt = try ConnectAttempt(host: "127.0.0.1", port: port, on: test.loop) { result = $0 }
    defer { attempt.cancel() }
    try test.run { result != nil }
    guard let result else { throw TestLoop.TimedOut() }
    clients[name] = try Client(name, try result.get())
  }

  /// Makes a client send a line.
  package func say(_ line: String, as name: String) throws { try clients[name]?.say(line) }

  /// Makes a client disconnect.
  package func leave(_ name: String) { clients.removeValue(forKey: name)?.hangUp() }

  /// Makes a client stop answering States.
  package func mute(_ name: String) { clients[name]?.player.answers = false }

  /// Continues until each client has received as many periodic States as the seconds, rounded up;
  /// they arrive once a second.
  package func wait(_ seconds: Double) throws {
    let beats = Int(seconds.rounded(.up))
    let listening = clients.values.filter(\.isListening).map { ($0, goal: $0.beats + beats) }
    try test.run { listening.allSatisfy { !$0.isListening || $0.beats >= $1 } }
  }

  /// Continues until a condition holds.
  ///
  /// - Throws: `TestLoop.TimedOut`.
  package func wait(until condition: @escaping (TCPStage) -> Bool) throws {
    try test.run { [unowned self] in condition(self) }
  }

  /// The lines that a client received and no step has consumed.
  package func heard(by name: String) -> [JSONTree] { clients[name]?.unseen ?? [] }

  /// Drops the first of those lines.
  package func skip(_ count: Int, heardBy name: String) { clients[name]?.unseen.removeFirst(count) }

  /// Whether a client was disconnected.
  package func isOver(_ name: String) -> Bool { clients[name]?.isOver == true }

  /// Disconnects all clients.
  package func close() {
    for client in clients.values { client.hangUp() }
    clients = [:]
  }
}

@available(*, unavailable)
extension TCPStage: Sendable {}

extension TCPStage {
  /// A client that answers States on its own.
  private final class Client: ByteStreamDelegate {
    var player: ScriptedClient
    var unseen: [JSONTree] = []
    /// How many periodic States it has received.
    private(set) var beats = 0
    private(set) var isOver = false
    private var isWelcome = false
    private let stream: ByteStream
    private var splitter = LineSplitter(
      maximumLineBytes: 16_384, endingWith: .carriageReturnLineFeed)

    /// Whether it receives and answers States.
    var isListening: Bool { isWelcome && !isOver && player.answers }

    init(_ name: String, _ stream: ByteStream) throws {
      self.stream = stream
      player = ScriptedClient(name, at: stream.loop.now.seconds)
      try stream.start(self)
    }

    func say(_ line: String) throws(StreamError) {
      if let tree = JSONTree(ifObject: line) { player.note(tree, at: stream.loop.now.seconds) }
      try stream.write(SharedBytes(line + "\r\n"))
    }

    func hangUp() { stream.close() }

    func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
      splitter.split(bytes) { line in
        var copy: [UInt8] = []
        for index in line.indices { copy.append(line[index]) }
        hear(String(decoding: copy, as: UTF8.self))
      } onOverlongLine: {
        isOver = true
      }
    }

    private func hear(_ line: String) {
      // A client would disconnect at such a line.
      guard let tree = JSONTree(ifObject: line) else { return isOver = true }
      unseen.append(tree)
      if tree["Hello"] != nil { isWelcome = true }
      if tree["State"] != nil, tree["State"]?["ignoringOnTheFly"] == nil { beats += 1 }
      guard let answer = player.answer(to: tree, at: stream.loop.now.seconds) else { return }
      do throws(StreamError) {
        try stream.write(SharedBytes(answer + "\r\n"))
      } catch {
        isOver = true
      }
    }

    func byteStreamDidEnd(_ stream: ByteStream) { isOver = true }

    func byteStream(_ stream: ByteStream, didFail error: StreamError) { isOver = true }

    func byteStreamDidDrain(_ stream: ByteStream) {}
  }
}

extension HostTime {
  fileprivate var seconds: Double { Double(microseconds) / 1_000_000 }
}

extension SyncplayCase {
  /// Plays the script against a new server that `serve` starts.
  ///
  /// If this machine stood still for so long that a client was dropped as silent, the run proves
  /// nothing and is repeated.
  package func play(on test: TestLoop, serve: () throws -> UInt16) throws {
    for attempt in 1... {
      var stage = TCPStage(port: try serve(), on: test)
      defer { stage.close() }
      do {
        return try SyncplayScript(text).play(on: &stage)
      } catch let failure as SyncplayScript.Failure {
        let stoodStill = failure.isHungUp && stage.longestPause > .seconds(5)
        guard stoodStill, attempt < 10 else { throw failure }
      }
    }
  }
}
