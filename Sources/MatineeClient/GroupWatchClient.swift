import EventLoops
import GroupSessions
import Participation
import Playback
public import Vocabulary
import Wire

/// One device's connection to a server, over any number of sockets.
///
/// It reconnects by itself and resumes what it was; it never gives up until ``close()``. Every
/// call ends with a value or an error, and closing ends all that wait.
public final class GroupWatchClient: Sendable {
  let shared: SharedClientState
  private let thread: LoopThread<ClientHub>

  /// Connects, and waits until the server knows this device.
  ///
  /// - Throws: ``GroupWatchError/Code/timedOut`` with what went wrong last, if that took longer
  ///   than the options allow.
  public static func connect(
    to endpoint: Endpoint, as identity: Identity, options: ClientOptions = ClientOptions()
  ) async throws(GroupWatchError) -> GroupWatchClient {
    let client = try GroupWatchClient(endpoint, identity, options)
    if let problem = await client.problemBeforeOnline(within: options.connectTimeout) {
      client.close()
      throw GroupWatchError(
        .timedOut, "cannot reach \(endpoint): \(problem)",
        advice: "check the address and the server")
    }
    return client
  }

  private init(
    _ endpoint: Endpoint, _ identity: Identity, _ options: ClientOptions
  ) throws(GroupWatchError) {
    let shared = SharedClientState()
    self.shared = shared
    var settings = ParticipantSettings(
      user: identity.user, device: identity.device, name: identity.name)
    settings.playerOffset = options.playerOffset
    settings.pausesWhileReconnecting = options.pausesWhileReconnecting
    settings.pausesAfterSession = options.pausesAfterSession
    settings.joinTimeout = options.joinTimeout
    if case .nothing = options.playing { settings.hasPlayer = false }
    let seed = UInt64.random(in: .min ... .max)
    do throws(UVError) {
      thread = try LoopThread { [settings] (loop) throws(UVError) in
        ClientHub(
          settings, at: endpoint, playing: options.playing, seed: seed, on: loop, shared: shared)
      }
    } catch {
      throw GroupWatchError(
        .closed, "no thread could be started: \(error)", advice: "close some files or threads")
    }
    if case .app(let control) = options.playing { relay(control.reports) }
  }

  deinit { close() }

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

  /// Joins a group, which opens with its first member: the stand-in for a call.
  public func joinGroup(_ id: GroupID) async throws(GroupWatchError) {
    try await ask(.joinGroup(id))
  }

  /// Leaves the group, and with it any session.
  public func leaveGroup() async throws(GroupWatchError) {
    try await ask(.leaveGroup)
  }

  /// The sessions of a type of activity: those that wait or go on, then each new one.
  ///
  /// A session whose activity cannot be read as this type is not delivered.
  public func sessions<Activity: GroupActivity>(
    of type: Activity.Type
  ) -> AsyncStream<GroupSession<Activity>> {
    let arrivals = shared.arrivals.elements
    let (stream, continuation) = AsyncStream<GroupSession<Activity>>.makeStream()
    let pump = Task { [weak self] in
      var known: Set<SessionID> = []
      for core in self?.shared.sessions ?? [] {
        known.insert(core.id)
        if let self, let session = GroupSession<Activity>(core, self) {
          continuation.yield(session)
        }
      }
      for await core in arrivals where known.insert(core.id).inserted {
        if let self, let session = GroupSession<Activity>(core, self) {
          continuation.yield(session)
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in pump.cancel() }
    return stream
  }
}

// MARK: The way to the client's thread

extension GroupWatchClient {
  @discardableResult
  func ask(_ request: Request) async throws(GroupWatchError) -> Answer {
    let outcome = await withCheckedContinuation { continuation in
      let isPosted = thread.mailbox.post { hub in
        hub.ask(request) { continuation.resume(returning: $0) }
      }
      if !isPosted { continuation.resume(returning: .failed(.closed)) }
    }
    switch outcome {
    case .answered(let answer): return answer
    case .reported: return .done(seq: nil)
    case .failed(let failure): throw GroupWatchError(failure)
    }
  }

  func say(_ message: DroppableMessage) {
    thread.mailbox.post { $0.say(message) }
  }

  func setSharing(_ preference: SharingPreference, type: String) {
    thread.mailbox.post { $0.setSharing(preference, type: type) }
  }

  /// Asks the hub something; `nil` once the client is closed.
  func look<Value: Sendable>(
    _ body: @escaping @Sendable (Participation.Participant, HostTime) -> Value?
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let isPosted = thread.mailbox.post { hub in
        continuation.resume(returning: hub.look(body))
      }
      if !isPosted { continuation.resume(returning: nil) }
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

  /// Waits until the client is online; else what went wrong last.
  private func problemBeforeOnline(within limit: Duration) async -> String? {
    let states = connection.values
    return await withTaskGroup(of: String?.self) { group in
      group.addTask {
        for await state in states {
          switch state {
          case .online: return nil
          case .offline(let problem): return problem
          case .connecting, .reconnecting: continue
          }
        }
        return "cancelled"
      }
      group.addTask { [connection] in
        do { try await Task.sleep(for: limit) } catch { return "cancelled" }
        guard case .connecting(let problem?) = connection.current else {
          return "no answer in time"
        }
        return problem
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
