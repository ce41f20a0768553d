import Coordination
import InAppMessaging
import Logging
import Vocabulary

// What the log says to an operator, and what to do about it.

extension Logger {
  /// Tells that the journal begins to fail, or works again.
  func tell(ofJournalFailingWith reason: String?) {
    guard let reason else { return notice("the journal can be written again") }
    error(
      """
      the journal cannot be written, and what peers ask is turned away until it can: see whether \
      its disk has room and its file may grow (ulimit -f)
      """,
      metadata: ["reason": "\(reason)"])
  }

  /// Tells that the journal's database does not answer, or answers again.
  func tell(ofJournalUnreachableBecause reason: String?) {
    guard let reason else { return notice("the journal's database answers again") }
    error("the journal's database does not answer", metadata: ["reason": "\(reason)"])
  }

  /// Tells how far the database's clock is ahead of this machine's, or that they agree again.
  func tell(ofClockDifference difference: Duration?) {
    guard let difference else {
      return notice("the clocks of this machine and of the journal's database agree again")
    }
    warning(
      """
      the clocks of this machine and of the journal's database differ, and one of them is wrong: \
      tokens, certificates and pushes are judged by this machine's, so set both over the network \
      (NTP; timedatectl shows whether that works)
      """,
      metadata: [
        "database": "\(Int(abs(difference.inSeconds))) s \(difference > .zero ? "ahead" : "behind")"
      ])
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

  /// Tells of a fault that an operator has to fix.
  func tell(of warning: MessagingWarning, about user: UserID) {
    switch warning {
    case .impressionMissing(let message, let campaign):
      self.warning(
        "a message went away and was never reported as seen: it will come again",
        metadata: ["campaign": "\(campaign)", "message": "\(message)", "user": "\(user)"])
    }
  }
}
