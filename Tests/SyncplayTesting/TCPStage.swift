internal import EventLoops
package import LoopTesting
internal import Vocabulary
internal import Wire

/// Scripts over TCP, on whatever server listens there: a step waits for what it expects, not for
/// a clock, and time passes by the beats of the protocol.
package final class TCPStage: SyncplayStage {
  /// Lines take time, and a busy machine more: how far off is for the tests in virtual time.
  package let slack = 45.0
  /// The longest that this process did nothing; servers drop who is silent for 12.5 s.
  package private(set) var longestPause = Duration.zero
  private let port: UInt16
  private let test: TestLoop
  private var clients: [String: Client] = [:]
  private var lastTurn: HostTime

  /// A stage where everybody connects to that port of this machine.
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

  /// Connects a client.
  package func connect(_ name: String) throws {
    var result: Result<ByteStream, EndpointError>?
    let attempt = try ConnectAttempt(host: "127.0.0.1", port: port, on: test.loop) { result = $0 }
    defer { attempt.cancel() }
    try test.run { result != nil }
    guard let result else { throw TestLoop.TimedOut() }
    clients[name] = try Client(name, try result.get())
  }

  /// Has a client say a line.
  package func say(_ line: String, as name: String) throws { try clients[name]?.say(line) }

  /// Has a client hang up.
  package func leave(_ name: String) { clients.removeValue(forKey: name)?.hangUp() }

  /// Has a client answer no States from here on.
  package func mute(_ name: String) { clients[name]?.player.answers = false }

  /// Goes on until everybody has heard as many States as the seconds are, begun ones too: they
  /// come once a second.
  package func wait(_ seconds: Double) throws {
    let beats = Int(seconds.rounded(.up))
    let listening = clients.values.filter(\.isListening).map { ($0, goal: $0.beats + beats) }
    try test.run { listening.allSatisfy { !$0.isListening || $0.beats >= $1 } }
  }

  /// Goes on until a condition holds.
  ///
  /// - Throws: `TestLoop.TimedOut`.
  package func wait(until condition: @escaping (TCPStage) -> Bool) throws {
    try test.run { [unowned self] in condition(self) }
  }

  /// The lines that a client heard and no step looked at yet.
  package func heard(by name: String) -> [JSONTree] { clients[name]?.unseen ?? [] }

  /// Passes over the first of those.
  package func skip(_ count: Int, heardBy name: String) { clients[name]?.unseen.removeFirst(count) }

  /// Whether a client was hung up on.
  package func isOver(_ name: String) -> Bool { clients[name]?.isOver == true }

  /// Hangs up on the server, for all.
  package func close() {
    for client in clients.values { client.hangUp() }
    clients = [:]
  }
}

@available(*, unavailable)
extension TCPStage: Sendable {}

extension TCPStage {
  /// One client, which answers by itself.
  private final class Client: ByteStreamDelegate {
    var player: ScriptedClient
    var unseen: [JSONTree] = []
    /// The periodic States that it heard.
    private(set) var beats = 0
    private(set) var isOver = false
    private var isWelcome = false
    private let stream: ByteStream
    private var splitter = LineSplitter(
      maximumLineBytes: 16_384, endingWith: .carriageReturnLineFeed)

    /// Whether it hears and answers States.
    var isListening: Bool { isWelcome && !isOver && player.answers }

    init(_ name: String, _ stream: ByteStream) throws {
      self.stream = stream
      player = ScriptedClient(name, at: stream.loop.now.seconds)
      try stream.start(self)
    }

    func say(_ line: String) throws(UVError) {
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
      // No client would take it.
      guard let tree = JSONTree(ifObject: line) else { return isOver = true }
      unseen.append(tree)
      if tree["Hello"] != nil { isWelcome = true }
      if tree["State"] != nil, tree["State"]?["ignoringOnTheFly"] == nil { beats += 1 }
      guard let answer = player.answer(to: tree, at: stream.loop.now.seconds) else { return }
      do throws(UVError) {
        try stream.write(SharedBytes(answer + "\r\n"))
      } catch {
        isOver = true
      }
    }

    func byteStreamDidEnd(_ stream: ByteStream) { isOver = true }

    func byteStream(_ stream: ByteStream, didFail error: UVError) { isOver = true }

    func byteStreamDidDrain(_ stream: ByteStream) {}
  }
}

extension HostTime {
  fileprivate var seconds: Double { Double(microseconds) / 1_000_000 }
}

extension SyncplayCase {
  /// Plays it on a server of its own, which `serve` starts.
  ///
  /// A run in which this machine stood still for so long that somebody was dropped as silent shows
  /// nothing; then it is played again.
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
