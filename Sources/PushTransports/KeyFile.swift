import EventLoops

/// Reads keys from files.
///
/// The configuration names files because every user can read a command line.
///
/// All calls block.
package enum KeyFile {
  /// The size limit of a key file in bytes; a key in PEM needs about 250.
  private static let longest = 16 * 1_024

  /// Reads a signing key.
  package static func read(_ path: String) throws(KeyFileError) -> SigningKey {
    let bytes = try contents(of: path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw KeyFileError(
        path, "the file is not text", "check that it is the right file")
    }
    do throws(KeyFlaw) {
      return try SigningKey(text: text)
    } catch {
      switch error {
      case .empty: throw .empty(path)
      case .notThisKind:
        throw KeyFileError(
          path, "this is not a private P-256 key",
          "take Apple's .p8 file, or make a key with: openssl ecparam -genkey -name prime256v1 -noout"
        )
      case .neither:
        throw KeyFileError(
          path, "this is neither PEM nor a key in Base64URL", "check that it is the right file")
      }
    }
  }

  /// Reads a signing key, or creates one with mode 0600 if the file is missing.
  ///
  /// For Web Push, whose public key clients ask the server for. Apple issues its own keys.
  package static func readOrMake(_ path: String) throws(KeyFileError) -> SigningKey {
    try readOrMake(path, making: { Array(SigningKey().pem.utf8) }, reading: read)
  }

  /// The content of a key file.
  ///
  /// - Throws: why it is not usable, also if others may read the file. The error never contains any
  ///   of the content, because logs must not contain keys.
  package static func contents(of path: String) throws(KeyFileError) -> [UInt8] {
    do throws(PrivateFileError) {
      return try PrivateFile.read(path, longest: longest)
    } catch {
      throw KeyFileError(path, error, longest: longest)
    }
  }

  /// The content of a key file; `nil` if there is no such file.
  package static func contentsIfThere(of path: String) throws(KeyFileError) -> [UInt8]? {
    do throws(KeyFileError) {
      return try contents(of: path)
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Reads a key, after creating its file if it is missing.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - make: returns the content of a new key file.
  ///   - read: reads the file.
  package static func readOrMake<Key>(
    _ path: String, making make: () -> [UInt8],
    reading read: (String) throws(KeyFileError) -> Key
  ) throws(KeyFileError) -> Key {
    do throws(KeyFileError) {
      return try read(path)
    } catch  where error.isMissing {
      do throws(UVError) {
        _ = try PrivateFile.make(path, make())
      } catch {
        throw KeyFileError(
          path, "the file cannot be created (\(error.code.meaning))", "check the permissions"
        )
      }
      // If another process was faster, its key is used.
      return try read(path)
    }
  }
}

extension KeyFileError {
  package static func empty(_ path: String) -> KeyFileError {
    KeyFileError(path, "the file is empty", "write the key into it")
  }

  fileprivate init(_ path: String, _ error: PrivateFileError, longest: Int) {
    let name = "name the file that holds the key"
    switch error {
    case .notFile: self.init(path, "this is not a file", name)
    case .tooLong: self.init(path, "the file is larger than \(longest) bytes", name)
    case .readableByOthers:
      self.init(path, "others may read or change the file", "restrict it: chmod 600 \(path)")
    case .failed(let error) where [.noSuchFile, .notDirectory].contains(error.code):
      self.init(path, "there is no such file", name, isMissing: error.code == .noSuchFile)
    case .failed(let error):
      self.init(
        path, "the file cannot be read (\(error.code.meaning))", "check its permissions")
    }
  }
}

/// Why a file holds no usable key.
package struct KeyFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path as configured.
  package let path: String
  /// What is wrong.
  package let problem: String
  /// What to do about it.
  package let advice: String
  /// Whether the file does not exist.
  let isMissing: Bool

  package init(_ path: String, _ problem: String, _ advice: String) {
    self.init(path, problem, advice, isMissing: false)
  }

  init(_ path: String, _ problem: String, _ advice: String, isMissing: Bool) {
    self.path = path
    self.problem = problem
    self.advice = advice
    self.isMissing = isMissing
  }

  /// Path, problem and advice, for a log.
  package var description: String { "\(path): \(problem); \(advice)" }
}
