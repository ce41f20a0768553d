import EventLoops
public import GroupSessions
import Participation
public import Vocabulary
import Wire

/// One device's connection to a server, over any number of sockets.
///
/// It reconnects and resumes automatically until ``close()``. Every call ends with a value or an
/// error, and closing ends all pending calls. A call whose task is cancelled still waits for its
/// answer, because the server may have carried it out.
public final class GroupWatchClient: Sendable {
  /// Who this client is, as the app says; see also ``device``.
  public let identity: Identity
  /// The store of the person's decisions about sharing; see ``SharingPreferenceStore``.
  public let sharingPreferences: any SharingPreferenceStore
  /// In-app messages on this device.
  public let inAppMessages: InAppMessages
  /// Notifications on this device, remote and local.
  public let notifications: UserNotificationCenter
  /// The client's own player, if ``ClientOptions/playing`` gives it one.
  public let player: LocalPlayer
  let endpoint: Endpoint
  let shared: SharedClientState
  private let thread: LoopThread<ClientHub>

  /// Connects, and waits until the server has accepted this device.
  ///
  /// - Throws: ``GroupWatchError/Code/timedOut`` with the last problem, if the options' timeout
  ///   passes; ``GroupWatchError/Code/credentialUnavailable`` if it passes without a token;
  ///   ``GroupWatchError/Code/cancelled`` if the task is cancelled; the server's error, if it
  ///   refuses this device or the person's tokens for good.
  public static func connect(
    to endpoint: Endpoint, as identity: Identity, options: ClientOptions = ClientOptions()
  ) async throws(GroupWatchError) -> GroupWatchClient {
    try await connect(to: endpoint, as: identity, options: options) { _ in }
  }

  /// Connects a client; `prepare` runs before the client receives anything.
  static func connect(
    to endpoint: Endpoint, as identity: Identity, options: ClientOptions,
    _ prepare: (GroupWatchClient) -> Void
  ) async throws(GroupWatchError) -> GroupWatchClient {
    let client = try GroupWatchClient(startingAt: endpoint, as: identity, options: options)
    prepare(client)
    let problem: GroupWatchError
    switch await client.waitUntilOnline(within: options.connectTimeout) {
    case .online: return client
    case .failed(let error): problem = error
    case .timedOut where client.shared.credential.isWaiting:
      problem = GroupWatchError(
        .credentialUnavailable, "the app has given no token for this person in time",
        advice: "look at what gives the app its tokens")
    case .timedOut(let last):
      problem = GroupWatchError(
        .timedOut, "cannot reach \(endpoint): \(last ?? "no answer in time")",
        advice: "check the address and the server")
    case .cancelled:
      problem = GroupWatchError(
        .cancelled, "the task that connected was cancelled", advice: "connect again")
    }
    client.close()
    throw problem
  }

