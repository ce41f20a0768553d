internal import Glibc

/// A file with a secret in it, that nobody but its owner may read.
///
/// Everything here blocks, as files do.
package enum PrivateFile {
  /// Reads all of a file.
  ///
  /// - Parameter longest: the most bytes that it may have.
  /// - Throws: ``PrivateFileError``, also where others may read it: then it is no secret any more.
  package static func read(_ path: String, longest: Int) throws(PrivateFileError) -> [UInt8] {
    // A pipe that nobody writes to would be waited for.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .failed(lastError("open")) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .failed(lastError("fstat")) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notFile }
    guard !isOpen(status) else { throw .readableByOthers }
    var bytes = [UInt8](repeating: 0, count: longest + 1)
    var count = 0
    while count < bytes.count {
      let part = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { throw .failed(lastError("read")) }
      if part == 0 { break }
      count += part
    }
    guard count <= longest else { throw .tooLong }
    return Array(bytes.prefix(count))
  }

  /// Whether somebody may read or change it who should not: anybody, for a file of one's own; for one
  /// that another owner handed out, such as the system's, its group is who it was handed to.
  private static func isOpen(_ status: stat) -> Bool {
    status.st_mode & (status.st_uid == geteuid() ? 0o077 : 0o027) != 0
  }

  /// Makes a file with these bytes, and mode 0600, unless there is one.
  ///
  /// It is there with all its bytes, or not at all, also after a crash; of several who make it at once,
  /// one does.
  ///
  /// - Returns: false if there is one already, which stays as it is.
  package static func make(_ path: String, _ bytes: [UInt8]) throws(UVError) -> Bool {
    let draft = "\(path).new-\(getpid())"
    // What a process of this number left behind when it was killed.
    _ = unsafe unlink(draft)
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw lastError("open") }
    defer {
      close(descriptor)
      _ = unsafe unlink(draft)
    }
    try write(bytes, to: descriptor)
    // Unlike a renaming, this replaces nothing.
    guard unsafe link(draft, path) == 0 else {
      if errno == EEXIST { return false }
      throw lastError("link")
    }
    return true
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(UVError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw lastError("write") }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw lastError("fsync") }
  }

  private static func lastError(_ operation: StaticString) -> UVError {
    UVError(operation, .init(-errno))
  }
}

/// Why a private file could not be read.
package enum PrivateFileError: Error, Equatable {
  /// It is a directory, a pipe or a device.
  case notFile
  case readableByOthers
  case tooLong
  /// The system's answer.
  case failed(UVError)
}
