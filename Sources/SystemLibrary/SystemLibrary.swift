// The system's C library under one name, and what differs between systems.
//
// Only Linux with glibc has been compiled. The other two are here so that apps' clients can be built
// elsewhere.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif

/// Starts a thread (pthread_create(3)).
///
/// - Parameters:
///   - body: runs on the thread once, with the argument.
///   - argument: what the body gets.
///   - status: 0, or why no thread was started (errno(3)).
/// - Returns: the thread's identifier; `nil` if none was started.
package func startThread(
  _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer, status: inout Int32
) -> pthread_t? {
  #if canImport(Glibc)
    var thread = pthread_t()
    status = unsafe pthread_create(&thread, nil, body, argument)
    return status == 0 ? thread : nil
  #elseif canImport(Musl)
    var thread: pthread_t?
    status = unsafe pthread_create(&thread, nil, body, argument)
    return unsafe status == 0 ? thread : nil
  #else
    var thread: pthread_t?
    // Its body never gets a null pointer.
    let start = unsafe unsafeBitCast(
      body, to: (@convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?).self)
    status = unsafe pthread_create(&thread, nil, start, argument)
    return unsafe status == 0 ? thread : nil
  #endif
}

/// The limits of open descriptors (getrlimit(2)); `nil` if the system refuses to tell.
package func descriptorLimits() -> rlimit? {
  var limits = rlimit()
  return unsafe getrlimit(openDescriptors, &limits) == 0 ? limits : nil
}

/// Sets the limits of open descriptors (setrlimit(2)).
///
/// - Returns: false if the system refuses; see `errno`.
package func setDescriptorLimits(_ limits: rlimit) -> Bool {
  var limits = limits
  return unsafe setrlimit(openDescriptors, &limits) == 0
}

#if canImport(Glibc)
  private let openDescriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  private let openDescriptors = RLIMIT_NOFILE
#endif

/// The type of TCP's sockets (socket(2)).
package var streamSocket: Int32 {
  #if canImport(Glibc)
    Int32(SOCK_STREAM.rawValue)
  #else
    SOCK_STREAM
  #endif
}

/// When a file was last modified (stat(2)).
package func modificationTime(_ status: stat) -> timespec {
  #if canImport(Darwin)
    status.st_mtimespec
  #else
    status.st_mtim
  #endif
}