  /// Starts to connect and returns at once, for an app that may start without a network.
  ///
  /// Requests are sent once the server is reached, or fail with ``GroupWatchError/Code/timedOut``.
  /// ``connection`` has the current state.
  ///
  /// - Parameters:
  ///   - endpoint: the server's address.
  ///   - identity: who this client is.
  ///   - options: the client's options; ``ClientOptions/connectTimeout`` is not used.
  /// - Throws: ``GroupWatchError/Code/playerUnavailable`` if the client's player cannot be started;
  ///   ``GroupWatchError/Code/invalidSecurity``; ``GroupWatchError/Code/tlsRequired`` if somebody
  ///   on the way could read the options' key or pairing code.
  public init(
    startingAt endpoint: Endpoint, as identity: Identity, options: ClientOptions = ClientOptions()
  ) throws(GroupWatchError) {
    let door = Locked<LoopMailbox<ClientHub>?>(nil)
    let take: @Sendable (Client.Input) -> Void = { input in
      _ = door.withLock { $0 }?.post { $0.participant?.take(input) }
    }
    let desk = MessageDesk(options.inAppMessages, take: take)
    let notificationDesk = NotificationDesk(options.notifications, take: take)
    let shared = SharedClientState(
      identity.device, desk, notificationDesk, CredentialDesk(options.credential, take: take))
    self.shared = shared
    self.endpoint = endpoint
    self.identity = identity
    sharingPreferences = options.sharingPreferences
    let settings = ClientSettings(identity, options)
    let seed = UInt64.random(in: .min ... .max)
    let trust = try options.trust(for: endpoint)
    do throws(UVError) {
      thread = try LoopThread { (loop) throws(UVError) in
        ClientHub(
          settings, at: endpoint, under: trust, options: options, seed: seed, on: loop,
          shared: shared)
      }
    } catch {
      throw GroupWatchError(
        .closed, "no thread could be started: \(error)", advice: "close some files or threads")
    }
    let mailbox = thread.mailbox
    door.withLock { $0 = mailbox }
    inAppMessages = InAppMessages(desk, mailbox)
    notifications = UserNotificationCenter(
      notificationDesk, mailbox, isPrivate: options.security.isPrivate(to: endpoint))
    player = LocalPlayer(mailbox, shared.playerEnd)
    if case .failed(let why)? = shared.playerEnd.current {
      throw GroupWatchError(.playerUnavailable, why, advice: "play with another player")
    }
    mailbox.post { $0.start() }
  }

  deinit { close() }

  /// Leaves the session and the group, sends what the app logged, unregisters, and closes.
  ///
  /// It ends this device's registration for notifications and returns when all of that has been
  /// sent. Use it before the program exits, and on logout. ``close()`` alone does not wait.
  ///
  /// - Parameter patience: how long to wait for a server that is slow or away.
  public func leave(within patience: Duration = .seconds(5)) async {
    await retire(within: patience)
    close()
    // The process may exit as soon as this call returns, and it must not exit while the thread
    // cleans up.
    _ = thread.join(within: Self.cleanUp)
  }

  /// How long to wait for a thread that has nothing left to do.
  ///
  /// That is short, unless the thread waits for a name server, which nothing can cancel.
  static let cleanUp = Duration.seconds(2)

  /// Closes the client: sessions are invalidated, pending calls fail, sequences finish.
  ///
  /// The call is idempotent.
  public func close() {
    thread.mailbox.post { $0.close() }
    thread.stop()
  }

  /// Tries to connect at once instead of after the pause between two attempts.
  ///
  /// Call it when the app returns to the foreground and when the network changed. While the client is
  /// online, it probes the connection instead, and replaces one that does not answer within 3 s; a
  /// healthy connection stays.
  public func reconnect() {
    thread.mailbox.post { $0.participant?.take(.reconnect) }
  }

  /// The state of the connection.
  public var connection: Observed<ConnectionState> { shared.connection }

  /// Whether the connection is so slow that this device may be more than 250 ms from the others, which
  /// people notice; tell the person.
  ///
  /// Where such a device pauses, the others do not follow to its frame. ``GroupClock/uncertainty`` is
  /// the exact bound.
  public var isClockPoor: Observed<Bool> { shared.isClockPoor }

  /// This device's identifier in ``GroupMember/device`` and ``Participant/device``.
  ///
  /// A server that knows people by their tokens makes it, and it is known once the client is online;
  /// otherwise it is the ``identity``'s.
  public var device: DeviceID { shared.device.withLock { $0 } }

  /// The last problem with the person's token, until the server has accepted one.
  ///
  /// Either ``ClientOptions/credential`` threw, or the server refused the token.
  public var credentialProblem: Observed<GroupWatchError?> { shared.credential.problem }

  /// The group, and whether an activity can be shared now.
  public var groupState: GroupStateObserver { GroupStateObserver(shared) }

  /// The session that asks to be brought to the front; `nil` for none.
  ///
  /// An app that runs in the background observes it and calls ``fulfil(_:)`` when it is done.
  public var foregroundRequest: Observed<ForegroundRequest?> { shared.foregroundRequest }

  /// Marks a request as done; nothing happens if it is no longer the current request.
  public func fulfil(_ request: ForegroundRequest) {
    if shared.foregroundRequest.current == request { shared.foregroundRequest.set(nil) }
  }

