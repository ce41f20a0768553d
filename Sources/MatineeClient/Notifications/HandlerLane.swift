import EventLoops
import UserNotifications

/// A queue that calls one of the app's handlers, one call at a time.
///
/// The next call starts when the current one returns or is answered, or when the centre gives up on
/// it.
final class HandlerLane: Sendable {
  struct Call: Sendable {
    let token: CallToken
    let run: @Sendable () async -> Void
  }

  /// Equal to the centre's limit of handler calls under way.
  private static let waitingCalls = 256

  private struct State: Sendable {
    /// The number of the last call that the centre gave up.
    var givenUp = 0
    var waiting: (number: Int, continuation: CheckedContinuation<Void, Never>)?

    /// Waits for a call; `false` if the centre gave it up before it began.
    mutating func wait(
      for number: Int, _ continuation: CheckedContinuation<Void, Never>
    ) -> Bool {
      guard number > givenUp else { return false }
      waiting = (number, continuation)
      return true
    }

    mutating func stopWaiting(
      where isOver: (Int) -> Bool
    ) -> CheckedContinuation<Void, Never>? {
      guard let waiting, isOver(waiting.number) else { return nil }
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

  /// Adds a call; the tokens of a queue's calls count up.
  func add(_ token: CallToken, _ run: @escaping @Sendable () async -> Void) {
    calls.send(Call(token: token, run: run))
  }

  /// The completion of a call: it passes the result on, and lets the next call begin.
  func completion<Result: Sendable>(
    of token: CallToken, _ end: @escaping @Sendable (Result) -> Void
  ) -> HandlerCompletion<Result> {
    // An app may keep the completion, which must not keep the lane.
    HandlerCompletion { [state] result in
      end(result)
      Self.end(token, state)
    }
  }

  /// Stops waiting for this call, because the app has answered it.
  ///
  /// Its method may go on. The time of the next call runs from the answer, so that one must begin.
  func end(_ token: CallToken) { Self.end(token, state) }

  private static func end(_ token: CallToken, _ state: Locked<State>) {
    state.withLock { $0.stopWaiting { $0 == token.number } }?.resume()
  }

  /// Stops waiting for this call and for those before it, because the centre no longer does.
  ///
  /// The call may not have begun, because the centre gives up the oldest one when there are too
  /// many. It is then still made, but not waited for.
  func giveUp(_ token: CallToken) {
    let continuation = state.withLock { state in
      state.givenUp = max(state.givenUp, token.number)
      return state.stopWaiting { $0 <= token.number }
    }
    continuation?.resume()
  }

  /// Accepts no more calls and stops waiting for the current one.
  func finish() {
    calls.finish()
    state.withLock { $0.stopWaiting { _ in true } }?.resume()
  }

  private static func carryOut(_ call: Call, _ state: Locked<State>) async {
    await withCheckedContinuation { continuation in
      let number = call.token.number
      let isWaiting = state.withLock { $0.wait(for: number, continuation) }
      Task {
        await call.run()
        state.withLock { $0.stopWaiting { waiting in waiting == number } }?.resume()
      }
      if !isWaiting { continuation.resume() }
    }
  }
}

/// The completion callback of a handler.
///
/// Only the first call counts. Repeated or late calls are ignored and counted in
/// ``UserNotificationCenter/extraCompletions()``. A handler that never calls it is treated as done
/// after 30 seconds; ``NotificationPresentationDelegate/willPresent(_:completion:)`` counts as
/// showing nothing after 5. A call's time starts when the call before it is done.
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
