import EventLoops
import UserNotifications
import Vocabulary

/// Calls of one handler of an app, one after another.
///
/// A call holds up those after it until it returns, or until the centre goes on without it.
final class HandlerLane: Sendable {
  struct Call: Sendable {
    let id: NotificationID
    let run: @Sendable () async -> Void
  }

  /// As many calls of handlers as the centre has under way.
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

  /// The centre goes on without a word about this one.
  func giveUp(_ id: NotificationID) {
    state.withLock { $0.stopWaiting { _, waiting in waiting == id } }?.resume()
  }

  /// Nothing more comes.
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

/// Says that a handler is done with what it was called for.
///
/// It counts once: what is said again, or too late, is ignored, and counted for developers in
/// ``UserNotificationCenter/extraCompletions()``. A handler that never says so is taken as done
/// after 30 seconds, ``NotificationPresentationDelegate/willPresent(_:completion:)`` as a no after 5.
public struct HandlerCompletion<Result: Sendable>: Sendable {
  private let end: @Sendable (Result) -> Void

  init(_ end: @escaping @Sendable (Result) -> Void) {
    self.end = end
  }

  /// The handler is done, and that came of it.
  public func callAsFunction(_ result: Result) { end(result) }
}

extension HandlerCompletion where Result == Void {
  /// The handler is done.
  public func callAsFunction() { end(()) }
}
