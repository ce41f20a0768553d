import EventLoops
import InAppMessaging

/// Keeps calls to the app in order without waiting for answers that are no longer needed.
///
/// A question delays later calls until it is answered, or until the presenter continues with that
/// message without the answer.
final class QuestionOrder: Sendable {
  private struct State: Sendable {
    var last = 0
    /// The number of the latest output about each live message.
    var newest: [MessageID: Int] = [:]
    var waiting: (number: Int, message: MessageID, continuation: CheckedContinuation<Void, Never>)?

    mutating func stopWaiting(
      where isOver: (Int, MessageID) -> Bool
    ) -> CheckedContinuation<Void, Never>? {
      guard let waiting, isOver(waiting.number, waiting.message) else { return nil }
      self.waiting = nil
      return waiting.continuation
    }
  }

  private let state = Locked(State())

  /// Numbers an output; any output about a message overtakes a pending question about it.
  func number(_ output: MessagePresenter.Output) -> Int {
    let (number, overtaken) = state.withLock {
      state -> (Int, CheckedContinuation<Void, Never>?) in
      state.last += 1
      guard let id = output.messageID else { return (state.last, nil) }
      state.newest[id] = output.isLast ? nil : state.last
      return (state.last, state.stopWaiting { $1 == id })
    }
    overtaken?.resume()
    return number
  }

  /// Asks the question and waits for the answer, unless the question is overtaken.
  ///
  /// - Parameters:
  ///   - number: the question's number.
  ///   - message: the message it is about.
  ///   - ask: asks the app and passes the answer on; it continues even when overtaken.
  func wait(
    for number: Int, about message: MessageID, _ ask: @escaping @Sendable () async -> Void
  ) async {
    await withCheckedContinuation { continuation in
      let isOvertaken = state.withLock { state in
        guard state.newest[message] == number else { return true }
        state.waiting = (number, message, continuation)
        return false
      }
      Task {
        await ask()
        state.withLock { $0.stopWaiting { waiting, _ in waiting == number } }?.resume()
      }
      if isOvertaken { continuation.resume() }
    }
  }
}

extension MessagePresenter.Output {
  /// The message it is about; `nil` if only the presentation is known.
  var messageID: MessageID? {
    switch self {
    case .ask(.displayChoice(let message, _), _), .ask(.shouldProcess(_, _, _, let message, _), _),
      .perform(_, let message):
      message.id
    case .ask(.prepare(let context), _): context.message.id
    case .tell(let event): event.messageID
    case .report(let id, _), .warn(_, let id): id
    case .ask(.loadAssets, _), .view, .statusBar, .hold, .session, .answer, .lease: nil
    }
  }

  /// Whether it is the last output about the message.
  var isLast: Bool { if case .tell(.finished) = self { true } else { false } }
}

extension MessagePresenter.LifeCycleEvent {
  var messageID: MessageID {
    switch self {
    case .willPresent(let message), .impression(let message), .didPresent(let message),
      .willUpdate(let message), .willDismiss(let message, _), .didDismiss(let message, _):
      message.id
    case .finished(let id, _): id
    }
  }
}
