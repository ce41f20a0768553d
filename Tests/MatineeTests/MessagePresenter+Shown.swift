import InAppMessaging
import Vocabulary

extension MessagePresenter {
  /// What a presenter has a view show of an app's message.
  static func shown(_ message: InAppMessage) -> MessagePresenter.ShownMessage? {
    var presenter = MessagePresenter()
    var inputs: [MessagePresenter.Input] = [.present(message)]
    while !inputs.isEmpty {
      let input = inputs.removeFirst()
      for output in presenter.handle(input, at: HostTime(microseconds: 0)) {
        switch output {
        case .ask(let question, let token): inputs.append(question.agreement(token))
        case .view(.show(let shown), _): return shown
        default: break
        }
      }
    }
    return nil
  }
}
