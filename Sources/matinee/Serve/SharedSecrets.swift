import EventLoops
import Journals
import PushTransports

/// The secrets of servers that share a journal in PostgreSQL.
///
/// Each server has a copy of them in its user's data directory, where one alone would have its own:
/// so a link or a certificate holds at whichever server serves.
struct SharedSecrets {
  private static let names = ["access-key", "invitation-key", "syncplay-salt", "tls"]

  private let journal: PostgreSQLOpening
  private let prefix: String

  /// - Parameter path: the path of the copies, without the ends of their names.
  init(of journal: PostgreSQLOpening, beside path: String) {
    self.journal = journal
    prefix = path + "."
  }

  /// Copies what servers before this one have made.
  ///
  /// - Throws: `JournalError`, or `KeyFileError` if there is another secret instead of a copy.
  func fetch() throws {
    let secrets = try journal.secrets()
    for name in Self.names {
      guard let secret = secrets[name] else { continue }
      let found = try KeyFile.readOrMake(
        prefix + name, making: { secret }, reading: KeyFile.contents)
      guard found == secret else {
        throw KeyFileError(
          prefix + name, "this is not the one that the servers of the journal share",
          "move it away to have theirs copied")
      }
    }
  }

  /// Keeps what this server has made, for those after it.
  ///
  /// - Throws: `JournalError` or `KeyFileError`.
  func share() throws {
    let known = try journal.secrets()
    for name in Self.names where known[name] == nil {
      guard let secret = try KeyFile.contentsIfThere(of: prefix + name) else { continue }
      try journal.add(secret: secret, named: name)
    }
  }
}
