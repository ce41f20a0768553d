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
    private static let patience = Duration.seconds(10)
    /// The limit without any message: five missed pings at the longest interval of 2 s.
    ///
    /// Playback gets out of step long before TCP notices a dead connection.
    private static let silence = Duration.seconds(10)
    /// A connection that stayed online for this long resets the back-off.
    private static let proof = Duration.seconds(5)
    /// The longest pause that a server may ask for.
    private static let longestPause = Duration.seconds(60)

    private(set) var stage = Stage.idle
    /// The pauses since the last connection that stayed online long enough.
    private var backOff = BackOff()
    /// When the last message arrived.
    private var lastHeard = HostTime(microseconds: 0)
    /// The token that resumes the connection.
    private(set) var token: String?
    /// Since when a client that was online has been offline.
    private(set) var lostSince: HostTime?
    /// This device's identifier for the server and the others, which a server that knows people by
    /// their credentials makes itself; `nil` until the first welcome.
    private(set) var device: DeviceID?
    private(set) var limits: WireLimits?
    /// How the server knows who somebody is.
    private(set) var access = AccessMode.open
    /// Whether the name is known to be this person's.
    private(set) var isProved = true
    /// Whether a new device's joining of a group goes along with its hello, which saves a round
    /// trip.
    private(set) var joinsEarly = false

    var isOnline: Bool { if case .online = stage { true } else { false } }
    var isGreeting: Bool { if case .greeting = stage { true } else { false } }
    /// Whether no attempt has failed, and no connection was lost.
    var isFirstAttempt: Bool { lostSince == nil && backOff.attempts == 0 }

    var nextDeadline: HostTime? {
      switch stage {
      case .idle, .wanting, .closed: nil
      case .connecting(let moment), .greeting(let moment), .waiting(let moment): moment
      case .online: lastHeard + Self.silence
      }
    }

    mutating func want() { stage = .wanting }
    mutating func connect(at now: HostTime) { stage = .connecting(until: now + Self.patience) }

    /// Notes that the hello is sent, of a new device or of one that resumes a connection.
    mutating func greet(isResumption: Bool, at now: HostTime) {
      stage = .greeting(until: now + Self.patience)
      lastHeard = now
      joinsEarly = !isResumption
    }

    /// Notes that a message has arrived; returns whether there is a connection.
    mutating func hear(at now: HostTime) -> Bool {
      guard isGreeting || isOnline else { return false }
      lastHeard = now
      return true
    }

    mutating func enter(_ welcome: Welcome, at now: HostTime) {
      stage = .online(since: now)
      (joinsEarly, lostSince) = (false, nil)
      (token, device, limits) = (welcome.token, welcome.device, welcome.limits)
      (access, isProved) = (welcome.access, welcome.isProved)
    }

    /// Notes that joining a group has claimed the name.
    mutating func prove() { isProved = true }

    /// Lets the joining follow the welcome.
    mutating func joinLate() { joinsEarly = false }

    /// Notes that the connection is lost, or was not made; the server may ask to wait for a while.
    mutating func lose(again: Duration?, jitter: UInt64, at now: HostTime) {
      if case .online(let since) = stage {
        lostSince = now
        if now - since >= Self.proof { backOff = BackOff() }
      }
      let pause = backOff.pause(jitter: jitter)
      stage = .waiting(until: now + min(again ?? pause, Self.longestPause))
      joinsEarly = false
    }

    /// Notes that the server no longer knows the device.
    mutating func forget() { token = nil }
    mutating func close() { (stage, token) = (.closed, nil) }
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
