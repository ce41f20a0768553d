internal import CLibuv
internal import SystemLibrary

/// A failed libuv call: the operation and the error code.
///
/// Prints as `bind: EADDRINUSE: address already in use`.
package struct UVError: Error, Equatable, CustomStringConvertible {
  /// The operation by the operating system's name, such as `connect`.
  package let operation: StaticString
  package let code: Code

  package init(_ operation: StaticString, _ code: Code) {
    self.operation = operation
    self.code = code
  }

  /// The operation, the code's name and its meaning.
  package var description: String { "\(operation): \(code.name): \(code.meaning)" }

  /// Whether operation and code are equal.
  package static func == (left: UVError, right: UVError) -> Bool {
    left.code == right.code && left.operation.description == right.operation.description
  }

  /// Throws if a libuv call returned a negative status.
  static func check(_ operation: StaticString, _ status: Int32) throws(UVError) {
    if status < 0 { throw UVError(operation, Code(status)) }
  }
}

/// Why the system call that just failed did; libuv's numbers are the system's, negated.
func lastError(_ operation: StaticString) -> UVError {
  UVError(operation, .init(-errno))
}

extension UVError {
  /// A libuv error number.
  ///
  /// It is negative, and only its name is the same on all systems.
  package struct Code: Hashable, Sendable {
    /// libuv's number, such as `-98`.
    package let rawValue: Int32

    init(_ rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// The constant's name, such as `EADDRINUSE`.
    package var name: String {
      unsafe Self.text { buffer, size in unsafe uv_err_name_r(rawValue, buffer, size) }
    }

    /// A short description, such as `address already in use`.
    package var meaning: String {
      unsafe Self.text { buffer, size in unsafe uv_strerror_r(rawValue, buffer, size) }
    }

    /// Uses the `_r` variants, because the plain ones leak for unknown numbers.
    private static func text(
      _ fill: (UnsafeMutablePointer<CChar>?, Int) -> UnsafeMutablePointer<CChar>?
    ) -> String {
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        unsafe buffer.initialize(repeating: 0)
        _ = unsafe fill(buffer.baseAddress, buffer.count)
        return unsafe String(cString: Array(buffer))
      }
    }
  }
}

extension UVError.Code {
  /// Another program listens on the address.
  package static let addressInUse = Self(UV_EADDRINUSE.rawValue)
  /// No interface of this machine has that address.
  package static let addressNotAvailable = Self(UV_EADDRNOTAVAIL.rawValue)
  /// The name has no address.
  package static let unknownName = Self(UV_EAI_NONAME.rawValue)
  /// The system refuses, for a port below 1024 or because of a file's permissions.
  package static let permissionDenied = Self(UV_EACCES.rawValue)
  /// No program listens on the address.
  package static let connectionRefused = Self(UV_ECONNREFUSED.rawValue)
  /// The stream or loop was closed first.
  package static let canceled = Self(UV_ECANCELED.rawValue)
  /// There is no such file, socket or program.
  package static let noSuchFile = Self(UV_ENOENT.rawValue)
  /// The path names a file where a directory is needed.
  package static let notDirectory = Self(UV_ENOTDIR.rawValue)
  /// The process has used up its descriptors.
  package static let tooManyOpenFiles = Self(UV_EMFILE.rawValue)
  /// The name, such as a socket's path, is longer than the system allows.
  package static let nameTooLong = Self(UV_ENAMETOOLONG.rawValue)
  /// An argument is invalid, such as a port above 65535.
  package static let invalidArgument = Self(UV_EINVAL.rawValue)

  /// The other side did not answer in time.
  package static let timedOut = Self(UV_ETIMEDOUT.rawValue)

  static let again = Self(UV_EAGAIN.rawValue)
}
