package import GroupSessions
package import InAppMessaging
package import Vocabulary
import Wire

/// The whole server as one value: inputs go in, outputs come out, and it touches nothing.
///
/// It has no clock, no socket, no disk and no randomness of its own: the shell hands it the time,
/// and fresh random numbers through ``refill(with:)``. The same coordinator runs in production, in
/// a simulation with virtual time, and in a test.
///
/// Every change of a group or a session goes through the journal: a decision is appended, and
/// takes effect, is sent and is answered only once the shell reports it kept.
package struct Coordinator: Sendable {
  let limits: Limits
  /// The server's name and version, for its welcome.
  let server: String
  /// What a dismissal does to sessions whose initiator did not say.
  let dismissalPolicy: DismissalPolicy
  /// The instant of the input at hand: one input, one instant.
  var now = Instant(microseconds: 0)
  var peers = PeerTable()
  var devices = PagedTable<DeviceID, Device>()
  var groups = PagedTable<GroupID, GroupRoom>()
  var sessions = PagedTable<SessionID, SessionRoom>()
  var users = PagedTable<UserID, UserRoom>()
  var trays = PagedTable<UserID, TrayRoom>()
  var trayIndex = TrayIndex()
  /// How often a person was forgotten so far.
  var erasures: UInt64 = 0
  /// Who makes room for somebody new.
  var absentees = Absentees()
  /// Whose tray makes room for somebody new.
  var trayAbsentees = Absentees()
  var pastTraces = PastTraces()
  /// `nil` where the server sends no messages.
  var campaigns: CampaignSet?
  let messagingPolicy: MessagingPolicy
  let notifications: NotificationSettings
  var tombstones = Tombstones()
  var deadlines = Deadlines<DeadlineSubject>()
  var outputs: [Output] = []
  private var entropy: [UInt64] = [] {
    didSet { wantedEntropy = entropy.count < 32 ? 128 - entropy.count : 0 }
  }
  /// How many devices said hello so far, other than to resume.
  var lives: UInt32 = 0
  var isStopping = false

  /// A server that nobody is connected to.
  ///
  /// - Parameters:
  ///   - limits: its bounds.
  ///   - server: its name and version.
  ///   - dismissalPolicy: what a dismissal does to new sessions whose initiator does not say.
  ///   - messaging: how messages behave.
  ///   - notifications: how notifications are kept and sent.
  package init(
    limits: Limits = Limits(), server: String = "matinee",
    dismissalPolicy: DismissalPolicy = .endsWithInitiator,
    messaging: MessagingPolicy = MessagingPolicy(),
    notifications: NotificationSettings = NotificationSettings()
  ) {
    self.limits = limits
    self.server = server
    self.dismissalPolicy = dismissalPolicy
    messagingPolicy = messaging
    self.notifications = notifications
  }

  // The shell asks for these two around each input. They are stored: computed, each was computed on
  // a copy of the whole coordinator, together a twelfth of a command's instructions.

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for time to pass.
  package private(set) var nextDeadline: Instant?
  /// How many fresh random numbers the coordinator would like; hand them over before an input.
  package private(set) var wantedEntropy = 128

  /// Takes in fresh random numbers, for identifiers and secrets; use a generator fit for secrets.
  package mutating func refill(with numbers: some Sequence<UInt64>) {
    entropy.append(contentsOf: numbers)
  }

  /// Takes one input in and says what is to be done, in order.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - instant: when; must not be earlier than the one before.
  package mutating func handle(_ input: Input, at instant: Instant) -> [Output] {
    now = max(now, instant)
    switch input {
    case .recovered(let recovery): recover(recovery)
    case .connected(let peer): connect(peer)
    case .received(let peer, let message): receive(message, from: peer)
    case .malformed(let peer, let id, let error): refuseLine(from: peer, id, error)
    case .disconnected(let peer): disconnect(peer)
    case .appended(let append, let outcome): take(append, outcome)
    case .campaigns(let campaigns): take(campaigns)
    case .pushEnded(let attempt, let result): take(result, of: attempt)
    case .clockAdvanced: advanceClock()
    case .stop(let isResumable): stop(isResumable)
    }
    nextDeadline = Instant.earlier(peers.next(limits)?.deadline, deadlines.earliest)
    defer { outputs = [] }
    return outputs
  }

  private mutating func advanceClock() {
    closeSilent()
    while let subject = deadlines.popDue(at: now) {
      switch subject {
      case .group(let id): wake(id, GroupLanes.self)
      case .session(let id): wake(id, SessionLanes.self)
      case .user(let id): wake(id, UserLanes.self)
      case .tray(let id): wake(id, TrayLanes.self)
      case .stop: closeAll()
      }
    }
  }

  private mutating func stop(_ isResumable: Bool) {
    guard !isStopping else { return }
    isStopping = true
    guard !isResumable else { return closeAll() }
    for id in sessions.keys.sorted() {
      perform(.terminate(.serverShutdown), on: id)
    }
    deadlines.arm(.stop, at: now + limits.drainDeadline)
    closeIfDone()
  }

  /// The last word to every peer comes after the ends of the sessions.
  mutating func closeIfDone() {
    if isStopping, sessions.isEmpty { closeAll() }
  }

  private mutating func closeAll() {
    deadlines.forget(.stop)
    for peer in peers.keys { close(peer, .shuttingDown) }
  }
}

// MARK: Sending and minting

extension Coordinator {
  mutating func send(_ message: ServerMessage, to peer: PeerID) {
    outputs.append(.send(message, to: .one(peer)))
  }

  mutating func send(_ message: ServerMessage, to device: DeviceID) {
    guard let peer = devices[device]?.peer else { return }
    send(message, to: peer)
  }

  mutating func send(_ message: ServerMessage, toAll audience: [PeerID]) {
    guard !audience.isEmpty else { return }
    outputs.append(.send(message, to: .many(audience)))
  }

  mutating func freshNumber() -> UInt64 {
    guard let number = entropy.popLast() else {
      preconditionFailure("refill(with:) was not called before this input")
    }
    return number
  }

  mutating func mintText(prefix: String) -> String {
    prefix + "-" + mintedText(freshNumber(), digits: 12)
  }
}
