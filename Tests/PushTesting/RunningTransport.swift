package import EventLoops
package import PushTransports

/// A transport on a loop of its own, for tests that wait for its outcomes.
package final class RunningTransport: Sendable {
  private let thread: LoopThread<any PushTransport>

  /// Makes the transport of a route.
  package init(_ route: PushRoute) throws(UVError) {
    thread = try LoopThread { loop throws(UVError) in try route.open(loop) }
  }

  /// The outcome of one attempt.
  package func send(_ message: PushMessage) async -> PushOutcome {
    await withCheckedContinuation { continuation in
      thread.mailbox.post { $0.send(message) { continuation.resume(returning: $0) } }
    }
  }

  /// Stops the transport, and goes on with its loop.
  package func stop() async {
    await withCheckedContinuation { continuation in
      thread.mailbox.post { transport in
        transport.stop()
        continuation.resume()
      }
    }
  }

  /// Stops the transport and its loop.
  package func close() async {
    await stop()
    thread.stop()
    thread.join()
  }
}

extension PushSender {
  /// Stops, and waits until it has stopped.
  package func stop() async {
    await withCheckedContinuation { continuation in stop { continuation.resume() } }
    join()
  }
}
