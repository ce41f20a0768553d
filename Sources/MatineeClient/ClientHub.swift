import EventLoops
import GroupSessions
import InAppMessaging
import Participation
import Players
import TLS
import Transports
import UserNotifications
import Vocabulary
import Wire

/// The part of a client that runs on its loop's thread.
///
/// It gives each request a tag, passes outcomes to the callers that wait for them, and publishes
/// changes to the app's observers. Confined to its loop's thread.
final class ClientHub {
  typealias Completion = @Sendable (Client.Outcome) -> Void

  private struct Attached {
    let session: SessionID
    let number: Int
  }

  private let shared: SharedClientState
  private let loop: EventLoop
  private let clients: ClientLoop
  private(set) var participant: LoopParticipant?
  private var waiting: [Int: Completion] = [:]
  private var nextTag = 1
  private var cores: [SessionID: SessionCore] = [:]
  private let connecting: ConnectWait
  private var nextMessages: [PresentNextTag: @Sendable (PresentNextResult) -> Void] = [:]
  private var leases: [LeaseTag: @Sendable (LeaseTag?) -> Void] = [:]
  /// The app's player that belongs to a session.
  private var attached: Attached?
  private var retiring: [@Sendable () -> Void] = []
  /// Why the last local notification request was refused; `nil` if it was accepted.
  private var requestFault: NotificationRequest.Fault?

  init(
    _ settings: ClientSettings, at endpoint: Endpoint, under trust: TLSTrust?,
    options: ClientOptions, seed: UInt64, on loop: EventLoop, shared: SharedClientState
  ) {
    self.shared = shared
    self.loop = loop
    connecting = ConnectWait(on: loop)
    clients = ClientLoop(on: loop)
    participant = LoopParticipant(
      settings, at: endpoint, under: trust, on: clients, seed: seed, delegate: self
    ) { delegate in
      do throws(PlayerStartError) {
        return try options.makePlayer(seed: seed, on: loop, delegate: delegate)
      } catch {
        shared.playerEnd.set(.failed("\(error)"))
        return nil
      }
    }
    participant?.opensPathsOfOthers = options.opensPathsOfOthers || options.givesEveryURL
  }

  func start() { participant?.start() }

  /// Calls back once, with the outcome of the first connection.
  func connect(within limit: Duration, _ completion: @escaping ConnectWait.Completion) {
    connecting.begin(within: limit, completion)
  }

  /// Ends the wait for the first connection as cancelled.
  func cancelConnect() { connecting.end(.cancelled) }

  func ask(_ request: Request, _ completion: @escaping Completion) {
    guard let participant else { return completion(.failed(.closed)) }
    waiting[nextTag] = completion
    nextTag += 1
    participant.ask(request, tag: nextTag - 1)
  }

  func tell(_ report: PlayerReport, from number: Int) { ownPlayer?.tell(report, from: number) }

  /// Drives this player of the app's.
  ///
  /// - Returns: its reports, and the number that identifies them; `nil` if the client has a player
  ///   of another kind or the session is over.
  func attach(
    _ control: any PlaybackControl, for core: SessionCore?
  ) -> (number: Int, reports: AsyncStream<PlayerReport>)? {
    guard core?.invalidation == nil, let participant, let ownPlayer else { return nil }
    // Read first, because the player may report `loaded` while it is told to load.
    let reports = control.reports
    let number = ownPlayer.attach(
      control, isAlone: core == nil,
      isFollowing: core != nil || participant.value.session != nil)
    attached = core.map { Attached(session: $0.id, number: number) }
    participant.notePlayer(isAttached: true)
    return (number, reports)
  }

  func detach(_ number: Int) {
    if ownPlayer?.detach(number) == true { participant?.notePlayer(isAttached: false) }
  }

  private var ownPlayer: ControlledPlayer? { participant?.player as? ControlledPlayer }

