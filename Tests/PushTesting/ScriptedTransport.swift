import EventLoops
package import PushTransports
import Vocabulary

/// A route whose attempts end when a test says so; any thread may use it.
package final class ScriptedTransport: Sendable {
  private struct State: Sendable {
    var began: [PushID] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var isStopped = false
    var mailbox: LoopMailbox<Attempts>?
  }

  private let state = Locked(State())

  /// Makes a route to Apple devices in which each topic is a service.
  package init() {}

  /// The route for a sender; for one sender only.
  package var route: PushRoute {
    PushRoute(
      service: { address in
        guard case .apns(let device) = address else { return nil }
        return device.topic
      },
      open: { [self] loop throws(UVError) in
        let attempts = Attempts(self)
        let mailbox = try LoopMailbox(on: loop, context: attempts)
        state.withLock { $0.mailbox = mailbox }
        return attempts
      })
  }

  /// The pushes whose attempts have started, in order.
  package var began: [PushID] { state.withLock { $0.began } }

  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Ends the current attempt for a push, if there is one.
  package func end(_ id: PushID, _ outcome: PushOutcome) {
    state.withLock { $0.mailbox }?.post { $0.end(id, outcome) }
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

  private func didBegin(_ id: PushID) {
    let due = state.withLock { state in
      state.began.append(id)
      let due = state.waiting.filter { $0.count <= state.began.count }
      state.waiting.removeAll { $0.count <= state.began.count }
      return due.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  private func didStop() { state.withLock { $0.isStopped = true } }

  /// The pending attempts, on the loop of pushes.
  private final class Attempts: PushTransport {
    private let script: ScriptedTransport
    private var completions: [PushID: (PushOutcome) -> Void] = [:]

    init(_ script: ScriptedTransport) {
      self.script = script
    }

    func send(_ message: PushMessage, _ completion: @escaping (PushOutcome) -> Void) {
      completions[message.id] = completion
      script.didBegin(message.id)
    }

    func end(_ id: PushID, _ outcome: PushOutcome) {
      completions.removeValue(forKey: id)?(outcome)
    }

    /// Records the stop, and cuts attempts short.
    func stop() {
      script.didStop()
      for id in Array(completions.keys) { end(id, .retry(after: .zero, because: .closed)) }
    }
  }
}
