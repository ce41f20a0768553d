package import Vocabulary

/// How one attempt ended, and so what is to be done now.
package enum PushOutcome: Equatable, Sendable {
  /// The push service has it; whether the device ever gets it nobody says.
  case delivered
  /// Again, with the next number of attempt, when that time has passed.
  case retry(after: Duration, because: PushTrouble)
  /// The installation is gone; forget it, unless it was registered again since that instant.
  case forget(since: Instant?)
  /// Never again: this push comes to nothing, but others to the same installation may.
  case refused(PushRefusal)
}

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

/// Why a push will never be delivered.
package enum PushRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The payload is longer than the transport carries, in bytes; nothing was sent.
  case tooLarge(limit: Int)
  /// It came too late, or would; nothing was sent in this attempt, or its trouble lasted too long.
  case expired
  /// The last attempt failed as well.
  case exhausted(PushTrouble)
  /// The endpoint leads where pushes must not go; nothing was sent.
  case endpoint(PushEndpointFault)
  /// The push service does not accept the server's own key or token; look at the configuration.
  case credentials(status: Int, reason: String?)
  /// The push service sent the push elsewhere; nobody follows.
  case redirected(status: Int)
  /// The push service does not take it, and will not: status 400, 413 and so on, with its reason.
  case rejected(status: Int, reason: String?)
  /// The server was given no key for this way.
  case noTransport
  /// The message could not be encrypted or signed: a key that is no key.
  case cryptography(String)

  /// A word for programs, stable over versions.
  package var code: String {
    switch self {
    case .tooLarge: "payloadTooLarge"
    case .expired: "expired"
    case .exhausted: "attemptsExhausted"
    case .endpoint: "endpointRefused"
    case .credentials: "credentialsRefused"
    case .redirected: "redirected"
    case .rejected: "rejected"
    case .noTransport: "noTransport"
    case .cryptography: "cryptography"
    }
  }

  /// What is wrong, and what to do about it, for a log.
  package var description: String {
    switch self {
    case .tooLarge(let limit): "the payload is longer than \(limit) bytes; say less"
    case .expired: "it came too late; give it longer to live"
    case .exhausted(let trouble): "given up after the last attempt: \(trouble)"
    case .endpoint(let fault): "the endpoint is refused (\(fault.rawValue))"
    case .credentials(let status, let reason):
      "the push service refuses the server's key: \(Self.answer(status, reason)); check the key files"
    case .redirected(let status): "the push service answered \(status), which is not followed"
    case .rejected(let status, let reason):
      "the push service refuses it: \(Self.answer(status, reason))"
    case .noTransport: "there is no key for this way; name its files in the configuration"
    case .cryptography(let reason): "it cannot be encrypted or signed: \(reason)"
    }
  }

  private static func answer(_ status: Int, _ reason: String?) -> String {
    "status \(status)" + (reason.map { ", \($0)" } ?? "")
  }
}
