package import EventLoops

/// Accepts pushes from the server's loop and reports their outcomes.
///
/// Submitting never blocks: pushes wait in a bounded queue, and a loop on a thread of its own works
/// through it, because encrypting, signing and TLS handshakes take up to a millisecond each. Pushes
/// in flight are not persisted here. The caller remembers which pushes are due, and submits them
/// again after a restart.
package final class PushSender: Sendable {
  private let routes: [PushRoute]
  private let report: @Sendable (PushReport) -> Void
  private let state: Locked<PushSenderState>
  private let thread: LoopThread<PushDispatcher>

  /// Starts a sender that accepts pushes immediately.
  ///
  /// - Parameters:
  ///   - routes: the available routes; their transports are made on the sender's loop.
  ///   - bounds: how many pushes may wait and be in flight.
  ///   - report: receives the outcome of each attempt, on any thread.
  /// - Throws: the system's error if there is no thread or no descriptor.
  package init(
    _ routes: [PushRoute], bounds: PushBounds = PushBounds(),
    report: @escaping @Sendable (PushReport) -> Void
  ) throws(UVError) {
    let state = Locked(PushSenderState(queue: PushQueue(bounds)))
    self.routes = routes
    self.report = report
    self.state = state
    thread = try LoopThread { loop throws(UVError) in
      try PushDispatcher(routes, state, report, on: loop)
    }
  }

  /// Submits a push for one attempt; callable from any thread.
  ///
  /// - Returns: false if too many pushes wait or the sender is stopped; submit it again later. Each
  ///   accepted push results in one report, unless the sender is stopped.
  package func submit(_ message: PushMessage) -> Bool {
    let service = routes.lazy.compactMap { $0.service(message.address) }.first
    guard let service else { return refuse(message) }
    let (isAccepted, next) = state.withLock { state -> (Bool, PushQueue.Turn?) in
      guard !state.isStopped, state.queue.add(message, for: service) else { return (false, nil) }
      // The new push may have to wait, but if any push can start, it starts now.
      return (true, state.queue.next())
    }
    if let next { thread.mailbox.post { $0.send(next) } }
    return isAccepted
  }

  private func refuse(_ message: PushMessage) -> Bool {
    guard !state.withLock({ $0.isStopped }) else { return false }
    report(PushReport(id: message.id, outcome: .refused(.noTransport)))
    return true
  }

  /// Ends attempts in flight, drops waiting pushes, and stops the transports.
  ///
  /// A second call is allowed.
  ///
  /// - Parameter completion: called afterwards, on any thread; no reports follow.
  package func stop(_ completion: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.isStopped = true
      state.queue.removeWaiting()
    }
    let isRunning = thread.mailbox.post { dispatcher in
      dispatcher.stop()
      completion()
    }
    thread.stop()
    if !isRunning { completion() }
  }

  /// Waits until the thread of a stopped sender has ended.
  ///
  /// Must be called before the process ends, because the thread uses OpenSSL, which then frees its
  /// memory. It does not take long once ``stop(_:)`` has completed.
  package func join() { thread.join() }
}

/// The result of one attempt for one push.
package struct PushReport: Equatable, Sendable {
  package let id: PushID
  package let outcome: PushOutcome
}

/// What the threads of a sender share.
private struct PushSenderState: Sendable {
  var queue: PushQueue
  var isStopped = false
}

/// Works through the queue; confined to the sender's loop.
private final class PushDispatcher {
  private let transports: [(route: PushRoute, transport: any PushTransport)]
  private let state: Locked<PushSenderState>
  private let report: @Sendable (PushReport) -> Void
  private var isSending = false

  init(
    _ routes: [PushRoute], _ state: Locked<PushSenderState>,
    _ report: @escaping @Sendable (PushReport) -> Void, on loop: EventLoop
  ) throws(UVError) {
    var transports: [(route: PushRoute, transport: any PushTransport)] = []
    for route in routes { transports.append((route, try route.open(loop))) }
    self.transports = transports
    self.state = state
    self.report = report
  }

  /// Starts an attempt, and those that can start once it has ended.
  func send(_ turn: PushQueue.Turn) {
    let (message, service) = turn
    let transport = transports.first { $0.route.service(message.address) != nil }?.transport
    let end = { [self] outcome in
      didEnd(message, outcome)
      state.withLock { $0.queue.ended(for: service) }
      sendWaiting()
    }
    guard let transport else { return end(.refused(.noTransport)) }
    transport.send(message, end)
  }

  private func didEnd(_ message: PushMessage, _ outcome: PushOutcome) {
    // An attempt cut short by stopping is still due, so it is not reported as a failure.
    if case .retry = outcome, state.withLock({ $0.isStopped }) { return }
    report(PushReport(id: message.id, outcome: outcome))
  }

  private func sendWaiting() {
    // Attempts that end while they are started are not nested, because thousands may wait.
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    while let next = state.withLock({ $0.queue.next() }) { send(next) }
  }

  func stop() {
    for (_, transport) in transports { transport.stop() }
  }
}