  /// The sessions of one activity type: the waiting and joined ones, then each new one.
  ///
  /// It skips a session whose activity cannot be decoded as this type, and one that is over before
  /// the reader gets to it. The sequence does not keep the client alive.
  public func sessions<Activity: GroupActivity>(
    of type: Activity.Type
  ) -> GroupSession<Activity>.Sessions {
    GroupSession<Activity>.Sessions(client: self)
  }

  /// Sets the delay between the player's reported position and what this person sees and hears.
  ///
  /// Bluetooth and soundbars cause such a delay; the player runs ahead by the offset. It affects
  /// this device only and is limited to ±5 s.
  public func setPlayerOffset(_ offset: Duration) {
    let held = ClientOptions.heldWithin(offset)
    thread.mailbox.post { $0.participant?.take(.setPlayerOffset(held)) }
  }
}

// MARK: The way to the client's thread

extension GroupWatchClient {
  @discardableResult
  func ask(
    _ request: Request, of core: SessionCore? = nil
  ) async throws(GroupWatchError) -> Answer {
    switch await outcome(of: request, core) {
    case .answered(let answer): return answer
    case .reported, .explained, .listed, .object: return .done(seq: nil)
    case .failed(let failure): throw GroupWatchError(failure)
    }
  }

  /// Joins, unless the session is over when the client's thread handles the request.
  ///
  /// Calls from several tasks arrive in any order, and a late join must not undo a leave.
  func join(
    _ core: SessionCore, handoffFrom other: ParticipantID? = nil
  ) async throws(GroupWatchError) {
    try await ask(.join(core.id, handoffFrom: other), of: core)
  }

  func outcome(
    of request: Request, _ core: SessionCore? = nil
  ) async -> Client.Outcome {
    await thread.mailbox.outcome(of: request, core)
  }

  func say(_ message: DroppableMessage, in core: SessionCore) {
    post(in: core) { $0.participant?.take(.say(message)) }
  }

  func attach(_ control: any PlaybackControl, for core: SessionCore) -> AttachedPlayer {
    AttachedPlayer(control, for: core, thread.mailbox)
  }

  func countDown(_ isWanted: Bool, of core: SessionCore) {
    post(in: core) { $0.participant?.take(.countdown(isWanted, of: core.id)) }
  }

  func reapply(of core: SessionCore) {
    post(in: core) { $0.participant?.take(.reapply(core.id)) }
  }

  /// Runs a job on the hub, unless the session is over by then.
  private func post(in core: SessionCore, _ job: @escaping LoopMailbox<ClientHub>.Job) {
    thread.mailbox.post { if core.invalidation == nil { job($0) } }
  }

  func setSharing(_ preference: SharingPreference?, type: String) {
    thread.mailbox.post { $0.participant?.take(.setSharing(preference, activityType: type)) }
  }

  /// Runs a query on the hub; `nil` once the client is closed or the session, if given, is over.
  func look<Value: Sendable>(
    in core: SessionCore? = nil, _ body: @escaping @Sendable (Client, HostTime) -> Value?
  ) async -> Value? {
    await thread.mailbox.value(otherwise: nil) { hub in
      core?.invalidation == nil ? hub.look(body) : nil
    }
  }

  /// Retires the person; returns once their data is sent, or after the time limit.
  func retire(within patience: Duration) async {
    await withCheckedContinuation { continuation in
      let isPosted = thread.mailbox.post { hub in
        hub.retire(within: patience) { continuation.resume() }
      }
      if !isPosted { continuation.resume() }
    }
  }

  private func waitUntilOnline(within limit: Duration) async -> ConnectWait.Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isPosted = thread.mailbox.post { hub in
          hub.connect(within: limit) { continuation.resume(returning: $0) }
        }
        if !isPosted { continuation.resume(returning: .cancelled) }
      }
    } onCancel: {
      thread.mailbox.post { $0.cancelConnect() }
    }
  }
}
