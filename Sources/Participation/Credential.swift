import Vocabulary
import Wire

extension Client {
  /// What proves who the person is, and what the client does to get another one.
  struct Credential: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
      /// The app is not asked for anything.
      case settled
      /// The app was asked; the question fails at this time.
      case asked(until: HostTime)
      /// The app is asked again at this time.
      case pausing(until: HostTime)
    }

    /// A credential that the server refused since it last accepted one.
    struct Refusal: Equatable, Sendable {
      let text: String?
      let error: ProtocolError
    }

    /// The limit for an answer of the app, whose backend may be slow.
    static let patience = Duration.seconds(30)
    /// A credential that lasted for this long resets the back-off.
    static let proof = Duration.seconds(5)

    var stage = Stage.settled
    /// The credential that the app gave last.
    var text: String?
    /// The credential that the server was shown last.
    var shown: String?
    /// Whether the server no longer accepts ``text``.
    var isSpent = false
    /// When ``text`` expires, once the server has said so.
    var expires: HostTime?
    /// When the app gave ``text``.
    var givenAt: HostTime?
    var refusal: Refusal?
    var backOff = BackOff()

    init(text: String?) { self.text = text }

    /// Whether a server that asks for a credential would refuse this one.
    func isUseless(at now: HostTime) -> Bool {
      text == nil || isSpent || expires.map { $0 <= now } == true
    }

    var nextDeadline: HostTime? {
      switch stage {
      case .settled: nil
      case .asked(let moment), .pausing(let moment): moment
      }
    }

    mutating func replace(with text: String, at now: HostTime) {
      self.text = text
      (stage, isSpent, expires, givenAt) = (.settled, false, nil, now)
    }
  }
}
