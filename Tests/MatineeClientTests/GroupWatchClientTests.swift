import EventLoops
import Logging
import MatineeClient
import Server
import Testing
import Vocabulary

/// The public library as an app uses it, against a real server on a thread of its own.
@Suite(.serialized) struct GroupWatchClientTests {
  private struct Film: MatineeClient.GroupActivity {
    var title: String
    static let activityIdentifier = "test.film"
    var metadata: GroupActivityMetadata { GroupActivityMetadata(title: title) }
    var media: MatineeClient.MediaItem? {
      MatineeClient.MediaItem(url: title + ".mp4", id: ItemID(title))
    }
  }

  private struct Asks: ActivationPrompt {
    let answer: ShareChoice
    func choose(_ metadata: GroupActivityMetadata) async -> ShareChoice { answer }
  }

  private struct ServerThread {
    let thread: LoopThread<MatineeServer>
    let endpoint: Endpoint

    init() async throws {
      let thread = try LoopThread { (loop) throws(UVError) in
        do throws(EndpointError) {
          return try MatineeServer(
            ServerConfiguration(endpoints: [.init(host: "127.0.0.1", port: 0)]), on: loop,
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        } catch {
          throw error.cause
        }
      }
      self.thread = thread
      let text = await withCheckedContinuation { continuation in
        thread.mailbox.post { continuation.resume(returning: $0.endpoints.first ?? "") }
      }
      endpoint = try #require(Endpoint(text))
    }

    func stop() {
      thread.mailbox.post { $0.stop() }
      thread.stop()
      thread.join()
    }
  }

  private func connect(_ name: String, _ server: ServerThread) async throws -> GroupWatchClient {
    var options = ClientOptions()
    options.playing = .simulated
    return try await GroupWatchClient.connect(
      to: server.endpoint,
      as: Identity(user: UserID("u-" + name), device: DeviceID("d-" + name), name: name),
      options: options)
  }

  private func eligible(_ client: GroupWatchClient) async {
    for await state in client.groupState.eligibility.values where state == .eligible { return }
  }

  private func withClients(
    _ body: (GroupWatchClient, GroupWatchClient) async throws -> Void
  ) async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    let ann = try await connect("Ann", server)
    let bob = try await connect("Bob", server)
    defer {
      ann.close()
      bob.close()
    }
    try await ann.joinGroup(GroupID("room"))
    try await bob.joinGroup(GroupID("room"))
    await eligible(ann)
    await eligible(bob)
    try await body(ann, bob)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an activity is prepared, activated, joined, watched and left`() async throws {
    try await withClients { ann, bob in
      let film = Film(title: "Metropolis")
      let prepared = try await film.prepareForActivation(
        on: ann, asking: Asks(answer: .share(remembers: false)))
      #expect(prepared == .activationPreferred)
      let dismissed = try await film.prepareForActivation(on: ann, asking: Asks(answer: .cancel))
      #expect(dismissed == .cancelled)
      let id = try await film.activate(on: ann)
      var sessions: [MatineeClient.GroupSession<Film>] = []
      for client in [ann, bob] {
        for await session in client.sessions(of: Film.self) {
          #expect(session.id == id && session.activity == film)
          try await session.join()
          for await state in session.state.values where state == .joined { break }
          sessions.append(session)
          break
        }
      }
      let (mine, theirs) = (sessions[0], sessions[1])
      #expect(mine.isLocallyInitiated && !theirs.isLocallyInitiated)
      for await people in mine.activeParticipants.values where people.count == 2 { break }

      let coordinator = PlaybackCoordinator(session: mine)
      for await status in coordinator.status.values where status != nil { break }
      try await coordinator.play()
      for await status in PlaybackCoordinator(session: theirs).status.values {
        if case .playing? = status?.phase { break }
      }
      try await PlaybackCoordinator(session: theirs).pause()
      for await status in coordinator.status.values {
        if case .paused? = status?.phase { break }
      }

      let notes = GroupSessionMessenger(session: theirs).messages(of: [Int].self)
      try await GroupSessionMessenger(session: mine).send([1, 2])
      for await (note, from:_) in notes {
        #expect(note == [1, 2])
        break
      }

      try await mine.update(activity: Film(title: "Nosferatu"))
      for await activity in theirs.activities where activity.title == "Nosferatu" { break }

      await theirs.leave()
      await theirs.leave()
      guard case .invalidated(let reason) = theirs.state.current else {
        Issue.record("\(theirs.state.current)")
        return
      }
      #expect(reason.description == "left")
      try await mine.end()
      for await state in mine.state.values {
        if case .invalidated(let reason) = state { #expect(reason.description == "endedBy") }
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `closing ends every call and every sequence`() async throws {
    try await withClients { ann, bob in
      let sessions = bob.sessions(of: Film.self)
      let states = bob.connection.values
      async let ends: Void = {
        for await _ in sessions {}
        for await _ in states {}
      }()
      bob.close()
      bob.close()
      await ends
      await #expect(throws: GroupWatchError.self) { try await bob.leaveGroup() }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `refusals are typed and say what to do`() async throws {
    try await withClients { ann, bob in
      try await Film(title: "A").activate(on: ann)
      do throws(GroupWatchError) {
        try await Film(title: "B").activate(on: bob)
        Issue.record("it was activated")
      } catch {
        #expect(error.code == .activityInProgress)
        #expect(!error.message.isEmpty && !error.advice.isEmpty)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a server that is not there is an error, in time`() async throws {
    let server = try await ServerThread()
    server.stop()
    var options = ClientOptions()
    options.connectTimeout = .milliseconds(400)
    do {
      _ = try await GroupWatchClient.connect(
        to: server.endpoint,
        as: Identity(user: UserID("u"), device: DeviceID("d"), name: "Ann"), options: options)
      Issue.record("it connected")
    } catch {
      #expect(error.code == .timedOut)
    }
  }
}
