import EventLoops
package import PushTransports
import Vocabulary

/// A transport whose attempts end when a test says so.
package final class ScriptedTransport: PushTransport {
  private struct State: Sendable {
    var attempts: [PushID: CheckedContinuation<PushOutcome, Never>] = [:]
    package var began: [PushID] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var isStopped = false
  }

  private let state = Locked(State())

  /// Makes a transport to Apple devices in which each topic is a service.
  package init() {}

  /// The pushes whose attempts have started, in order.
  package var began: [PushID] { state.withLock { $0.began } }

  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// The device's topic.
  package func service(for address: PushAddress) -> String? {
    guard case .apns(let device) = address else { return nil }
    return device.topic
  }

  /// Starts an attempt.
  package func send(_ message: PushMessage) async -> PushOutcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let due = state.withLock { state in
          state.attempts[message.id] = continuation
          state.began.append(message.id)
          let due = state.waiting.filter { $0.count <= state.began.count }
          state.waiting.removeAll { $0.count <= state.began.count }
          return due.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
        if Task.isCancelled { end(message.id, .retry(after: .zero, because: .closed)) }
      }
    } onCancel: {
      end(message.id, .retry(after: .zero, because: .closed))
    }
  }

  /// Records the stop; attempts continue.
  package func stop() async { state.withLock { $0.isStopped = true } }

  /// Ends the current attempt for a push, if there is one.
  package func end(_ id: PushID, _ outcome: PushOutcome) {
    state.withLock { $0.attempts.removeValue(forKey: id) }?.resume(returning: outcome)
  }

  /// Waits until this many attempts have started in total.
  package func hasBegun(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.began.count < count else { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
