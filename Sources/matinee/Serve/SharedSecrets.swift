import Journals
import PushTransports

/// The secrets of servers that share a journal in PostgreSQL.
///
/// Each server has a copy of them where one alone would have its own, in its user's data directory or
/// where an option says: so a link, a certificate or a browser's subscription holds at whichever server
/// serves.
struct SharedSecrets {
  private struct Secret {
    let name: String
    let path: String
    /// Whether an option says where it is; then the file is the operator's, and so counts more than
    /// what the servers have shared.
    let isChosen: Bool
  }

  private let all: [Secret]

  /// - Parameters:
  ///   - path: the path of the copies, without the ends of their names.
  ///   - chosen: where the options have some of them; those that only options name are shared, too.
  init(beside path: String, chosen: [String: String?]) {
    let chosen = chosen.compactMapValues { $0 }
    let names = ["access-key", "invitation-key", "link-key", "syncplay-salt", "tls"]
    all =
      names.filter { chosen[$0] == nil }
      .map { Secret(name: $0, path: "\(path).\($0)", isChosen: false) }
      + chosen.sorted { $0.key < $1.key }
      .map { Secret(name: $0.key, path: $0.value, isChosen: true) }
  }

  /// Copies what servers before this one have made.
  ///
  /// - Parameter shared: the contents by their names.
  /// - Throws: `KeyFileError` if there is another secret in place of a copy.
  func copy(_ shared: [String: [UInt8]]) throws(KeyFileError) {
    for secret in all {
      guard let content = shared[secret.name] else { continue }
      let found = try KeyFile.readOrMake(
        secret.path, making: { content }, reading: KeyFile.contents)
      guard found == content || secret.isChosen else {
        throw KeyFileError(
          secret.path, "this is not the one that the servers of the journal share",
          "move it away to have theirs copied; the article RunningAServer says how to replace theirs"
        )
      }
    }
  }

  /// Keeps what this server has made, or the operator has put in its place, for those after it.
  ///
  /// - Throws: `JournalError` or `KeyFileError`.
  func share(in journal: PostgreSQLOpening) throws {
    let shared = try journal.secrets()
    for secret in all where shared[secret.name] == nil || secret.isChosen {
      guard let content = try KeyFile.contentsIfThere(of: secret.path) else { continue }
      if shared[secret.name] == nil {
        try journal.add(secret: content, named: secret.name)
      } else if shared[secret.name] != content {
        try journal.replace(secret: content, named: secret.name)
      }
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
