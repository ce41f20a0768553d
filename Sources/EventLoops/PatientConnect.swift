internal import Vocabulary

/// Connects with retries, for a program that is still starting.
///
/// Confined to its loop's thread. It lives until it succeeds, gives up or is cancelled.
package final class PatientConnect {
  /// The address to connect to.
  package enum Destination: Equatable, Sendable {
    /// The Unix socket at a path.
    case socket(path: String)
    /// A name or literal address, and a port.
    case tcp(host: String, port: UInt16)
  }

  private let loop: EventLoop
  private let destination: Destination
  private let deadline: HostTime
  private var timer: LoopTimer?
  private var attempt: ConnectAttempt?
  private var completion: ((Result<ByteStream, EndpointError>) -> Void)?

  /// The time between two attempts.
  private static let interval = Duration.milliseconds(10)

  /// Starts the first attempt.
  ///
  /// - Parameters:
  ///   - destination: the address to connect to; it need not exist yet.
  ///   - patience: the time after which it gives up.
  ///   - loop: the loop of the stream.
  ///   - completion: receives a connected stream, not started yet, or the error of the last
  ///     attempt. Called once, and not after ``cancel()``.
  package init(
    to destination: Destination, within patience: Duration, on loop: EventLoop,
    completion: @escaping (Result<ByteStream, EndpointError>) -> Void
  ) {
    self.loop = loop
    self.destination = destination
    self.completion = completion
    deadline = loop.now + patience
    timer = LoopTimer(on: loop) { self.connect() }
    timer?.fire(at: loop.now)
  }

  /// Stops trying; a second call does nothing.
  package func cancel() {
    completion = nil
    timer?.close()
    timer = nil
    attempt?.cancel()
    attempt = nil
  }

  private func connect() {
    do throws(EndpointError) {
      attempt = try makeAttempt()
    } catch {
      finish(.failure(error))
    }
  }

  private func makeAttempt() throws(EndpointError) -> ConnectAttempt {
    let take: (Result<ByteStream, EndpointError>) -> Void = { [weak self] in self?.take($0) }
    return switch destination {
    case .socket(let path): try ConnectAttempt(socketPath: path, on: loop, completion: take)
    case .tcp(let host, let port):
      try ConnectAttempt(host: host, port: port, on: loop, completion: take)
    }
  }

  private func take(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    if case .failure = result, loop.now < deadline {
      timer?.fire(at: loop.now + Self.interval)
    } else {
      finish(result)
    }
  }

  private func finish(_ result: Result<ByteStream, EndpointError>) {
    let completion = completion
    cancel()
    completion?(result)
  }
}

@available(*, unavailable)
extension PatientConnect: Sendable {}
