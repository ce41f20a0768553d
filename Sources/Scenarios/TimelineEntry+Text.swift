import Vocabulary

extension TimelineEntry {
  /// What stands before the line's text, so that the kinds of lines are told apart without colour.
  package var mark: String {
    switch event {
    case .did: ">"
    case .saw: " "
    case .met: "✓"
    case .failed, .broke: "✗"
    }
  }

  /// What happened, without when and who.
  package var text: String {
    switch event {
    case .did(let text), .saw(let text): text
    case .met(let text, let delay): "\(text) (after \(delay.secondsText) s)"
    case .failed(let text, let instead, let line):
      "\(text)\(line > 0 ? " (line \(line))" : "") but \(instead)"
    case .broke(let reason): reason
    }
  }
}

extension ScenarioReport {
  /// The time line as plain text, one entry a line.
  package var text: String {
    entries.map { entry in
      "\(entry.at.secondsText) \(entry.mark) \(entry.peers.joined(separator: " ")) \(entry.text)"
    }
    .joined(separator: "\n")
  }
}
