import Coordination
import InAppMessaging
import MatineeClient
import Server
import Testing

/// A server, and people in one group on it, as apps see them.
struct Gathering {
  let server: ServerThread
  let clients: [GroupWatchClient]

  var ann: GroupWatchClient { clients[0] }
  var bob: GroupWatchClient { clients[1] }

  /// Runs with people who are all eligible, and puts everything away.
  static func with(
    _ names: [String] = ["Ann", "Bob"],
    notifications: NotificationSettings = NotificationSettings(),
    server configure: @Sendable (inout ServerConfiguration) -> Void = { _ in },
    adjust: @Sendable (inout ClientOptions) -> Void = { _ in },
    _ body: (Gathering) async throws -> Void
  ) async throws {
    let server = try await ServerThread(notifications: notifications, configure: configure)
    defer { server.stop() }
    var clients: [GroupWatchClient] = []
    defer { for client in clients { client.close() } }
    for name in names { clients.append(try await connect(name, to: server, adjust: adjust)) }
    for client in clients { try await client.joinGroup(GroupID("room")) }
    for client in clients { await client.isEligible() }
    try await body(Gathering(server: server, clients: clients))
  }

  /// One device; a name such as `Ann/tv` is Ann's device `tv`.
  static func connect(
    _ name: String, to server: ServerThread,
    adjust: @Sendable (inout ClientOptions) -> Void = { _ in }
  ) async throws -> GroupWatchClient {
    var options = ClientOptions()
    options.playing = .simulated
    // Other tests keep the threads that delegates and views run on for minutes.
    options.inAppMessages.patience = PresenterPatience(.seconds(900))
    options.notifications.handlerPatience = .seconds(900)
    // A credential's closure runs there, too, and so do apps' tasks.
    options.connectTimeout = .seconds(900)
    options.joinTimeout = .seconds(900)
    adjust(&options)
    let person = String(name.split(separator: "/")[0])
    return try await GroupWatchClient.connect(
      to: server.endpoint,
      as: Identity(user: UserID("u-" + person), device: DeviceID("d-" + name), name: person),
      options: options)
  }

  /// Everyone in one session of a film, the first of them having started it.
  func watch(
    _ film: Film = Film(title: "Metropolis"), control: ControlPolicy = .everyone
  ) async throws -> [GroupSession<Film>] {
    try await film.activate(on: ann, control: control)
    var sessions: [GroupSession<Film>] = []
    for client in clients {
      let session = try await client.next()
      try await session.join()
      await session.state.becomes { $0 == .joined }
      sessions.append(session)
    }
    for session in sessions {
      await session.activeParticipants.becomes { $0.count == clients.count }
    }
    return sessions
  }
}

/// Something to watch.
struct Film: GroupActivity {
  var title: String
  static let activityIdentifier = "test.film"
  var metadata: GroupActivityMetadata { GroupActivityMetadata(title: title) }
  var media: MediaItem? { MediaItem(item: ItemID(title), url: title + ".mp4") }
}

/// A person who always gives the same answer.
struct Answers: ActivationPrompt {
  let choice: ShareChoice

  init(_ choice: ShareChoice) { self.choice = choice }

  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) async -> ShareChoice {
    choice
  }
}

extension Observed {
  /// Waits until the value is as wanted; at the end of the sequence it gives up.
  @discardableResult
  func becomes(_ isWanted: (Value) -> Bool) async -> Value? {
    for await value in values where isWanted(value) { return value }
    Issue.record("it ended as \(current)")
    return nil
  }
}

extension GroupWatchClient {
  func isEligible() async {
    await groupState.eligibility.becomes { $0 == .eligible }
    #expect(groupState.isEligibleForGroupSession)
  }

  /// The first session of a film that waits or goes on here.
  func next() async throws -> GroupSession<Film> {
    for await session in sessions(of: Film.self) { return session }
    throw Ended()
  }
}

/// A sequence was over before what was waited for came.
struct Ended: Error {}

/// Does what is refused, and says how.
func refusal(of body: () async throws(GroupWatchError) -> Void) async -> GroupWatchError.Code? {
  do throws(GroupWatchError) {
    try await body()
    return nil
  } catch {
    return error.code
  }
}
