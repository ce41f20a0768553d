/// Why an attempt came to nothing that may succeed later.
package enum PushTrouble: Error, Equatable, Sendable, CustomStringConvertible {
  /// No answer came in time.
  case timeout
  /// The connection ended before the answer; the push may have arrived.
  case closed
  /// There was no connection, for the reason that the system gave.
  case unreachable(String)
  /// The push service has too much to do, or something is wrong with it: status 408, 429 or 5xx,
  /// with its own reason.
  case busy(status: Int, reason: String?)

  /// The trouble, for a log.
  package var description: String {
    switch self {
    case .timeout: "no answer in time"
    case .closed: "the connection ended before the answer"
    case .unreachable(let reason): "no connection: \(reason)"
    case .busy(let status, let reason): "status \(status)" + (reason.map { ", \($0)" } ?? "")
    }
  }
}
