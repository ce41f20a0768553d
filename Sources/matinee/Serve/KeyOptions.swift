import ArgumentParser
import PushTransports
import Server
import Signatures
import Vocabulary

/// The server's secrets, in files, because every user of the machine can read a command line.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The secret that invitations are signed with; made there if there is no such file.",
      discussion: """
        32 random bytes, or their Base64URL. Without this option it stands beside the journal; with \
        --journal memory, each start has another one.
        """, valueName: "file"), completion: .file())
  var invitationKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "The administrator's key, for matinee admin, status, drain and push.",
      discussion: """
        A word of 16 letters or more. One is made with: \
        (umask 077; openssl rand -hex 32 > admin.key)
        """,
      valueName: "file"), completion: .file())
  var adminKeyFile: String?

  /// The key of invitations and its file; without a journal file there is none.
  ///
  /// - Throws: `KeyFileError`.
  func invitationKey(
    beside journal: JournalLocation
  ) throws(KeyFileError) -> (key: InvitationKey, path: String?) {
    let path = invitationKeyFile ?? journal.besideIt.map { $0 + ".invitation-key" }
    guard let path else {
      var system = SystemRandomNumberGenerator()
      return (InvitationKey(using: &system), nil)
    }
    return (try KeyFile.invitationKey(path), path)
  }

  /// The administrator's key, if there is one.
  ///
  /// - Throws: `KeyFileError`.
  @discardableResult
  func administratorKey(keeping kept: KeptFiles) throws(KeyFileError) -> AdministratorKey? {
    try kept.value(\.administratorKey, of: "administrator's key") { () throws(KeyFileError) in
      guard let adminKeyFile else { return nil }
      return try KeyFile.administratorKey(adminKeyFile).key
    }
  }
}

extension KeyFile {
  /// Reads the key of invitations; if the file is missing, makes one that only its owner can read.
  static func invitationKey(_ path: String) throws(KeyFileError) -> InvitationKey {
    try readOrMake(path, making: freshInvitationKey, reading: readInvitationKey)
  }

  /// Reads the secret of the groups' keys; if the file is missing, makes one that only its owner can
  /// read.
  static func accessKey(_ path: String) throws(KeyFileError) -> (key: InvitationKey, isNew: Bool) {
    var isNew = false
    let key = try readOrMake(
      path,
      making: {
        isNew = true
        return freshInvitationKey()
      }, reading: readInvitationKey)
    return (key, isNew)
  }

  /// Reads the secret of the groups' keys, which a server has made.
  static func storedAccessKey(_ path: String) throws(KeyFileError) -> InvitationKey {
    try readInvitationKey(path)
  }

  private static func freshInvitationKey() -> [UInt8] {
    var system = SystemRandomNumberGenerator()
    return Array((Base64URL.text(of: InvitationKey.bytes(using: &system)) + "\n").utf8)
  }

  private static func readInvitationKey(_ path: String) throws(KeyFileError) -> InvitationKey {
    let bytes = try contents(of: path)
    guard !bytes.isEmpty else { throw .empty(path) }
    guard let key = InvitationKey(contents: bytes) else {
      throw KeyFileError(
        path, "this is neither \(InvitationKey.size) bytes nor their Base64URL",
        "see whether it is the right file, or move it away to have one made")
    }
    return key
  }

  /// Reads the administrator's key, for the server and for clients.
  static func administratorKey(
    _ path: String
  ) throws(KeyFileError) -> (key: AdministratorKey, text: String) {
    let text = AdministratorKey.trimmed(String(decoding: try contents(of: path), as: UTF8.self))
    do throws(AdministratorKeyFlaw) {
      return (try AdministratorKey(text), text)
    } catch {
      let making = "make another: (umask 077; openssl rand -hex 32 > FILE)"
      switch error {
      case .empty: throw .empty(path)
      case .letters:
        throw KeyFileError(path, "a key is one word of visible letters of ASCII", making)
      case .tooShort:
        throw KeyFileError(
          path, "the key has fewer than \(AdministratorKey.shortest) letters", making)
      case .tooLong:
        throw KeyFileError(
          path, "the key has more than \(AdministratorKey.longest) letters", making)
      }
    }
  }
}

extension KeyFile {
  /// Reads a secret that is a line of text, such as a password.
  static func word(_ path: String) throws(KeyFileError) -> String {
    guard let text = String(validating: try contents(of: path), as: UTF8.self) else {
      throw KeyFileError(
        path, "the file cannot be read as text", "see whether it is the right file")
    }
    let lines = text.split(whereSeparator: \.isNewline)
    guard let word = lines.first else { throw .empty(path) }
    guard lines.count == 1 else {
      throw KeyFileError(
        path, "the file has \(lines.count) lines", "leave only the one with the secret in it")
    }
    return String(word)
  }

  /// Reads the salt of Syncplay's managed rooms; if the file is missing, makes one that only its
  /// owner can read, because its holder can test an operator's password without the server.
  static func syncplaySalt(_ path: String) throws(KeyFileError) -> String {
    try readOrMake(
      path, making: { Array((freshSyncplaySalt() + "\n").utf8) }, reading: word)
  }

  /// Ten random capitals, as the reference makes them.
  static func freshSyncplaySalt() -> String {
    var system = SystemRandomNumberGenerator()
    let capitals = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return String((0..<10).compactMap { _ in capitals.randomElement(using: &system) })
  }
}

extension ServerConfiguration.Endpoint {
  /// Reads an address from an option.
  ///
  /// - Parameter port: an example for the error message.
  init(_ text: String, of option: String, port: UInt16) throws(ValidationError) {
    guard let endpoint = Self(text) else {
      throw ValidationError(
        "--\(option) takes host:port or [v6]:port, such as 127.0.0.1:\(port) or [::1]:\(port),"
          + " not \(text)")
    }
    self = endpoint
  }
}
