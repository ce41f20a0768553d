import Cryptography
import EventLoops
import PushTransports
import Vocabulary

/// The credentials by which servers know the person at this command line again.
///
/// Each server and person has a file of its own, in the user's state directory (XDG Base Directory
/// Specification). A file's name is a hash, because a server and a person may be called anything.
///
/// All calls block. All errors name the file, and none contains a credential.
struct CredentialStore {
  /// The directory with the files.
  let path: String

  /// A store in `$XDG_STATE_HOME/matinee/credentials`; by default in `~/.local/state`.
  ///
  /// - Throws: if the variables name no directory.
  init(environment: [String: String]) throws(KeyFileError) {
    path = try StateDirectory.path(of: "credentials", in: environment)
  }

  /// The stored credential; `nil` if there is none.
  func credential(for server: String, of user: String) throws(KeyFileError) -> String? {
    guard let folder = try existingFolder() else { return nil }
    return try Self.credential(Self.name(for: server, of: user), in: folder)
  }

  /// The stored credential, or a new one, which is stored first.
  ///
  /// If several processes ask for the same one at once, all get the first that was stored.
  func establish(for server: String, of user: String) throws(KeyFileError) -> String {
    let folder = try folder()
    let name = Self.name(for: server, of: user)
    // Another process may store one in between, and forget it again: once, but not all the time.
    for _ in 0..<3 {
      if let stored = try Self.credential(name, in: folder) { return stored }
      var system = SystemRandomNumberGenerator()
      let new = Secret(using: &system).text
      do throws(SecretFileError) {
        if try folder.make(name, Array(new.utf8)) { return new }
      } catch {
        throw KeyFileError(error)
      }
    }
    throw KeyFileError(
      "\(path)/\(name)", "other programs store and forget this credential all the time",
      "end them, and try again")
  }

  /// Stores a credential in place of the one that is stored, if any.
  func replace(
    _ credential: String, for server: String, of user: String
  ) throws(KeyFileError) {
    let name = Self.name(for: server, of: user)
    guard Secret(credential) != nil else {
      throw KeyFileError(
        "\(path)/\(name)", "the new credential is not 26 letters and digits of a key",
        "the file stays as it is; ask for another credential")
    }
    let folder = try folder()
    do throws(SecretFileError) {
      try folder.replace(name, Array(credential.utf8))
    } catch {
      throw KeyFileError(error)
    }
  }

  /// Removes the stored credential, if any.
  func forget(for server: String, of user: String) throws(KeyFileError) {
    guard let folder = try existingFolder() else { return }
    do throws(SecretFileError) {
      try folder.remove(Self.name(for: server, of: user))
    } catch {
      throw KeyFileError(error)
    }
  }

  /// The name of a file: a hash of the server and the person, which no other pair has.
  private static func name(for server: String, of user: String) -> String {
    // With the length it is clear where the server ends.
    let pair = "\(server.utf8.count) \(server) \(user)"
    return Base64URL.text(of: Digest.sha256(of: Array(pair.utf8)).bytes)
  }

  private static func credential(
    _ name: String, in folder: borrowing SecretFolder
  ) throws(KeyFileError) -> String? {
    let bytes: [UInt8]?
    do throws(SecretFileError) {
      bytes = try folder.read(name, longest: Secret.length)
    } catch {
      throw KeyFileError(error)
    }
    guard let bytes else { return nil }
    guard let secret = Secret(String(decoding: bytes, as: UTF8.self)) else {
      throw .noCredential("\(folder.path)/\(name)")
    }
    return secret.text
  }

  private func existingFolder() throws(KeyFileError) -> SecretFolder? {
    do throws(SecretFileError) {
      return try SecretFolder(path)
    } catch {
      throw KeyFileError(folder: error)
    }
  }

  private func folder() throws(KeyFileError) -> SecretFolder {
    do throws(SecretFileError) {
      return try SecretFolder(making: path)
    } catch {
      throw KeyFileError(folder: error)
    }
  }
}

extension KeyFileError {
  fileprivate static func noCredential(_ path: String) -> KeyFileError {
    KeyFileError(
      path, "this is no credential of 26 letters and digits",
      "restore the file from a backup, or remove it to begin with a new credential")
  }

  /// What is wrong with a file.
  init(_ error: SecretFileError) {
    let path = error.path
    switch error.fault {
    case .link: self.init(path, "this is a symbolic link, and may lead anywhere", "remove it")
    case .ofAnother:
      self.init(path, "the file belongs to another user", "remove it, or get it back: chown")
    case .file(.notFile): self.init(path, "this is not a file", "move it away")
    case .file(.tooLong): self = .noCredential(path)
    case .file(.readableByOthers):
      self.init(path, "others may read or change the file", "restrict it: chmod 600 \(path)")
    case .file(.failed(let error)):
      self.init(
        path, "the file cannot be read or written (\(error))",
        "check the permissions and the space on the disk")
    }
  }

  /// What is wrong with the directory.
  fileprivate init(folder error: SecretFileError) {
    let path = error.path
    switch error.fault {
    case .link, .file(.notFile), .file(.tooLong):
      self.init(path, "this is not a directory", "move it away")
    case .ofAnother:
      self.init(
        path, "the directory belongs to another user", "set XDG_STATE_HOME to one of your own")
    case .file(.readableByOthers):
      self.init(
        path, "others may read or change the directory", "restrict it: chmod 700 \(path)")
    case .file(.failed(let error)):
      self.init(
        path, "the directory cannot be made or opened (\(error.code.meaning))",
        "check the permissions, or set XDG_STATE_HOME to another directory")
    }
  }
}
