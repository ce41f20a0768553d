package import Vocabulary

/// An entry in the timeline of a scenario's run.
package struct TimelineEntry: Equatable, Sendable {
  /// The kind of entry.
  package enum Event: Equatable, Sendable {
    /// A verb was performed.
    case did(String)
    /// An observation changed.
    case saw(String)
    /// An expectation was met, this long after its step.
    case met(String, after: Duration)
    /// An expectation was not met in time: its text, what was observed instead, and its line in the
    /// file.
    case failed(String, instead: String, line: Int)
    /// The stage failed.
    case broke(String)
  }

  /// The time since the start of the scenario.
  package var at: Duration
  /// The peers that the entry is about.
  package var peers: [String]
  package var event: Event

  package init(at: Duration, peers: [String], _ event: Event) {
    self.at = at
    self.peers = peers
    self.event = event
  }

  /// Whether the entry means that the scenario failed.
  package var isFailure: Bool {
    switch event {
    case .failed, .broke: true
    case .did, .saw, .met: false
    }
  }
}

extension TimelineEntry {
  /// The mark before the entry's text, which distinguishes the kinds without colour.
  package var mark: String {
    switch event {
    case .did: ">"
    case .saw: " "
    case .met: "✓"
    case .failed, .broke: "✗"
    }
  }

  /// The entry's text without time and peers.
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
  /// The timeline as plain text, one entry per line.
  package var text: String {
    entries.map { entry in
      "\(entry.at.secondsText) \(entry.mark) \(entry.peers.joined(separator: " ")) \(entry.text)"
    }
    .joined(separator: "\n")
  }
}

extension MediaTime {
  /// The position in seconds with three digits, such as `30.040`.
  package var text: String { fixedText(microseconds / 1000, digits: 3) }
}

extension Duration {
  /// The duration in seconds with three digits, such as `1.500`.
  package var secondsText: String { fixedText(microseconds / 1000, digits: 3) }

  /// The duration in milliseconds with one digit, such as `12.3 ms`.
  package var millisecondsText: String { fixedText(microseconds / 100, digits: 1) + " ms" }
}

/// A number of decimal fractions with its decimal point, such as 1500 with three digits as `1.500`.
private func fixedText(_ number: Int64, digits: Int) -> String {
  let sign = number < 0 ? "-" : ""
  let text = String(number.magnitude)
  let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
  return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
}
