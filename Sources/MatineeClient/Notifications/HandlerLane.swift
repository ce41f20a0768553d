import EventLoops
import UserNotifications
import Vocabulary

/// A queue that calls one of the app's handlers, one call at a time.
///
/// The next call starts when the current one returns, or when the centre gives up on it.
final class HandlerLane: Sendable {
  struct Call: Sendable {
    let id: NotificationID
    let run: @Sendable () async -> Void
  }

  /// Equal to the centre's limit of handler calls under way.
  private static let waitingCalls = 256

  private struct State: Sendable {
    var last = 0
    var waiting: (number: Int, id: NotificationID, continuation: CheckedContinuation<Void, Never>)?

    mutating func stopWaiting(
      where isOver: (Int, NotificationID) -> Bool
    ) -> CheckedContinuation<Void, Never>? {
      guard let waiting, isOver(waiting.number, waiting.id) else { return nil }
      self.waiting = nil
      return waiting.continuation
    }
  }

  private let calls = DeliveryQueue<Call>(limit: HandlerLane.waitingCalls)
  private let state: Locked<State>
  private let worker: Task<Void, Never>

  init() {
    let state = Locked(State())
    self.state = state
    worker = Task { [calls] in
      while let delivery = await calls.next() {
        if case .element(let call) = delivery { await Self.carryOut(call, state) }
      }
    }
  }

  deinit { worker.cancel() }

  func add(_ id: NotificationID, _ run: @escaping @Sendable () async -> Void) {
    calls.send(Call(id: id, run: run))
  }

  /// Stops waiting for this call, because the centre no longer does.
  func giveUp(_ id: NotificationID) {
    state.withLock { $0.stopWaiting { _, waiting in waiting == id } }?.resume()
  }

  /// Accepts no more calls and stops waiting for the current one.
  func finish() {
    calls.finish()
    state.withLock { $0.stopWaiting { _, _ in true } }?.resume()
  }

  private static func carryOut(_ call: Call, _ state: Locked<State>) async {
    await withCheckedContinuation { continuation in
      let number = state.withLock { state in
        state.last += 1
        state.waiting = (state.last, call.id, continuation)
        return state.last
      }
      Task {
        await call.run()
        state.withLock { $0.stopWaiting { waiting, _ in waiting == number } }?.resume()
      }
    }
  }
}

/// The completion callback of a handler.
///
/// Only the first call counts. Repeated or late calls are ignored and counted in
/// ``UserNotificationCenter/extraCompletions()``. A handler that never calls it is treated as done
/// after 30 seconds; ``NotificationPresentationDelegate/willPresent(_:completion:)`` counts as
/// showing nothing after 5.
public struct HandlerCompletion<Result: Sendable>: Sendable {
  private let end: @Sendable (Result) -> Void

  init(_ end: @escaping @Sendable (Result) -> Void) {
    self.end = end
  }

  /// Completes with the handler's result.
  public func callAsFunction(_ result: Result) { end(result) }
}

extension HandlerCompletion where Result == Void {
  /// Completes.
  public func callAsFunction() { end(()) }
}
