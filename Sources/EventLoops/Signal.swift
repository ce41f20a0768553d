internal import CLibuv

/// One of POSIX's signals, by its number.
package struct Signal: Hashable, Sendable, CustomStringConvertible {
  /// The system's number, as in 15.
  package let rawValue: Int32

  init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// End, please: what `kill` and service managers send.
  package static let terminate = Signal(rawValue: SIGTERM)
  /// Control-C at the terminal.
  package static let interrupt = Signal(rawValue: SIGINT)
  /// The terminal is gone; by custom, a server reads its configuration again.
  package static let hangUp = Signal(rawValue: SIGHUP)
  /// End at once; cannot be caught.
  package static let kill = Signal(rawValue: SIGKILL)
  /// Free for any use.
  package static let user1 = Signal(rawValue: SIGUSR1)

  /// The constant's name where it is one of these, else the number.
  package var description: String {
    switch self {
    case .terminate: "SIGTERM"
    case .interrupt: "SIGINT"
    case .hangUp: "SIGHUP"
    case .kill: "SIGKILL"
    case .user1: "SIGUSR1"
    default: "signal \(rawValue)"
    }
  }
}
