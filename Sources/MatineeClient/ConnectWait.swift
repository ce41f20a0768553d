import EventLoops
import Participation
import Vocabulary

/// The wait for a client's first connection, with the loop's timer as its limit.
///
/// Confined to its loop's thread. It ends once; what comes later is nobody's concern.
final class ConnectWait {
  /// How the wait ended.
  enum Outcome: Sendable {
    case online
    /// It took too long; the text says what went wrong last, if anything did.
    case timedOut(String?)
    case failed(GroupWatchError)
    case cancelled
  }

  typealias Completion = @Sendable (Outcome) -> Void

  private let loop: EventLoop
  private var timer: LoopTimer?
  private var completion: Completion?
  private var outcome: Outcome?
  private var problem: String?

  init(on loop: EventLoop) {
    self.loop = loop
  }

  /// Calls back when the wait is over, at once if it is already.
  func begin(within limit: Duration, _ completion: @escaping Completion) {
    if let outcome { return completion(outcome) }
    self.completion = completion
    let timer = LoopTimer(on: loop) { [weak self] in
      self?.end(.timedOut(self?.problem))
    }
    self.timer = timer
    timer.fire(at: loop.now + limit)
  }

  /// Takes in how the connection stands.
  func note(_ state: Client.ConnectionState) {
    switch state {
    case .online: end(.online)
    case .offline(let failure): end(.failed(GroupWatchError(failure)))
    case .connecting(let problem?): self.problem = problem
    case .connecting(nil), .reconnecting: break
    }
  }

  func end(_ outcome: Outcome) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    timer?.close()
    timer = nil
    completion?(outcome)
    completion = nil
  }
}

@available(*, unavailable)
extension ConnectWait: Sendable {}

/// How a client stands to its server.
public enum ConnectionState: Hashable, Sendable {
  /// Not welcomed yet; the text says what went wrong with the last attempt, if one did.
  case connecting(String?)
  /// The server knows this device.
  case online
  /// It was online, and tries to be again; the text says what went wrong.
  case reconnecting(String)
  /// It will not try again, for this reason.
  case offline(GroupWatchError)
}