  func look<Value>(_ body: (Client, HostTime) -> Value?) -> Value? {
    participant.flatMap { body($0.value, loop.now) }
  }

  /// Retires the person and calls back when the client is offline.
  func retire(within patience: Duration, _ completion: @escaping @Sendable () -> Void) {
    guard let participant else { return completion() }
    if case .offline = shared.connection.current {
      // The server has ended the client, which still shows and schedules what is the person's own.
      participant.take(.center(.userChanged))
      return completion()
    }
    retiring.append(completion)
    participant.take(.retire(within: patience))
  }

  /// Closes the client, and completes every pending call.
  func close() {
    participant?.close()
    participant = nil
    connecting.end(.failed(GroupWatchError(Client.Failure.closed)))
    for completion in waiting.values { completion(.failed(.closed)) }
    waiting = [:]
    for completion in nextMessages.values { completion(.empty) }
    nextMessages = [:]
    for completion in leases.values { completion(nil) }
    leases = [:]
    endRetiring()
    shared.finish()
  }

  /// Waits until the last bytes are sent, because the program may exit right after the callback.
  private func endRetiring() {
    let completions = retiring
    retiring = []
    guard !completions.isEmpty else { return }
    clients.connections.whenDrained {
      for completion in completions { completion() }
    }
  }

  // MARK: In-app messages

  func presentNext(_ completion: @escaping @Sendable (PresentNextResult) -> Void) {
    guard let participant else { return completion(.empty) }
    let tag = PresentNextTag(nextTag)
    nextTag += 1
    nextMessages[tag] = completion
    participant.take(.presenter(.presentNext(tag)))
  }

  func leaseScreen(_ completion: @escaping @Sendable (LeaseTag?) -> Void) {
    guard let participant else { return completion(nil) }
    let tag = LeaseTag(nextTag)
    nextTag += 1
    leases[tag] = completion
    participant.take(.presenter(.acquireLease(tag)))
  }
}

// MARK: Notifications

extension ClientHub {
  /// Schedules a local notification; returns why it was refused, or `nil`.
  func schedule(_ request: NotificationRequest) -> NotificationRequest.Fault? {
    requestFault = nil
    participant?.take(.center(.schedule(request)))
    return requestFault
  }
}

extension ClientHub: LoopParticipantDelegate {
  func participant(
    _ participant: LoopParticipant, didPublish update: Client.Update
  ) {
    switch update {
    case .connection(let state):
      shared.device.withLock { $0 = participant.value.device }
      shared.connection.set(ConnectionState(state))
      connecting.note(state)
      if case .offline = state { endRetiring() }
    case .credential(let state):
      shared.credential.take(state)
      connecting.note(shared.credential.problem.current)
    case .eligibility(let eligibility):
      shared.eligibility.set(eligibility)
      shared.desk.setCanShare(participant.value.canShare)
    case .clockQuality(let isPoor): shared.isClockPoor.set(isPoor)
    case .group(let group): take(group)
    case .rejoinFailed(let failure): shared.rejoinError.set(GroupWatchError(failure))
    case .groupKey(let key): shared.groupKey.set(key)
    case .pairingAsked(let name): shared.pairingRequest.set(name)
    case .activityNotice(let notice): shared.activityNotice.set(notice)
    case .outcome(let tag, let outcome): waiting.removeValue(forKey: tag)?(outcome)
    case .session(let id, let change):
      take(change, of: id, participant.value)
      shared.desk.setCanShare(participant.value.canShare)
    case .presenter(.answer(let tag, let result)): nextMessages.removeValue(forKey: tag)?(result)
    case .presenter(.lease(let tag, let isGranted)):
      leases.removeValue(forKey: tag)?(isGranted ? tag : nil)
    case .presenter(let output):
      shared.desk.take(output, playerAt: participant.playerState.reading?.position)
    case .messages(let visible, let stack):
      shared.desk.visible.update(visible)
      shared.desk.stack.update(stack)
    case .unsent(let what): shared.desk.events.send(.unsent(what))
    case .messagingAvailable(let isAvailable): shared.desk.isAvailable.set(isAvailable)
    case .noMatchingTrigger(let event):
      shared.desk.events.send(.noMatchingTrigger(event: event))
    case .center(.refuse(_, let fault)): requestFault = fault
    case .center(let output): shared.notifications.take(output)
    case .standing(let notifications): shared.notifications.delivered.update(notifications)
    case .object(let object, let mirror): shared.notifications.take(mirror, of: object)
    case .reportLost(let id, let report, let failure):
      shared.notifications.events.send(
        .reportLost(id, report, failure.map { GroupWatchError($0) }))
    }
  }

