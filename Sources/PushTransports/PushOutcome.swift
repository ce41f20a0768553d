package import Vocabulary

/// The result of one attempt, which determines what to do next.
package enum PushOutcome: Equatable, Sendable {
  /// The push service accepted the push; whether the device receives it is unknown.
  case delivered
  /// Retry after this time, with the next attempt number.
  case retry(after: Duration, because: PushTrouble)
  /// The installation is gone. Forget it, unless it was registered again since that instant.
  case forget(since: Instant)
  /// This push can never be delivered; others to the same installation may be.
  case refused(PushRefusal)
}

/// Why an attempt failed that may succeed later.
package enum PushTrouble: Error, Equatable, Sendable, CustomStringConvertible {
  /// No answer came in time.
  case timeout
  /// The connection ended before the answer; the push may have arrived.
  case closed
  /// No connection could be made; the text is the system's reason.
  case unreachable(String)
  /// The push service is overloaded or failing: status 408, 425, 429 or 5xx, with its reason.
  case busy(status: Int, reason: String?)

  /// A short text for a log.
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
  /// The payload exceeds the transport's limit in bytes; nothing was sent.
  case tooLarge(limit: Int)
  /// The push has expired, or would before the next attempt.
  case expired
  /// The last attempt failed too.
  case exhausted(PushTrouble)
  /// The endpoint is not allowed; nothing was sent.
  case endpoint(PushEndpointFault)
  /// The push service rejects the server's key or token; check the configuration.
  case credentials(status: Int, reason: String?)
  /// The push service redirects, and redirects are not followed.
  case redirected(status: Int)
  /// The push service rejects the push permanently: status 400, 413 and so on, with its reason.
  case rejected(status: Int, reason: String?)
  /// The server has no key for this transport.
  case noTransport
  /// The message could not be encrypted or signed, because a key is invalid.
  case cryptography(String)

  /// A stable identifier for programs.
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

  /// What is wrong and what to do about it, for a log.
  package var description: String {
    switch self {
    case .tooLarge(let limit): "the payload is longer than \(limit) bytes; shorten it"
    case .expired: "it expired before it could be delivered; give it a longer time to live"
    case .exhausted(let trouble): "given up after the last attempt: \(trouble)"
    case .endpoint(let fault): "the endpoint is refused (\(fault.rawValue))"
    case .credentials(let status, let reason):
      "the push service refuses the server's key: \(Self.answer(status, reason)); check the key files"
    case .redirected(let status): "the push service answered \(status), which is not followed"
    case .rejected(let status, let reason):
      "the push service refuses it: \(Self.answer(status, reason))"
    case .noTransport: "there is no key for this push service; name its files in the configuration"
    case .cryptography(let reason): "it cannot be encrypted or signed: \(reason)"
    }
  }

  private static func answer(_ status: Int, _ reason: String?) -> String {
    "status \(status)" + (reason.map { ", \($0)" } ?? "")
  }
}
