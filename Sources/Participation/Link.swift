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
      /// The server has welcomed the client, and owes an answer if it is probed.
      case online(since: HostTime, probe: Probe? = nil)
      /// The next attempt starts at this time.
      case waiting(until: HostTime)
      /// The app has yet to give a credential; the attempt starts once it has.
      case wanting
      case closed
    }

    /// A ping whose answer shows that the connection still works.
    struct Probe: Equatable, Sendable {
      let sent: HostTime
      let until: HostTime
    }

    /// The limit for connecting, and for the welcome; together they take two round trips.
    private static let patience = Duration.seconds(10)
    /// The limit without any message: five missed pings at the longest interval of 2 s.
    ///
    /// Playback gets out of step long before TCP notices a dead connection.
    private static let silence = Duration.seconds(10)
    /// The limit for the answer to a probe: a phone's radio wakes within 2 s, and TCP repeats a lost
    /// packet within 1 s.
    private static let probePatience = Duration.seconds(3)
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
    /// Whether no connection was lost, and no attempt has failed since the back-off was reset.
    var isFirstAttempt: Bool { lostSince == nil && backOff.attempts == 0 }

    var nextDeadline: HostTime? {
      switch stage {
      case .idle, .wanting, .closed: nil
      case .connecting(let moment), .greeting(let moment), .waiting(let moment): moment
      case .online(_, nil): lastHeard + Self.silence
      case .online(_, let probe?): min(lastHeard + Self.silence, probe.until)
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

    /// Resets the back-off, and gives what is under way no longer than a probe takes.
    ///
    /// A second probe does not extend the first one: notices of a changed network come in bursts.
    mutating func probe(at now: HostTime) {
      backOff = BackOff()
      let due = now + Self.probePatience
      switch stage {
      case .connecting(let limit): stage = .connecting(until: min(limit, due))
      case .greeting(let limit): stage = .greeting(until: min(limit, due))
      case .online(let since, nil):
        stage = .online(since: since, probe: Probe(sent: now, until: due))
      case .idle, .online, .waiting, .wanting, .closed: break
      }
    }

    /// Notes an answer to a ping sent at this time; one to an earlier ping may be older than the
    /// change of the network.
    mutating func hearAnswer(to sent: HostTime) {
      guard case .online(let since, let probe?) = stage, sent >= probe.sent else { return }
      stage = .online(since: since)
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
      if case .online(let since, _) = stage {
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
