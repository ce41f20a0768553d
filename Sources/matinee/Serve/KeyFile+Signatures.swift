import PushTransports
import Signatures
import Vocabulary

extension KeyFile {
  /// Reads the key of invitations, or makes one, for nobody else to read, if no file is there.
  static func invitationKey(_ path: String) throws(KeyFileError) -> InvitationKey {
    try readOrMake(
      path,
      making: {
        var system = SystemRandomNumberGenerator()
        return Array((Base64URL.text(of: InvitationKey.bytes(using: &system)) + "\n").utf8)
      }, reading: readInvitationKey)
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

  /// Reads the administrator's key, to be compared with, and to be shown.
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
