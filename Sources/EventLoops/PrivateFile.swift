internal import CLibuv
internal import SystemLibrary

/// A file with a secret, which only its owner may read.
///
/// All calls block.
package enum PrivateFile {
  /// Reads a whole file.
  ///
  /// - Parameter longest: the maximum size in bytes.
  /// - Throws: ``PrivateFileError``, also if others may read the file, because then it is no
  ///   secret.
  package static func read(_ path: String, longest: Int) throws(PrivateFileError) -> [UInt8] {
    // Nonblocking, so that opening a pipe without a writer does not wait.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .failed(lastError("open")) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .failed(lastError("fstat")) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notFile }
    guard !isOpen(status) else { throw .readableByOthers }
    return try contents(of: descriptor, longest: longest)
  }

  /// Reads an open file from where it stands to its end.
  static func contents(
    of descriptor: Int32, longest: Int
  ) throws(PrivateFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: longest + 1)
    var count = 0
    while count < bytes.count {
      let part = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe SystemLibrary.read(
          descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { throw .failed(lastError("read")) }
      if part == 0 { break }
      count += part
    }
    guard count <= longest else { throw .tooLong }
    return Array(bytes.prefix(count))
  }

  /// Whether the mode grants too much.
  ///
  /// A file of ours may be open to no one else. A file that another owner gave us, such as the
  /// system, may be readable for its group, because that is how it was given.
  private static func isOpen(_ status: stat) -> Bool {
    status.st_mode & (status.st_uid == geteuid() ? 0o077 : 0o027) != 0
  }

  /// Creates a file with these bytes and mode 0600, unless it exists.
  ///
  /// The file appears with all its bytes or not at all, even after a crash. If several processes
  /// create it at once, one of them succeeds.
  ///
  /// - Returns: false if the file exists already; it stays unchanged.
  package static func make(_ path: String, _ bytes: [UInt8]) throws(UVError) -> Bool {
    let draft = "\(path).new-\(getpid())"
    // Removes what a killed process with the same id left behind.
    _ = unsafe unlink(draft)
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw lastError("open") }
    defer {
      close(descriptor)
      _ = unsafe unlink(draft)
    }
    try write(bytes, to: descriptor)
    // Unlike a rename, a link does not replace an existing file.
    guard unsafe link(draft, path) == 0 else {
      if errno == EEXIST { return false }
      throw lastError("link")
    }
    return true
  }

  /// Writes bytes to an open file, and waits until the disk has them.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(UVError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe SystemLibrary.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw lastError("write") }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw lastError("fsync") }
  }
}

package enum PrivateFileError: Error, Equatable {
  /// It is a directory, a pipe or a device.
  case notFile
  case readableByOthers
  case tooLong
  /// The system's error.
  case failed(UVError)
}

