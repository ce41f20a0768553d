import Coordination
import Logging

// What the log says of the journal, and what to do about it.

extension Logger {
  /// Tells that the journal begins to fail, or works again.
  func tell(ofJournalFailingWith reason: String?) {
    guard let reason else { return notice("the journal can be written again") }
    error(
      "the journal cannot be written: what peers ask is turned away until it can",
      metadata: ["reason": "\(reason)"])
  }

  /// Tells how full the journal is.
  func tell(
    ofJournal level: JournalFill.Level, after before: JournalFill.Level, bytes: Int, of limit: Int
  ) {
    let metadata: Logger.Metadata = ["bytes": "\(bytes)", "limit": "\(limit)"]
    switch level {
    case .full:
      error(
        """
        the journal is full, and what would make it grow is refused: raise --journal-size, or lower \
        --journal-retention so that old sessions are forgotten sooner
        """, metadata: metadata)
    case .scarce where before == .ample:
      warning(
        """
        the journal is nearly full: raise --journal-size, or lower --journal-retention so that old \
        sessions are forgotten sooner
        """, metadata: metadata)
    case .scarce, .ample: notice("the journal has room again", metadata: metadata)
    }
  }
}
