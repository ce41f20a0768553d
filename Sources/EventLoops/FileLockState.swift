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
