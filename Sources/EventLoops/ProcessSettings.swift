internal import CLibuv
internal import Glibc

/// What a program that serves sockets changes about its own process, once, as it starts.
package enum ProcessSettings {
  /// Makes a write to a peer that has gone an error of that write, not the end of the process.
  ///
  /// Do it first of all: libuv does not. Children get the default back.
  package static func ignoreBrokenPipes() {
    // The old action is returned; nobody had set one before us.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Makes a write that would outgrow the largest file allowed (`ulimit -f`) an error of that write,
  /// not the end of the process.
  package static func ignoreFileSizeSignal() {
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Lets the process open as many descriptors as the system allows it, and says how many.
  ///
  /// - Throws: the system's error if it refuses.
  package static func raiseDescriptorLimit() throws(UVError) -> Int {
    var limit = rlimit()
    let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    if unsafe getrlimit(openFiles, &limit) != 0 { throw UVError("getrlimit", .init(-errno)) }
    limit.rlim_cur = limit.rlim_max
    if unsafe setrlimit(openFiles, &limit) != 0 { throw UVError("setrlimit", .init(-errno)) }
    return Int(clamping: limit.rlim_cur)
  }

  /// Hands on what was printed so far: into a pipe, the C library keeps 4 KiB of it back.
  package static func flushStandardOutput() {
    // Nil means all streams; naming `stdout` is no longer possible in Swift 6.
    fflush(nil)
  }

  /// Sends a signal to this process, as `kill` does.
  package static func raise(_ signal: Signal) {
    _ = Glibc.kill(getpid(), signal.rawValue)
  }
}
