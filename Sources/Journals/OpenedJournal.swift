package import EventLoops

/// A journal that is open for one server, and read.
package protocol OpenedJournal: Sendable {
  /// What it held when it was opened.
  var contents: JournalContents { get }

  /// Ties the group's time to this boot of the machine.
  func tie(_ clock: ClockTie) throws(JournalError)

  /// Continues it.
  ///
  /// - Throws: the system's error if no thread can be started.
  func journal(on loop: EventLoop) throws(UVError) -> StoredJournal
}
