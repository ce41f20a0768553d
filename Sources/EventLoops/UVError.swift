internal import CLibuv

/// A call into libuv that failed: what was tried, and the code it gave.
///
/// Prints as `bind: EADDRINUSE: address already in use`.
package struct UVError: Error, Equatable, CustomStringConvertible {
  /// What was tried, in the operating system's word for it, as in `connect`.
  package let operation: StaticString
  /// Why it failed.
  package let code: Code

  /// The failure of `operation` with a code.
  package init(_ operation: StaticString, _ code: Code) {
    self.operation = operation
    self.code = code
  }

  /// The operation, the code's name and its meaning.
  package var description: String { "\(operation): \(code.name): \(code.meaning)" }

  /// Whether both tried the same and failed in the same way.
  package static func == (left: UVError, right: UVError) -> Bool {
    left.code == right.code && left.operation.description == right.operation.description
  }

  /// Throws if a libuv call returned a negative status.
  static func check(_ operation: StaticString, _ status: Int32) throws(UVError) {
    if status < 0 { throw UVError(operation, Code(status)) }
  }
}

extension UVError {
  /// One of libuv's error numbers: always negative, and the same on all systems only by name.
  package struct Code: Hashable, Sendable {
    /// libuv's number, as in `-98`.
    package let rawValue: Int32

    init(_ rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// The constant's name, as in `EADDRINUSE`.
    package var name: String {
      unsafe Self.text { buffer, size in unsafe uv_err_name_r(rawValue, buffer, size) }
    }

    /// The meaning in a few English words, as in `address already in use`.
    package var meaning: String {
      unsafe Self.text { buffer, size in unsafe uv_strerror_r(rawValue, buffer, size) }
    }

    /// The `_r` variants are used since the plain ones leak for numbers they do not know.
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
  /// Another program listens there.
  package static let addressInUse = Self(UV_EADDRINUSE.rawValue)
  /// No interface of this machine has that address.
  package static let addressNotAvailable = Self(UV_EADDRNOTAVAIL.rawValue)
  /// The name has no address.
  package static let unknownName = Self(UV_EAI_NONAME.rawValue)
  /// The system refuses: a port below 1024, or a file's permissions.
  package static let permissionDenied = Self(UV_EACCES.rawValue)
  /// Nobody listens there.
  package static let connectionRefused = Self(UV_ECONNREFUSED.rawValue)
  /// The peer closed in mid-air.
  package static let connectionReset = Self(UV_ECONNRESET.rawValue)
  /// The peer reads no more.
  package static let brokenPipe = Self(UV_EPIPE.rawValue)
  /// The stream or loop was closed first.
  package static let canceled = Self(UV_ECANCELED.rawValue)
  /// No such file, socket or program.
  package static let noSuchFile = Self(UV_ENOENT.rawValue)
  /// A file stands where a directory should.
  package static let notDirectory = Self(UV_ENOTDIR.rawValue)
  /// The process has used up its descriptors.
  package static let tooManyOpenFiles = Self(UV_EMFILE.rawValue)
  /// Longer than the system takes, as a socket's path is.
  package static let nameTooLong = Self(UV_ENAMETOOLONG.rawValue)
  /// An argument makes no sense, as a port beyond 65535 does.
  package static let invalidArgument = Self(UV_EINVAL.rawValue)

  static let endOfFile = Self(UV_EOF.rawValue)
  static let again = Self(UV_EAGAIN.rawValue)
}
