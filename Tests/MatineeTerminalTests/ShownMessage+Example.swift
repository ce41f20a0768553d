import InAppMessaging
import MatineeClient
import Vocabulary

extension ShownMessage {
  /// What a presenter has a view show of an app's message.
  ///
  /// - Parameter canShare: whether what is watched alone could be shared with the group.
  static func shown(_ message: InAppMessage, canShare: Bool = false) -> ShownMessage? {
    var presenter = MessagePresenter()
    var inputs: [MessagePresenter.Input] = [.present(message)]
    while !inputs.isEmpty {
      let input = inputs.removeFirst()
      for output in presenter.handle(input, at: HostTime(microseconds: 0)) {
        switch output {
        case .ask(let question, let token): inputs.append(question.agreement(token))
        case .view(.show(let shown), _): return shown.with(canShare: canShare)
        default: break
        }
      }
    }
    return nil
  }
}
