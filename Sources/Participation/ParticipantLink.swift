import Vocabulary
import Wire

extension Client {
  /// The life of a client's connections.
  struct Link: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
      /// Nothing was asked for yet.
      case idle
      /// An attempt is under way, until it is given up.
      case connecting(until: HostTime)
      /// The hello has been sent.
      case greeting(until: HostTime)
      case online(since: HostTime)
      /// The next attempt begins then.
      case waiting(until: HostTime)
      case closed
    }

    /// A connect and a hello take two round trips: whoever needs longer is not there.
    static let patience = Duration.seconds(10)
    /// Two pings without a word: group watching suffers long before TCP notices.
    static let silence = Duration.seconds(10)
    /// Whoever was welcome for so long begins with short pauses again.
    static let proof = Duration.seconds(5)

    var stage = Stage.idle
    /// Attempts since the last connection that held.
    var attempts = 0
    /// When something was last heard.
    var lastHeard = HostTime(microseconds: 0)
    /// The secret to resume with.
    var token: String?
    /// Since when a client that was online is not.
    var lostSince: HostTime?
    var limits: WireLimits?

    var isOnline: Bool { if case .online = stage { true } else { false } }

    var nextDeadline: HostTime? {
      switch stage {
      case .idle, .closed: nil
      case .connecting(let moment), .greeting(let moment), .waiting(let moment): moment
      case .online: lastHeard + Self.silence
      }
    }

    /// How long to wait before the next attempt: 0.1 s doubled each time up to 10 s, the upper
    /// half by chance, so that the clients of a server that restarted do not come all at once.
    mutating func pause(jitter: UInt64) -> Duration {
      let full = min(Duration.milliseconds(100) * (1 << min(attempts, 7)), .seconds(10))
      attempts += 1
      return full * (0.5 + Double(jitter >> 11) / 9_007_199_254_740_992 / 2)
    }
  }
}
