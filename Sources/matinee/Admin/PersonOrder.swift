import GroupSessions
import MatineeTerminal
import Vocabulary
import Wire

extension AdminArguments {
  /// Has something done about a person, and says if the server knows nobody of that name.
  ///
  /// It is done all the same: a group can keep out who was never there, and a code lets a person in
  /// who is new.
  @discardableResult
  func order(_ request: Request, about person: PersonArgument) throws -> Wire.Answer {
    let outcome = try ask(PersonOrder(request: request, person: person.id))
    if !outcome.isKnown {
      var standardError = StandardError()
      print(
        "the server knows nobody called \(person.name.onOneLine); `matinee admin people` lists "
          + "whom it knows", to: &standardError)
    }
    return outcome.answer
  }
}

/// Asks a server to do something about a person, after asking whom it knows.
private struct PersonOrder: Question {
  let request: Request
  let person: UserID
  private var status = StatusQuestion()
  private var isKnown = true

  init(request: Request, person: UserID) {
    (self.request, self.person) = (request, person)
  }

  var firstRequest: Request { status.firstRequest }

  mutating func take(
    _ message: ServerMessage, line: String
  ) -> QuestionStep<(answer: Wire.Answer, isKnown: Bool)> {
    if case .answer(_, let answer) = message { return .answered((answer, isKnown)) }
    switch status.take(message, line: line) {
    case .none: return .none
    case .ask(let next): return .ask(next)
    case .answered(let known):
      isKnown = known.report.mayKnow(person)
      return .ask(request)
    }
  }
}

extension StatusReport {
  /// Whether the server may know a person; it lists no more names than fit into an answer.
  func mayKnow(_ user: UserID) -> Bool {
    hasMoreNames || names.contains { $0.user == user }
      || groups.contains { group in group.people.contains { $0.user == user } }
  }
}
