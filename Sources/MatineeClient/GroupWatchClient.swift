import EventLoops
public import GroupSessions
import Participation
import Playback
import Vocabulary
import Wire

/// One device's connection to a server, over any number of sockets.
///
/// It reconnects by itself and resumes what it was; it never gives up until ``close()``. Every
/// call ends with a value or an error, and closing ends all that wait. A call whose task is
/// cancelled still waits for its answer, since the server may have carried it out.
public final class GroupWatchClient: Sendable {
  /// Who this client is.
  public let identity: Identity
  /// What the person decided once and for all about sharing; see ``SharingPreferenceStore``.
  public let sharingPreferences: any SharingPreferenceStore
  /// In-app messages on this device.
  public let inAppMessages: InAppMessages
  /// Notifications on this device, of the server's and of its own.
  public let notifications: UserNotificationCenter
  /// The client's own player, if ``ClientOptions/playing`` gives it one.
  public let player: LocalPlayer
  let endpoint: Endpoint
  let shared: SharedClientState
  private let thread: LoopThread<ClientHub>

  /// Connects, and waits until the server knows this device.
  ///
  /// - Throws: ``GroupWatchError/Code/timedOut`` with what went wrong last, if that took longer
  ///   than the options allow; ``GroupWatchError/Code/cancelled`` if the task was cancelled; what
  ///   the server said, if it will never take this device.
  public static func connect(
    to endpoint: Endpoint, as identity: Identity, options: ClientOptions = ClientOptions()
  ) async throws(GroupWatchError) -> GroupWatchClient {
    try await connect(to: endpoint, as: identity, options: options) { _ in }
  }

  /// Connects a client that was prepared before anything can reach it.
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

  /// Begins to connect, and does not wait: for an app that starts where there may be no network yet.
  ///
  /// What is asked before the server is reached is sent then, or fails with
  /// ``GroupWatchError/Code/timedOut``. ``connection`` tells how it stands.
  ///
  /// - Parameters:
  ///   - endpoint: where the server is.
  ///   - identity: who this client is.
  ///   - options: how it behaves; ``ClientOptions/connectTimeout`` does not count.
  /// - Throws: ``GroupWatchError/Code/playerUnavailable`` if its player cannot be started.
  public init(
    startingAt endpoint: Endpoint, as identity: Identity, options: ClientOptions = ClientOptions()
  ) throws(GroupWatchError) {
    let door = Locked<LoopMailbox<ClientHub>?>(nil)
    let take: @Sendable (Client.Input) -> Void = { input in
      _ = door.withLock { $0 }?.post { $0.participant?.take(input) }
    }
    let desk = MessageDesk(options.inAppMessages, take: take)
    let notificationDesk = NotificationDesk(options.notifications, take: take)
    let shared = SharedClientState(desk, notificationDesk)
    self.shared = shared
    self.endpoint = endpoint
    self.identity = identity
    sharingPreferences = options.sharingPreferences
    let settings = ClientSettings(identity, options)
    let seed = UInt64.random(in: .min ... .max)
    do throws(UVError) {
      thread = try LoopThread { (loop) throws(UVError) in
        ClientHub(
          settings, at: endpoint, playing: options.playing, seed: seed, on: loop, shared: shared)
      }
    } catch {
      throw GroupWatchError(
        .closed, "no thread could be started: \(error)", advice: "close some files or threads")
    }
    let mailbox = thread.mailbox
    door.withLock { $0 = mailbox }
    inAppMessages = InAppMessages(desk, mailbox)
    notifications = UserNotificationCenter(notificationDesk, mailbox)
    player = LocalPlayer(mailbox, shared.playerEnd)
    if case .failed(let why)? = shared.playerEnd.current {
      throw GroupWatchError(.playerUnavailable, why, advice: "play with another player")
    }
    if case .app(let control) = options.playing { relay(control.reports) }
  }

  deinit { close() }

  /// Leaves the session and the group, says what the app logged, has no more notifications come to this
  /// device, and closes; returns when that has been sent.
  ///
  /// For a program that ends then, and for a person who logs out. ``close()`` alone does not wait.
  ///
  /// - Parameter patience: how long a server that is slow or away is told of what the app logged.
  public func leave(within patience: Duration = .seconds(5)) async {
    await retire(within: patience)
    close()
    // A moment: nothing is left to do there. The process may end as soon as this returns, and must not
    // while the thread puts things away.
    thread.join()
  }

  /// Ends everything: sessions are invalidated, waiting calls fail, sequences finish.
  ///
  /// A second call does nothing.
  public func close() {
    thread.mailbox.post { $0.close() }
    thread.stop()
  }

  /// How the connection stands.
  public var connection: Observed<ConnectionState> { shared.connection }

  /// Whether an activity can be shared now, and the group.
  public var groupState: GroupStateObserver { GroupStateObserver(shared) }

  /// The session that wants its window in front; `nil` for none.
  ///
  /// An app that runs in the background observes it, and says ``fulfil(_:)`` when it is done.
  public var foregroundRequest: Observed<ForegroundRequest?> { shared.foregroundRequest }

  /// Says that the window is in front; a request that is no longer the current one stays as it is.
  public func fulfil(_ request: ForegroundRequest) {
    if shared.foregroundRequest.current == request { shared.foregroundRequest.set(nil) }
  }

  /// The sessions of a type of activity: those that wait or go on, then each new one.
  ///
  /// A session whose activity cannot be read as this type is not delivered, nor is one that is over
  /// before the reader comes to it. The sequence does not keep the client alive.
  public func sessions<Activity: GroupActivity>(
    of type: Activity.Type
  ) -> GroupSession<Activity>.Sessions {
    GroupSession<Activity>.Sessions(client: self)
  }

  /// Sets how much later than the player says this person sees and hears it, such as over Bluetooth
  /// or behind a soundbar: the player runs ahead by as much.
  ///
  /// It concerns this device alone. It is held within five seconds either way.
  public func setPlayerOffset(_ offset: Duration) {
    thread.mailbox.post { $0.setPlayerOffset(ClientOptions.heldWithin(offset)) }
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

  /// Joins, unless the session is over here by the time the request is its thread's turn: calls from
  /// several tasks come in any order, and what was left is not joined by the slower one.
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

  func say(_ message: DroppableMessage) {
    thread.mailbox.post { $0.say(message) }
  }

  func reapply(of session: SessionID) { thread.mailbox.post { $0.reapply(of: session) } }

  func setSharing(_ preference: SharingPreference?, type: String) {
    thread.mailbox.post { $0.setSharing(preference, type: type) }
  }

  /// Asks the hub something; `nil` once the client is closed.
  func look<Value: Sendable>(
    _ body: @escaping @Sendable (Client, HostTime) -> Value?
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let isPosted = thread.mailbox.post { hub in
        continuation.resume(returning: hub.look(body))
      }
      if !isPosted { continuation.resume(returning: nil) }
    }
  }

  /// Has the person go; returns once everything of theirs is said, or it took too long.
  func retire(within patience: Duration) async {
    await withCheckedContinuation { continuation in
      let isPosted = thread.mailbox.post { hub in
        hub.retire(within: patience) { continuation.resume() }
      }
      if !isPosted { continuation.resume() }
    }
  }

  private func relay(_ reports: AsyncStream<PlayerReport>) {
    let mailbox = thread.mailbox
    Task {
      for await report in reports {
        guard mailbox.post({ $0.tell(report) }) else { return }
      }
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
