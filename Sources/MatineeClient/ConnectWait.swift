import EventLoops
import Participation
import Vocabulary

/// The wait for a client's first connection, limited by a timer of the loop.
///
/// Confined to its loop's thread. It ends once; later outcomes are ignored.
final class ConnectWait {
  /// How the wait ended.
  enum Outcome: Sendable {
    case online
    /// The time limit passed; the text is the last connection problem, if there was one.
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
  /// What is wrong with the person's token; newer than ``problem``.
  private var credentialProblem: GroupWatchError?

  init(on loop: EventLoop) {
    self.loop = loop
  }

  /// Calls back when the wait is over; at once if it is over already.
  func begin(within limit: Duration, _ completion: @escaping Completion) {
    if let outcome { return completion(outcome) }
    self.completion = completion
    let timer = LoopTimer(on: loop) { [weak self] in
      self?.giveUp()
    }
    self.timer = timer
    timer.fire(at: loop.now + limit)
  }

  /// Updates the wait with the connection's new state.
  func note(_ state: Client.ConnectionState) {
    switch state {
    case .online: end(.online)
    case .offline(let failure): end(.failed(GroupWatchError(failure)))
    case .connecting(let problem?):
      self.problem = problem
      credentialProblem = nil
    case .connecting(nil), .reconnecting: break
    }
  }

  /// Updates the wait with what is wrong with the person's token; `nil` for nothing.
  func note(_ problem: GroupWatchError?) { credentialProblem = problem }

  private func giveUp() {
    if let credentialProblem { end(.failed(credentialProblem)) } else { end(.timedOut(problem)) }
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

/// The state of a client's connection to its server.
public enum ConnectionState: Hashable, Sendable {
  /// The server has not accepted the client yet; the text is the last attempt's problem, if any.
  case connecting(String?)
  /// The client is connected and the server has accepted it.
  case online
  /// The client was online and is trying to reconnect; the text is the problem.
  case reconnecting(String)
  /// The client has stopped connecting, for this reason.
  case offline(GroupWatchError)
}
