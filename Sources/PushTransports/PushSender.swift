import EventLoops

/// Takes pushes from the server's loop, and tells it how they ended.
///
/// It never blocks who submits: pushes wait in a queue with bounds, and a bounded number of tasks
/// works it off. What is under way is nowhere kept: who submits remembers what is still due, and
/// submits it again after a restart.
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

  /// A sender that takes pushes at once.
  ///
  /// - Parameters:
  ///   - transports: the ways there are; the sender stops them when it is stopped.
  ///   - report: hears of each attempt's end, on any thread.
  package init(
    _ transports: [any PushTransport], bounds: PushBounds = PushBounds(),
    report: @escaping @Sendable (PushReport) -> Void
  ) {
    self.transports = transports
    self.report = report
    state = Locked(State(queue: PushQueue(bounds)))
  }

  /// Takes a push, to attempt it once; from any thread.
  ///
  /// - Returns: false if it is not taken, because too many wait or the sender was stopped: come
  ///   again later. Of a push that is taken there is one report, if the sender is not stopped.
  package func submit(_ message: PushMessage) -> Bool {
    let service = transports.lazy.compactMap { $0.service(for: message.address) }.first
    guard let service else { return refuse(message) }
    return state.withLock { state in
      guard !state.isStopped, state.queue.add(message, for: service) else { return false }
      // What just came may have to wait, but if anything can begin, it begins.
      if let next = state.queue.next() {
        let number = state.nextTask
        state.nextTask += 1
        // It ends by taking the lock, and so after it stands among the others.
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

  /// Works the queue off, beginning with one push, until nothing can begin.
  private func work(from first: PushMessage, _ service: String, _ number: Int) async {
    var next: (message: PushMessage, service: String)? = (first, service)
    while let (message, service) = next {
      let outcome = await attempt(message)
      let isStopped = state.withLock { $0.isStopped }
      // What stopping cut short is still due, and no trouble.
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

  /// Ends what is under way, forgets what waits, and stops the transports.
  ///
  /// There are no reports after it. It may be called twice.
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

/// How one attempt for one push ended.
package struct PushReport: Equatable, Sendable {
  /// Which push.
  package let id: PushID
  /// How its attempt ended.
  package let outcome: PushOutcome
}
