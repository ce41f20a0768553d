extension Observation {
  /// What is new against an earlier look, for people to read.
  func changes(since old: Observation) -> [String] {
    var texts: [String] = []
    func note(_ isNew: Bool, _ text: @autoclosure () -> String) {
      if isNew { texts.append(text()) }
    }
    note(connection != old.connection, connection.rawValue)
    note(ineligibility != old.ineligibility, eligibilityText)
    note(outcome != old.outcome && outcome != nil, outcome ?? "")
    note(session != old.session, session.text)
    note(
      participants != old.participants && session == .joined, "participants \(participants.listed)")
    note(lost != old.lost, lost.isEmpty ? "nobody lost" : "lost \(lost.listed)")
    note(ready != old.ready, "ready \(ready.listed)")
    note(item != old.item && item != nil, "item \(item ?? "")")
    note(queue != old.queue && !queue.isEmpty, "queue \(queue.joined(separator: " "))")
    note(suspensions != old.suspensions, suspensionText)
    note(phase != old.phase && phase != .none, phaseText)
    note(waitingFor != old.waitingFor && !waitingFor.isEmpty, "waiting for \(waitingFor.listed)")
    note(rate != old.rate, "rate \(rate)")
    for text in heard.dropFirst(old.heard.count) { texts.append("heard \"\(text)\"") }
    note(message != old.message, messageText)
    note(stack != old.stack, stackText)
    texts += notificationChanges(since: old)
    note(refusal != old.refusal && refusal != nil, "refused \(refusal ?? "")")
    note(isRunningAlone && !old.isRunningAlone, "plays alone")
    return texts
  }

  private var suspensionText: String {
    suspensions.isEmpty ? "back in" : "suspended: \(suspensions.joined(separator: " "))"
  }

  private var isRunningAlone: Bool { session == .none && player?.isRunning == true }
}
