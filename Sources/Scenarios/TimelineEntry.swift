package import Vocabulary

/// One line of what happened while a scenario ran.
package struct TimelineEntry: Equatable, Sendable {
  /// What a line is about.
  package enum Event: Equatable, Sendable {
    /// Somebody did this.
    case did(String)
    /// This is seen of them now.
    case saw(String)
    /// An expectation was met, that long after its step.
    case met(String, after: Duration)
    /// An expectation was not met in time; the second text says what is seen instead, the third
    /// where the expectation stands in the file.
    case failed(String, instead: String, line: Int)
    /// The stage itself gave way.
    case broke(String)
  }

  /// Since the scenario began.
  package var at: Duration
  /// Whom it is about.
  package var peers: [String]
  package var event: Event

  /// A line.
  package init(at: Duration, peers: [String], _ event: Event) {
    self.at = at
    self.peers = peers
    self.event = event
  }

  /// Whether a scenario with this line has failed.
  package var isFailure: Bool {
    switch event {
    case .failed, .broke: true
    case .did, .saw, .met: false
    }
  }
}

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

extension MediaTime {
  /// The place in seconds with three digits, such as `30.040`.
  package var text: String { fixedText(microseconds / 1000, digits: 3) }
}

extension Duration {
  /// The length in seconds with three digits, such as `1.500`.
  package var secondsText: String { fixedText(microseconds / 1000, digits: 3) }

  /// The length in milliseconds with one digit, such as `12.3 ms`.
  package var millisecondsText: String { fixedText(microseconds / 100, digits: 1) + " ms" }
}

/// A whole number of decimal fractions with its point, such as 1500 with three digits as `1.500`.
private func fixedText(_ number: Int64, digits: Int) -> String {
  let sign = number < 0 ? "-" : ""
  let text = String(number.magnitude)
  let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
  return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
}
