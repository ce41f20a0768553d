internal import CLibuv
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

/// A directory that only this user can look into, for sockets that nobody else may connect to.
///
/// It stays until ``remove(files:)``; a killed process leaves it behind where the system clears up.
package struct PrivateDirectory: Equatable, Sendable {
  /// Where it is.
  package let path: String

  /// Makes a directory of a new name, with mode 0700 (mkdtemp(3)).
  ///
  /// Blocks, as making a directory does: not for the middle of busy work.
  ///
  /// - Parameters:
  ///   - prefix: what its name begins with, without slashes.
  ///   - parent: where to make it; nil means where the system wants temporary files.
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

  /// Makes a directory at a path, with mode 0700, and those above it that are not there.
  ///
  /// Blocks, as making directories does.
  ///
  /// - Throws: the system's error, such as that a file stands in the way.
  package static func make(at path: String) throws(UVError) {
    var request = unsafe uv_fs_t()
    var way = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      way += "\(name)/"
      // What is there already need not be made, even where nothing can be written.
      guard !isThere(way) else { continue }
      let status = unsafe uv_fs_mkdir(nil, &request, way, 0o700, nil)
      unsafe uv_fs_req_cleanup(&request)
      if status == UV_EEXIST.rawValue { throw UVError("mkdir", .notDirectory) }
      try UVError.check("mkdir", status)
    }
  }

  private static func isThere(_ path: String) -> Bool {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    // The slash at its end makes it a directory or an error.
    return unsafe uv_fs_stat(nil, &request, path, nil) == 0
  }

  /// Where a file of that name is in it.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Removes the named files and then the directory, as far as they are there.
  package func remove(files names: [String]) {
    var request = unsafe uv_fs_t()
    for name in names {
      // What is not there need not go.
      _ = unsafe uv_fs_unlink(nil, &request, path(of: name), nil)
      unsafe uv_fs_req_cleanup(&request)
    }
    _ = unsafe uv_fs_rmdir(nil, &request, path, nil)
    unsafe uv_fs_req_cleanup(&request)
  }

  private static func temporary() throws(UVError) -> String {
    // As long as a path may be (PATH_MAX).
    var bytes = [CChar](repeating: 0, count: 4096)
    var size = bytes.count
    try UVError.check("tmpdir", unsafe uv_os_tmpdir(&bytes, &size))
    return String(decoding: bytes.prefix(size).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A lock on a file that only one process at a time holds (flock(2)).
///
/// The system lets go of it when the process ends, however it ends.
package struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock, and writes this process's id into the file for whoever comes too late.
  ///
  /// - Parameter path: the file, made if it is not there; it stays when the lock is gone, since to
  ///   remove it would let two others each lock a file of that name.
  /// - Throws: ``FileLockError``.
  package init(_ path: String) throws(FileLockError) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(path: path, Self.lastError("open")) }
    guard Self.take(descriptor, LOCK_EX) else {
      let error = Self.lastError("flock")
      defer { close(descriptor) }
      guard error.code == .again else { throw .failed(path: path, error) }
      throw .held(path: path, by: Self.holder(descriptor))
    }
    ftruncate(descriptor, 0)
    let holder = Array("\(getpid())\n".utf8)
    // Only a courtesy: the lock holds without it.
    _ = unsafe write(descriptor, holder, holder.count)
  }

  deinit {
    close(descriptor)
  }

  /// Tries for a quarter of a second: somebody may only be looking who holds it, and a child that is
  /// being started has what its parent has open until it becomes another program.
  ///
  /// - Parameters:
  ///   - operation: `LOCK_EX` or `LOCK_SH`.
  ///   - pause: what happens between two attempts.
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

  private static func lastError(_ operation: StaticString) -> UVError {
    UVError(operation, .init(-errno))
  }

  static func holder(_ descriptor: Int32) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return Int(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).prefix { $0 != "\n" })
  }
}

/// A lock that could not be had.
package enum FileLockError: Error, Equatable {
  /// Another process has it: the process of that id, if it wrote it down.
  case held(path: String, by: Int?)
  /// The system's answer.
  case failed(path: String, UVError)
}

/// Whether somebody has a lock, for those who only want to know.
package enum FileLockState: Equatable, Sendable {
  /// Nobody has it, or there is no such file.
  case free
  /// A process has it: the one of that id, if it wrote it down.
  case held(by: Int?)

  /// Looks at the lock on a file.
  ///
  /// There is no way to look without trying: for a moment the lock is had, shared with others who
  /// look. Who has it for a moment only is waited for, a quarter of a second at most.
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
