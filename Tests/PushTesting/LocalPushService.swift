import EventLoops

/// A push service for tests: a real server on loopback, with HTTP/1.1 or HTTP/2.
package final class LocalPushService: Sendable {
  /// The protocols of a service.
  package enum Speech: Sendable {
    /// HTTP/1.1, unencrypted.
    case plain
    /// HTTP/2 or HTTP/1.1 over TLS, as the client chooses.
    case secure(TestCertificate)
    /// HTTP/1.1 over TLS.
    case secureHTTP1(TestCertificate)
    /// Accepts connections and never answers.
    case mute
  }

  private struct Waiting: Sendable {
    let isDue: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var port: Int?
    var received: [ReceivedPush] = []
    var connections = 0
    var closed = 0
    var listens = true
    var hasEnded = false
    var waiting: [Waiting] = []
  }

  private struct CannotStart: Error {}

  package let port: Int
  private let thread: LoopThread<PushServiceProcess>
  private let state: Locked<State>

  /// Starts a service that answers each request with the reply of a function.
  package static func start(
    _ speech: Speech = .plain, host: String = "127.0.0.1", port: Int = 0,
    _ reply: @escaping @Sendable (ReceivedPush) -> PushReply
  ) async throws -> LocalPushService {
    let state = Locked(State())
    let setup = PushServiceSetup(speech, host: host, port: port)
    let thread = try LoopThread { loop throws(UVError) in
      try PushServiceProcess(setup, on: loop) { event, process in
        note(event, in: state)
        if let push = event.request, let number = event.number {
          process.answer(number, reply(push))
        }
      } onEnd: {
        change(state) { $0.hasEnded = true }
      }
    }
    await wait(for: state) { $0.port != nil || $0.hasEnded }
    guard let port = state.withLock({ $0.port }) else { throw CannotStart() }
    return LocalPushService(port, thread, state)
  }

  private init(_ port: Int, _ thread: LoopThread<PushServiceProcess>, _ state: Locked<State>) {
    self.port = port
    self.thread = thread
    self.state = state
  }

  private static func note(_ event: PushServiceProcess.Event, in state: Locked<State>) {
    change(state) { state in
      state.port = event.port ?? state.port
      if event.connection != nil { state.connections += 1 }
      if event.closed != nil { state.closed += 1 }
      if event.listensNoMore != nil { state.listens = false }
      if let request = event.request { state.received.append(request) }
    }
  }

  private static func change(_ state: Locked<State>, _ change: (inout State) -> Void) {
    let due = state.withLock { state in
      change(&state)
      let isDue = state.waiting.map { [state] in $0.isDue(state) }
      let due = zip(state.waiting, isDue).filter(\.1).map(\.0)
      state.waiting = zip(state.waiting, isDue).filter { !$0.1 }.map(\.0)
      return due
    }
    for waiting in due { waiting.continuation.resume() }
  }

  private static func wait(
    for state: Locked<State>, until isDue: @escaping @Sendable (State) -> Bool
  ) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard !isDue(state) else { return true }
        state.waiting.append(Waiting(isDue: isDue, continuation: continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// The requests so far.
  package var received: [ReceivedPush] { state.withLock { $0.received } }

  /// How many connections were made to it.
  package var connections: Int { state.withLock { $0.connections } }

  /// Waits until this many requests have arrived in total.
  package func hasReceived(_ count: Int) async {
    await Self.wait(for: state) { $0.received.count >= count || $0.hasEnded }
  }

  /// Waits until this many of its connections are closed.
  package func hasClosed(_ count: Int) async {
    await Self.wait(for: state) { $0.closed >= count || $0.hasEnded }
  }

  /// How many connections are open.
  package var openConnections: Int { state.withLock { $0.connections - $0.closed } }

  /// Stops accepting connections.
  package func listenNoMore() async throws {
    thread.mailbox.post { $0.listenNoMore() }
    await Self.wait(for: state) { !$0.listens || $0.hasEnded }
  }

  /// Stops the service and closes its connections.
  package func stop() async throws {
    thread.mailbox.post { $0.kill() }
    await Self.wait(for: state) { $0.hasEnded }
    thread.stop()
    thread.join()
  }
}
