/// An address that could not be listened on or connected to: which, why, and what to do.
package struct EndpointError: Error, Equatable, CustomStringConvertible {
  /// What was tried.
  package let attempt: Attempt
  /// The host and port or the path as it was asked for.
  package let endpoint: String
  /// The system's answer; for a name with several addresses, that of the last one tried.
  package let cause: UVError

  /// What was wanted of an address.
  package enum Attempt: String, Sendable {
    /// To wait there for connections.
    case listen = "listen on"
    /// To reach somebody there.
    case connect = "connect to"
  }

  init(_ attempt: Attempt, _ endpoint: String, _ cause: UVError) {
    self.attempt = attempt
    self.endpoint = endpoint
    self.cause = cause
  }

  /// The whole in one sentence, with advice where there is some.
  package var description: String {
    "cannot \(attempt.rawValue) \(endpoint): \(cause)" + (advice.map { "; \($0)" } ?? "")
  }

  private var advice: String? {
    switch cause.code {
    case .addressInUse: "stop the program that listens there, or choose another port"
    case .addressNotAvailable: "this machine has no such address: choose one it has, or ::"
    case .unknownName: "check the spelling of the name"
    case .permissionDenied: "choose a port above 1023, or ask for the permission"
    case .connectionRefused: "nobody listens there: check the address, or start the server"
    case .noSuchFile: "nobody has made that socket: check the path, or start the program"
    case .nameTooLong: "a socket's path has at most 107 bytes: choose a shorter one"
    case .tooManyOpenFiles: "raise the limit of open files (ulimit -n)"
    default: nil
    }
  }
}
