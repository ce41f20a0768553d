internal import CLibuv
internal import SystemLibrary
internal import Vocabulary

/// A folder of the user's own with small files that hold secrets, which this program writes.
///
/// It trusts less than ``PrivateFile`` does: folder and files belong to the user, no file is a link,
/// and others have no right to either. After a crash a file has all its old bytes or all its new
/// ones. The folder stays open, so nobody can put another one in its place.
///
/// All calls block.
package struct SecretFolder: ~Copyable {
  package let path: String
  private let descriptor: Int32

  /// Opens a folder.
  ///
  /// - Returns: `nil` if there is none.
  package init?(_ path: String) throws(SecretFileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw SecretFileError(path: path, fault: .file(.failed(lastError("open"))))
    }
    do throws(SecretFileError) {
      try Self.check(descriptor, S_IFDIR, path)
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens a folder, after making it and all missing ones above it with mode 0700.
  package init(making path: String) throws(SecretFileError) {
    do throws(UVError) {
      try PrivateDirectory.make(at: path)
    } catch {
      throw SecretFileError(path: path, fault: .file(.failed(error)))
    }
    guard let folder = try SecretFolder(path) else {
      throw SecretFileError(path: path, fault: .file(.failed(UVError("open", .noSuchFile))))
    }
    self = folder
  }

  deinit {
    close(descriptor)
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - name: its name, without slashes.
  ///   - longest: the maximum size in bytes.
  /// - Returns: `nil` if there is none.
  package func read(_ name: String, longest: Int) throws(SecretFileError) -> [UInt8]? {
    // Nonblocking, so that opening a pipe without a writer does not wait.
    let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      let isLink = errno == ELOOP
      throw fault(name, isLink ? .link : .file(.failed(lastError("open"))))
    }
    defer { close(file) }
    try Self.check(file, S_IFREG, "\(path)/\(name)")
    do throws(PrivateFileError) {
      return try PrivateFile.contents(of: file, longest: longest)
    } catch {
      throw fault(name, .file(error))
    }
  }

  /// Creates a file with these bytes, unless it exists.
  ///
  /// If several processes create it at once, one of them succeeds.
  ///
  /// - Returns: false if something has that name; it stays unchanged.
  package func make(_ name: String, _ bytes: [UInt8]) throws(SecretFileError) -> Bool {
    let draft = try draft(of: name, bytes)
    defer { _ = unsafe unlinkat(descriptor, draft, 0) }
    // Unlike a rename, a link does not replace an existing file.
    guard unsafe linkat(descriptor, draft, descriptor, name, 0) == 0 else {
      if errno == EEXIST { return false }
      throw fault(name, .file(.failed(lastError("link"))))
    }
    try keepNames()
    return true
  }

  /// Writes a file, in place of the one of that name.
  package func replace(_ name: String, _ bytes: [UInt8]) throws(SecretFileError) {
    let draft = try draft(of: name, bytes)
    guard unsafe renameat(descriptor, draft, descriptor, name) == 0 else {
      let error = lastError("rename")
      _ = unsafe unlinkat(descriptor, draft, 0)
      throw fault(name, .file(.failed(error)))
    }
    try keepNames()
  }

  /// Removes a file, if it exists.
  package func remove(_ name: String) throws(SecretFileError) {
    guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw fault(name, .file(.failed(lastError("unlink"))))
    }
    try keepNames()
  }

  /// Writes the bytes of a file under another name, which it returns.
  ///
  /// The name is random: two threads or processes never share a draft. One that a killed process
  /// leaves behind is never read.
  private func draft(of name: String, _ bytes: [UInt8]) throws(SecretFileError) -> String {
    let draft = "\(name).new-\(mintedText(.random(in: 0 ... .max), digits: 13))"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let file = unsafe openat(descriptor, draft, flags, 0o600)
    guard file >= 0 else { throw fault(name, .file(.failed(lastError("open")))) }
    defer { close(file) }
    do throws(UVError) {
      try PrivateFile.write(bytes, to: file)
    } catch {
      _ = unsafe unlinkat(descriptor, draft, 0)
      throw fault(name, .file(.failed(error)))
    }
    return draft
  }

  /// Waits until the disk has the names, too.
  private func keepNames() throws(SecretFileError) {
    // Some file systems keep them at once, and know no other way.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw SecretFileError(path: path, fault: .file(.failed(lastError("fsync"))))
    }
  }

  /// Checks that an open file or folder is the user's own.
  private static func check(
    _ descriptor: Int32, _ kind: UInt32, _ path: String
  ) throws(SecretFileError) {
    var status = stat()
    let fault: SecretFileError.Fault? =
      if unsafe fstat(descriptor, &status) != 0 {
        .file(.failed(lastError("fstat")))
      } else if status.st_mode & S_IFMT != kind {
        .file(.notFile)
      } else if status.st_uid != geteuid() {
        .ofAnother
      } else if status.st_mode & 0o077 != 0 {
        .file(.readableByOthers)
      } else {
        nil
      }
    if let fault { throw SecretFileError(path: path, fault: fault) }
  }

  private func fault(_ name: String, _ fault: SecretFileError.Fault) -> SecretFileError {
    SecretFileError(path: "\(path)/\(name)", fault: fault)
  }
}

/// Why a file in a ``SecretFolder``, or the folder, cannot be used.
package struct SecretFileError: Error, Equatable {
  package let path: String
  package let fault: Fault

  package enum Fault: Equatable, Sendable {
    /// It is a symbolic link.
    case link
    /// It belongs to another user.
    case ofAnother
    /// What can be wrong with any private file.
    case file(PrivateFileError)
  }
}
