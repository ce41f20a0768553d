import EventLoops

/// Accepts pushes from the server's loop and reports their outcomes.
///
/// Submitting never blocks: pushes wait in a bounded queue, and a bounded number of tasks works
/// through it. Pushes in flight are not persisted here. The caller remembers which pushes are due,
/// and submits them again after a restart.
package final class PushSender: Sendable {
  private struct State: Sendable {
    var queue: PushQueue
    var tasks: [Int: Task<Void, Never>] = [:]
    var nextTask = 0
    var isStopped = false
  }

  private let transports: [any PushTransport]
  private let report: @Sendable (PushReport) -> Void
  private let state: Locked<State>

  /// Makes a sender that accepts pushes immediately.
  ///
  /// - Parameters:
  ///   - transports: the available transports; ``stop()`` stops them too.
  ///   - report: receives the outcome of each attempt, on any thread.
  package init(
    _ transports: [any PushTransport], bounds: PushBounds = PushBounds(),
    report: @escaping @Sendable (PushReport) -> Void
  ) {
    self.transports = transports
    self.report = report
    state = Locked(State(queue: PushQueue(bounds)))
  }

  /// Submits a push for one attempt; callable from any thread.
  ///
  /// - Returns: false if too many pushes wait or the sender is stopped; submit it again later. Each
  ///   accepted push results in one report, unless the sender is stopped.
  package func submit(_ message: PushMessage) -> Bool {
    let service = transports.lazy.compactMap { $0.service(for: message.address) }.first
    guard let service else { return refuse(message) }
    return state.withLock { state in
      guard !state.isStopped, state.queue.add(message, for: service) else { return false }
      // The new push may have to wait, but if any push can start, it starts now.
      if let next = state.queue.next() {
        let number = state.nextTask
        state.nextTask += 1
        // The task ends under this lock, so it cannot end before it is stored.
        state.tasks[number] = Task { await self.work(from: next.message, next.service, number) }
      }
      return true
    }
  }

  private func refuse(_ message: PushMessage) -> Bool {
    guard !state.withLock({ $0.isStopped }) else { return false }
    report(PushReport(id: message.id, outcome: .refused(.noTransport)))
    return true
  }

  /// Sends one push after another until none can start.
  private func work(from first: PushMessage, _ service: String, _ number: Int) async {
    var next: (message: PushMessage, service: String)? = (first, service)
    while let (message, service) = next {
      let outcome = await attempt(message)
      let isStopped = state.withLock { $0.isStopped }
      // An attempt cut short by stopping is still due, so it is not reported as a failure.
      if case .retry = outcome, isStopped {
      } else {
        report(PushReport(id: message.id, outcome: outcome))
      }
      next = state.withLock { state in
        state.queue.ended(for: service)
        let next = state.queue.next()
        if next == nil { state.tasks[number] = nil }
        return next
      }
    }
  }

  private func attempt(_ message: PushMessage) async -> PushOutcome {
    for transport in transports where transport.service(for: message.address) != nil {
      return await transport.send(message)
    }
    return .refused(.noTransport)
  }

  /// Cancels attempts in flight, drops waiting pushes, and stops the transports.
  ///
  /// No reports follow. A second call is allowed.
  package func stop() async {
    let tasks = state.withLock { state in
      state.isStopped = true
      state.queue.removeWaiting()
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    for transport in transports { await transport.stop() }
  }
}

/// The result of one attempt for one push.
package struct PushReport: Equatable, Sendable {
  package let id: PushID
  package let outcome: PushOutcome
}
