import Wire

/// Has a server push something, and waits until it has it.
struct PushQuestion: Question {
  let request: TrayRequest

  var firstRequest: Request { .notifications(request) }

  mutating func take(_ message: ServerMessage, line: String) -> QuestionStep<Void> {
    if case .answer = message { .answered(()) } else { .none }
  }
}