/// A directory that only this user can access, for sockets to which nobody else may connect.
///
/// It stays until ``remove(files:)``. A killed process leaves it in the directory for temporary
/// files, which the system cleans up.
package struct PrivateDirectory: Equatable, Sendable {
  package let path: String

  /// Creates a directory with a new name and mode 0700 (mkdtemp(3)).
  ///
  /// Blocks, so do not call it in a busy loop.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of its name, without slashes.
  ///   - parent: the directory to create it in; nil means the system's directory for temporary
  ///     files.
  /// - Throws: the system's error.
  package init(prefix: String, in parent: String? = nil) throws(UVError) {
    let place = if let parent { parent } else { try Self.temporary() }
    var request = unsafe uv_fs_t()
    let status = unsafe uv_fs_mkdtemp(nil, &request, "\(place)/\(prefix)XXXXXX", nil)
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check("mkdtemp", status)
    guard let path = unsafe request.path else { throw UVError("mkdtemp", .noSuchFile) }
    self.path = unsafe String(cString: path)
  }

  /// Creates a directory at a path, and all missing directories above it, with mode 0700.
  ///
  /// Blocks.
  ///
  /// - Throws: the system's error, for example if a file has that name.
  package static func make(at path: String) throws(UVError) {
    var request = unsafe uv_fs_t()
    var way = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      way += "\(name)/"
      // Skips an existing directory, even one in which nothing may be written.
      guard !isThere(way) else { continue }
      let status = unsafe uv_fs_mkdir(nil, &request, way, 0o700, nil)
      unsafe uv_fs_req_cleanup(&request)
      if status == UV_EEXIST.rawValue {
        // Another process may have made it meanwhile.
        guard isThere(way) else { throw UVError("mkdir", .notDirectory) }
        continue
      }
      try UVError.check("mkdir", status)
    }
  }

  private static func isThere(_ path: String) -> Bool {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    // The trailing slash makes anything but a directory an error.
    return unsafe uv_fs_stat(nil, &request, path, nil) == 0
  }

  /// The path of a file in it.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Removes the named files if they exist, and then the directory.
  package func remove(files names: [String]) {
    var request = unsafe uv_fs_t()
    for name in names {
      // A missing file is no error.
      _ = unsafe uv_fs_unlink(nil, &request, path(of: name), nil)
      unsafe uv_fs_req_cleanup(&request)
    }
    _ = unsafe uv_fs_rmdir(nil, &request, path, nil)
    unsafe uv_fs_req_cleanup(&request)
  }

  private static func temporary() throws(UVError) -> String {
    // The maximum length of a path (PATH_MAX).
    var bytes = [CChar](repeating: 0, count: 4096)
    var size = bytes.count
    try UVError.check("tmpdir", unsafe uv_os_tmpdir(&bytes, &size))
    return String(decoding: bytes.prefix(size).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// An exclusive lock on a file (flock(2)).
///
/// The system releases it when the process ends for any reason.
package struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock, and writes this process's id into the file, so that other processes can name
  /// the holder.
  ///
  /// - Parameter path: the file, created if missing. It is never removed, because then two
  ///   processes could each lock a file of that name.
  /// - Throws: ``FileLockError``.
  package init(_ path: String) throws(FileLockError) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(path: path, lastError("open")) }
    guard Self.take(descriptor, LOCK_EX) else {
      let error = lastError("flock")
      defer { close(descriptor) }
      guard error.code == .again else { throw .failed(path: path, error) }
      throw .held(path: path, by: Self.holder(descriptor))
    }
    ftruncate(descriptor, 0)
    let holder = Array("\(getpid())\n".utf8)
    // Ignores the result, because the id is only information for people.
    _ = unsafe write(descriptor, holder, holder.count)
  }

  deinit {
    close(descriptor)
  }

  /// Tries for a quarter of a second.
  ///
  /// The lock may be held only briefly, by a process that checks it, or by a child that has
  /// inherited our descriptors and not yet called `exec`.
  ///
  /// - Parameters:
  ///   - operation: `LOCK_EX` or `LOCK_SH`.
  ///   - pause: what to do between two attempts.
  static func take(
    _ descriptor: Int32, _ operation: Int32, pause: () -> Void = pause
  ) -> Bool {
    for _ in 0..<25 {
      if flock(descriptor, operation | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      pause()
    }
    return flock(descriptor, operation | LOCK_NB) == 0
  }

  static func pause() { _ = poll(nil, 0, 10) }

  static func holder(_ descriptor: Int32) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return Int(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).prefix { $0 != "\n" })
  }
}

/// Why a lock could not be taken.
package enum FileLockError: Error, Equatable {
  /// Another process holds it; `by` is its id, if it wrote one.
  case held(path: String, by: Int?)
  /// The system's error.
  case failed(path: String, UVError)
}

/// Whether a process holds a lock, for processes that only ask.
package enum FileLockState: Equatable, Sendable {
  /// No process holds it, or the file does not exist.
  case free
  /// A process holds it; `by` is its id, if it wrote one.
  case held(by: Int?)

  /// Checks the lock on a file.
  ///
  /// `flock` offers no query, so this takes the lock in shared mode for a moment. It waits up to a
  /// quarter of a second for a process that holds the lock only briefly.
  package init(_ path: String) {
    self.init(path, pause: FileLock.pause)
  }

  init(_ path: String, pause: () -> Void) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      self = .free
      return
    }
    defer { close(descriptor) }
    let isFree = FileLock.take(descriptor, LOCK_SH, pause: pause)
    self = isFree ? .free : .held(by: FileLock.holder(descriptor))
  }
}

/// A file that is no secret.
package enum PlainFile {
  /// Checks that there is a file, and that this process may read it.
  ///
  /// Blocks.
  ///
  /// - Throws: the system's error.
  package static func checkReadable(_ path: String) throws(UVError) {
    guard unsafe access(path, R_OK) == 0 else { throw lastError("access") }
  }
}
