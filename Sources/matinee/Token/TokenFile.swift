import EventLoops
import JSON
import PushTransports
import Signatures
import Vocabulary

/// A token in a file of its own, which shows a server who somebody is.
///
/// The command line names a file because every user of the machine can read a command line.
struct TokenFile {
  let text: String
  /// The person that it is about; a client has to say the same in its hello.
  let user: UserID

  /// Reads the file; blocks.
  init(_ path: String) throws(KeyFileError) {
    let bytes: [UInt8]
    do throws(PrivateFileError) {
      bytes = try PrivateFile.read(path, longest: TokenSigner.longest + 2)
    } catch {
      throw KeyFileError(path, error)
    }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard let token = words.first else {
      throw KeyFileError(path, "the file is empty", "write a token into it: matinee token --help")
    }
    guard words.count == 1, let user = Self.user(in: token) else {
      throw KeyFileError(
        path, "this is no token (JWT) with the person's name in `sub`",
        "check that it is the right file")
    }
    text = String(token)
    self.user = user
  }

  /// The person that a token is about; only the server can tell whether it is true.
  private static func user(in token: Substring) -> UserID? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let claims = Base64URL.bytes(of: parts[1]) else { return nil }
    var parser = JSONParser(maximumBytes: max(claims.count, 1))
    do throws(DecodingFlaw) {
      let name = try parser.parse(claims.span) { object throws(DecodingFlaw) in
        try object.string("sub", maximum: Limits().identifierBytes)
      }
      return name.isEmpty ? nil : UserID(name)
    } catch {
      return nil
    }
  }
}

extension KeyFileError {
  fileprivate init(_ path: String, _ error: PrivateFileError) {
    let name = "name the file that holds the token"
    switch error {
    case .notFile: self.init(path, "this is not a file", name)
    case .tooLong:
      self.init(path, "the file is larger than a token of \(TokenSigner.longest) bytes", name)
    case .readableByOthers:
      self.init(path, "others may read or change the file", "restrict it: chmod 600 \(path)")
    case .failed(let error) where [.noSuchFile, .notDirectory].contains(error.code):
      self.init(path, "there is no such file", name)
    case .failed(let error):
      self.init(
        path, "the file cannot be read (\(error.code.meaning))", "check its permissions")
    }
  }
}
