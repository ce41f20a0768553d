import EventLoops
import Journals
import PushTransports

/// The secrets of servers that share a journal in PostgreSQL.
///
/// Each server has a copy of them in its user's data directory, where one alone would have its own:
/// so a link or a certificate holds at whichever server serves.
struct SharedSecrets {
  private static let names = ["access-key", "invitation-key", "link-key", "syncplay-salt", "tls"]

  private let prefix: String

  /// - Parameter path: the path of the copies, without the ends of their names.
  init(beside path: String) {
    prefix = path + "."
  }

  /// Copies what servers before this one have made.
  ///
  /// - Parameter secrets: the contents by their names.
  /// - Throws: `KeyFileError` if there is another secret instead of a copy.
  func copy(_ secrets: [String: [UInt8]]) throws(KeyFileError) {
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
  func share(in journal: PostgreSQLOpening) throws {
    let known = try journal.secrets()
    for name in Self.names where known[name] == nil {
      guard let secret = try KeyFile.contentsIfThere(of: prefix + name) else { continue }
      try journal.add(secret: secret, named: name)
    }
  }
}
