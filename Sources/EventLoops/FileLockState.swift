internal import Glibc

/// Whether somebody has a lock, for those who only want to know.
package enum FileLockState: Equatable, Sendable {
  /// Nobody has it, or there is no such file.
  case free
  /// A process has it: the one of that id, if it wrote it down.
  case held(by: Int?)

  /// Looks at the lock on a file.
  ///
  /// There is no way to look without trying: for a moment the lock is had, shared with others who
  /// look. Whoever wants it for good in that very moment does not get it.
  package init(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      self = .free
      return
    }
    defer { close(descriptor) }
    self =
      flock(descriptor, LOCK_SH | LOCK_NB) == 0 ? .free : .held(by: FileLock.holder(descriptor))
  }
}
