import Vocabulary

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
