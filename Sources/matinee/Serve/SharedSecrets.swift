import EventLoops
import Journals
import PushTransports

/// The secrets of servers that share a journal in PostgreSQL.
///
/// Each server has a copy of them where one alone would have its own, in its user's data directory or
/// where an option says: so a link, a certificate or a browser's subscription holds at whichever server
/// serves.
struct SharedSecrets {
  private let paths: [(name: String, path: String)]

  /// - Parameters:
  ///   - path: the path of the copies, without the ends of their names.
  ///   - chosen: where the options have some of them; those that only options name are shared, too.
  init(beside path: String, chosen: [String: String?]) {
    let names = ["access-key", "invitation-key", "link-key", "syncplay-salt", "tls"]
    let beside = names.map { (name: $0, path: (chosen[$0] ?? nil) ?? "\(path).\($0)") }
    let others = chosen.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
    paths = beside + others.compactMap { name, path in path.map { (name, $0) } }
  }

  /// Copies what servers before this one have made.
  ///
  /// - Parameter secrets: the contents by their names.
  /// - Throws: `KeyFileError` if there is another secret instead of a copy.
  func copy(_ secrets: [String: [UInt8]]) throws(KeyFileError) {
    for (name, path) in paths {
      guard let secret = secrets[name] else { continue }
      let found = try KeyFile.readOrMake(path, making: { secret }, reading: KeyFile.contents)
      guard found == secret else {
        throw KeyFileError(
          path, "this is not the one that the servers of the journal share",
          "move it away to have theirs copied")
      }
    }
  }

  /// Keeps what this server has made, for those after it.
  ///
  /// - Throws: `JournalError` or `KeyFileError`.
  func share(in journal: PostgreSQLOpening) throws {
    let known = try journal.secrets()
    for (name, path) in paths where known[name] == nil {
      guard let secret = try KeyFile.contentsIfThere(of: path) else { continue }
      try journal.add(secret: secret, named: name)
    }
  }
}

extension Serve {
  /// The secrets that this server shares with the others of its journal.
  var sharedSecrets: SharedSecrets {
    SharedSecrets(
      beside: JournalLocation.besideDatabases,
      chosen: [
        "access-key": accessOptions.accessKeyFile,
        "invitation-key": keyOptions.invitationKeyFile,
        "web-push-key": pushServiceOptions.webPushKeyFile,
      ])
  }
}
