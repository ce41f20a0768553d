internal import CLibuv
internal import SystemLibrary

/// Process-wide settings that a program with sockets makes once, at its start.
package enum ProcessSettings {
  /// Opens `/dev/null` as each of standard input, output and error that is closed.
  ///
  /// Call it before anything else is opened. Otherwise that gets the number of a standard stream: what
  /// is printed goes there, and libuv aborts when it closes it.
  package static func openStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The system chooses the lowest free number, which is this one.
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }

  /// Makes a write to a peer that has gone fail, instead of ending the process.
  ///
  /// Call it first of all, because libuv does not do it. Child processes get the default action
  /// back.
  package static func ignoreBrokenPipes() {
    // The returned previous action is not needed, because nothing set one before.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Takes the signals that end a program, which a parent may have blocked: Foundation's `Process`
  /// starts programs from a thread that blocks all signals, and a child inherits that (signal(7)).
  package static func acceptTermination() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Makes the loss of the terminal, and a request to read files again, end nothing.
  ///
  /// A ``SignalSource`` of the signal takes its place; once that is closed, the default action is back.
  package static func ignoreHangUp() {
    _ = signal(SIGHUP, SIG_IGN)
  }

  /// Whether the loss of the terminal does not end this program, because nohup(1) started it.
  ///
  /// Ask before a ``SignalSource`` catches the signal.
  package static var ignoresHangUp: Bool {
    // Setting an action is the only way to read it that all systems spell alike.
    let action = signal(SIGHUP, SIG_IGN)
    signal(SIGHUP, action)
    return unsafe unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Makes the next SIGTERM or SIGINT end this process at once with 130, whatever its threads do.
  ///
  /// It needs no loop, and runs nothing that a program does at its end, because that may wait for a
  /// thread that hangs. Closing a ``SignalSource`` of such a signal restores the default action.
  package static func endAtNextSignal() {
    for number in [SIGTERM, SIGINT] {
      // The code stands here because a C function captures nothing; it is 128 and SIGINT's number.
      _ = signal(number) { _ in _exit(130) }
    }
  }

  /// Makes a write beyond the largest allowed file (`ulimit -f`) fail, instead of ending the
  /// process.
  package static func ignoreFileSizeSignal() {
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Raises the process's limit of open descriptors to the system's maximum; returns it.
  ///
  /// - Throws: the system's error if it refuses.
  package static func raiseDescriptorLimit() throws(UVError) -> Int {
    guard var limit = descriptorLimits() else { throw UVError("getrlimit", .init(-errno)) }
    limit.rlim_cur = limit.rlim_max
    if !setDescriptorLimits(limit) { throw UVError("setrlimit", .init(-errno)) }
    return Int(clamping: limit.rlim_cur)
  }

  /// Flushes standard output.
  ///
  /// When it is a pipe, the C library buffers 4 KiB of it.
  package static func flushStandardOutput() {
    // Nil means all streams. Swift 6 does not allow naming `stdout`.
    fflush(nil)
  }

  /// The size in characters of the terminal that standard output goes to; `nil` if it goes
  /// elsewhere.
  package static var terminalSize: (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Sends a signal to this process.
  package static func raise(_ signal: Signal) {
    _ = SystemLibrary.kill(getpid(), signal.rawValue)
  }
}
