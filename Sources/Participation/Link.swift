import Vocabulary
import Wire

extension Client {
  /// The state of a client's connection.
  struct Link: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
      /// The client has not been started.
      case idle
      /// A connection attempt is under way; it fails at this time.
      case connecting(until: HostTime)
      /// The hello has been sent; the attempt fails at this time.
      case greeting(until: HostTime)
      case online(since: HostTime)
      /// The next attempt starts at this time.
      case waiting(until: HostTime)
      /// The app has yet to give a credential; the attempt starts once it has.
      case wanting
      case closed
    }

    /// The limit for connecting, and for the welcome; together they take two round trips.
    static let patience = Duration.seconds(10)
    /// The limit without any message: five missed pings at the longest interval of 2 s.
    ///
    /// Playback gets out of step long before TCP notices a dead connection.
    static let silence = Duration.seconds(10)
    /// A connection that stayed online for this long resets the back-off.
    static let proof = Duration.seconds(5)

    var stage = Stage.idle
    /// The pauses since the last connection that stayed online long enough.
    var backOff = BackOff()
    /// When the last message arrived.
    var lastHeard = HostTime(microseconds: 0)
    /// The token that resumes the connection.
    var token: String?
    /// Since when a client that was online has been offline.
    var lostSince: HostTime?
    var limits: WireLimits?
    /// How the server knows who somebody is.
    var access = AccessMode.open
    /// Whether the name is known to be this person's.
    var isProved = true
    /// Whether a new device's joining of a group goes along with its hello, which saves a round
    /// trip.
    var joinsEarly = false

    var isOnline: Bool { if case .online = stage { true } else { false } }
    var isGreeting: Bool { if case .greeting = stage { true } else { false } }

    var nextDeadline: HostTime? {
      switch stage {
      case .idle, .wanting, .closed: nil
      case .connecting(let moment), .greeting(let moment), .waiting(let moment): moment
      case .online: lastHeard + Self.silence
      }
    }
  }

  /// The pauses between attempts that fail: 0.1 s, doubled each time up to 10 s.
  ///
  /// The upper half is random, so that the clients of a restarted server do not reconnect all at
  /// once.
  struct BackOff: Equatable, Sendable {
    private(set) var attempts = 0

    mutating func pause(jitter: UInt64) -> Duration {
      let full = min(Duration.milliseconds(100) * (1 << min(attempts, 7)), .seconds(10))
      attempts += 1
      return full * (0.5 + Double(jitter >> 11) / 9_007_199_254_740_992 / 2)
    }
  }
}