  func participant(_ participant: LoopParticipant, didLosePlayer reason: PlayerCloseReason) {
    shared.playerEnd.set(LocalPlayer.End(reason))
  }

  private func take(_ group: GroupSessions.Group?) {
    let objects = group?.objects.all ?? [:]
    shared.objects.update(Dictionary(uniqueKeysWithValues: objects.map { ($0.key, $0.value) }))
    shared.group.update(group.map(GroupSummary.init))
    if group != nil { shared.rejoinError.set(nil) }
    if let notice = shared.activityNotice.current, group?.session != notice.session {
      shared.activityNotice.set(nil)
    }
  }

  private func take(
    _ update: Client.SessionUpdate, of id: SessionID,
    _ value: Client
  ) {
    switch update {
    case .waiting(let offer) where cores[id] == nil:
      add(offer)
      return
    // This device left the session and joined it again by its identifier, so there was no offer.
    case .joined where cores[id] == nil:
      guard let session = value.session else { return }
      add(Offer(session)).take(update, session: session)
      return
    default: break
    }
    guard let core = cores[id] else { return }
    core.take(update, session: value.session)
    if case .invalidated = update {
      cores[id] = nil
      if let attached, attached.session == id {
        detach(attached.number)
        self.attached = nil
      }
      shared.sessions.set(shared.sessions.current.filter { $0 !== core })
      if shared.foregroundRequest.current?.session == id { shared.foregroundRequest.set(nil) }
    }
  }
}

extension ClientHub {
  @discardableResult
  private func add(_ offer: Offer) -> SessionCore {
    let core = SessionCore(offer, device: shared.device.withLock { $0 })
    cores[offer.session] = core
    shared.sessions.set(shared.sessions.current + [core])
    return core
  }
}

@available(*, unavailable)
extension ClientHub: Sendable {}

extension ClientOptions {
  /// Whether the player is the app's, which has to judge each URL itself.
  fileprivate var givesEveryURL: Bool { if case .app = playing { true } else { false } }

  /// Makes the player that these options select.
  fileprivate func makePlayer(
    seed: UInt64, on loop: EventLoop, delegate: any PlayerDelegate
  ) throws(PlayerStartError) -> (any Player)? {
    switch playing {
    case .nothing: return nil
    case .simulated: return SimulatedPlayerShell(seed: seed, on: loop, delegate: delegate)
    case .mpv(let title):
      var settings = MpvSettings()
      settings.executable = mpvProgram
      settings.output = title.map { .window(title: $0) } ?? .headless
      return try MpvPlayer(settings, on: loop, delegate: delegate)
    case .app: return ControlledPlayer(on: loop, delegate: delegate)
    }
  }
}

extension ConnectionState {
  init(_ state: Client.ConnectionState) {
    switch state {
    case .connecting(let problem): self = .connecting(problem)
    case .online: self = .online
    case .reconnecting(_, let problem): self = .reconnecting(problem)
    case .offline(let failure): self = .offline(GroupWatchError(failure))
    }
  }
}

extension Client {
  /// Whether media that plays here alone can be shared with the group now.
  fileprivate var canShare: Bool { eligibility == .eligible && session == nil }
}
