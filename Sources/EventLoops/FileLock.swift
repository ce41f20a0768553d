internal import Glibc

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
