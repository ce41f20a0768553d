import EventLoops
import InAppMessaging

/// Knows which question is still open, so that nobody waits for an app that the presenter no longer
/// waits for.
final class QuestionPatience: Sendable {
  private struct State: Sendable {
    /// The questions that were asked and not overtaken, by presentation.
    var open: [PresentationToken: Int] = [:]
    var messages: [MessageID: PresentationToken] = [:]
    var asked = 0
    /// Who waits for the answer.
    var waiting: (token: PresentationToken, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Locked(State())

  /// Takes in what the presenter said: whatever it says of a presentation after a question overtakes
  /// the question.
  func note(_ output: MessagePresenter.Output) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      switch output {
      case .ask(let question, let token):
        if let id = question.messageID { state.messages[id] = token }
        state.asked += 1
        state.open[token] = state.asked
        // A second click on the same page overtakes nobody.
        guard case .shouldProcess = question else { return state.release(token) }
        return nil
      case .view(_, let token): return state.end(token)
      case .tell(.finished(let id, _)):
        return state.messages.removeValue(forKey: id).flatMap { state.end($0) }
      default: return nil
      }
    }
    waiting?.resume()
  }
}
