import GroupSessions
import Playback
import Vocabulary
import Wire

extension Coordinator {
  /// Tells a device what its request came to, once that is kept, and remembers it in case it is
  /// asked again.
  mutating func tell(_ answer: RecordedAnswer) {
    guard devices[answer.device]?.life == answer.life else { return }
    devices.change(answer.device) { $0?.answers.settle(answer.request, answer.outcome) }
    send(answer.outcome.message(to: answer.request), to: answer.device)
  }

  /// An answer could not be kept: the request came to nothing, and may be repeated.
  mutating func giveUp(_ answer: RecordedAnswer) {
    guard devices[answer.device]?.life == answer.life else { return }
    devices[answer.device]?.answers.forget(answer.request)
    send(.error(answer.request, .journalUnavailable(limits)), to: answer.device)
  }

  /// Refuses a request; unless it only came at a bad moment, the refusal stands when it is repeated.
  ///
  /// - Parameter answer: the refusal, if it is kept already.
  mutating func refuse(
    _ reply: Reply?, _ error: ProtocolError, _ answer: RecordedAnswer? = nil
  ) {
    if let answer { return tell(answer) }
    guard let reply, isAsking(reply) else { return }
    guard error.isTemporary else { return settle(reply, .refused(error)) }
    devices[reply.device]?.answers.forget(reply.id)
    send(.error(reply.id, error), to: reply.device)
  }

  /// Has a request's outcome kept and told, where no group's or session's events go with it.
  mutating func settle(_ reply: Reply?, _ outcome: RequestOutcome) {
    guard let reply, isAsking(reply) else { return }
    append(Append(to: .device(reply.device), after: 1, [], answer: reply.recorded(outcome)))
  }

  func isAsking(_ reply: Reply) -> Bool {
    devices[reply.device]?.life == reply.life
  }
}

extension RequestOutcome {
  /// The outcome as it is told.
  func message(to request: RequestID) -> ServerMessage {
    switch self {
    case .answered(let answer): .answer(request, answer)
    case .refused(let error): .error(request, error)
    }
  }
}

extension ProtocolError {
  /// Whether the same request may well succeed later.
  var isTemporary: Bool {
    switch code {
    case .busy, .journalUnavailable, .shuttingDown: true
    default: false
    }
  }
}
