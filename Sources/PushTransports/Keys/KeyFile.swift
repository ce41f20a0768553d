import Foundation

/// A file with a signing key; the configuration names it, as the command line is everybody's to read.
package enum KeyFile {
  /// The longest file that can hold one key, in bytes: PEM takes some 250.
  private static let longest = 16 * 1_024

  /// Reads a key; it blocks, as reading does.
  package static func read(_ path: String) throws(KeyFileError) -> SigningKey {
    let text = try text(of: path)
    do throws(KeyFlaw) {
      return try SigningKey(text: text)
    } catch {
      switch error {
      case .empty: throw KeyFileError(path, "the file is empty", "put the key into it")
      case .notThisKind:
        throw KeyFileError(
          path, "this is no private key of the curve P-256",
          "take Apple's .p8 file, or make a key with: openssl ecparam -genkey -name prime256v1 -noout"
        )
      case .neither:
        throw KeyFileError(
          path, "this is neither PEM nor a key in Base64URL", "see whether it is the right file")
      }
    }
  }

  /// Reads a key, or makes one, for nobody else to read (mode 0600), if no file is there.
  ///
  /// For keys whose public half others ask the server for; Apple makes its own. It blocks.
  package static func readOrMake(_ path: String) throws(KeyFileError) -> SigningKey {
    guard !FileManager.default.fileExists(atPath: path) else { return try read(path) }
    let key = SigningKey()
    let isMade = FileManager.default.createFile(
      atPath: path, contents: Data(key.pem.utf8), attributes: [.posixPermissions: 0o600])
    guard isMade else {
      throw KeyFileError(path, "the file cannot be made", "see whether you may write there")
    }
    return key
  }

  private static func text(of path: String) throws(KeyFileError) -> String {
    let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes: [FileAttributeKey: Any]
    do { attributes = try FileManager.default.attributesOfItem(atPath: target) } catch {
      throw KeyFileError(path, "there is no such file", "name the file that holds the key")
    }
    // A pipe would never end.
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw KeyFileError(path, "this is no file", "name the file that holds the key")
    }
    guard let size = attributes[.size] as? Int, size <= longest else {
      throw KeyFileError(
        path, "the file is larger than \(longest) bytes", "name the file that holds the key")
    }
    guard let bytes = FileManager.default.contents(atPath: target),
      let text = String(bytes: bytes, encoding: .utf8)
    else {
      throw KeyFileError(path, "the file cannot be read as text", "see whether you may read it")
    }
    return text
  }
}
