import Vocabulary

/// What an answer means, before it is known which attempt it was.
enum PushVerdict: Equatable, Sendable {
  case delivered
  /// Worth another attempt, not before the time that the push service asked for.
  case trouble(PushTrouble, asked: Duration?)
  case forget(since: Instant?)
  /// The token is too old: worth another one at once.
  case staleToken(status: Int, reason: String?)
  case refused(PushRefusal)

  /// What all push services mean alike by a status.
  init(status: Int, reason: String?, asked: Duration?) {
    self =
      switch status {
      case 200..<300: .delivered
      case 300..<400: .refused(.redirected(status: status))
      case 401, 403: .refused(.credentials(status: status, reason: reason))
      case 408, 425, 429, 500..<600:
        .trouble(.busy(status: status, reason: reason), asked: asked)
      default: .refused(.rejected(status: status, reason: reason))
      }
  }
}
