import EventLoops
import InAppMessaging
import MatineeClient
import Testing

/// Watching with the group by way of the message that hosts it: manager, messages and a real server.
@Suite(.serialized, .hangLimit) struct WatchMessageTests {
  private let sintel = MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4")
  private let bunny = MediaItem(title: "Bunny", url: "https://films.example/bunny.mp4")

  /// Two people with a manager and a player's view each.
  private func with(
    _ body: (Gathering, [CoordinationManager<MediaItemActivity>], [Notebook]) async throws -> Void
  ) async throws {
    try await Gathering.with { room in
      try await room.server.use([.watchPlayer])
      let notebooks = room.clients.map(notebook)
      let managers = room.clients.map { CoordinationManager(client: $0) }
      try await body(room, managers, notebooks)
    }
  }

  /// Gives somebody's app a player's view, and writes down what happens there.
  private func notebook(of client: GroupWatchClient) -> Notebook {
    let notebook = Notebook()
    client.inAppMessages.delegate = notebook
    client.inAppMessages.register("video", notebook)
    return notebook
  }

  // Proves: S3, S16, S22, S25, S29, S33, S35, R-34
  @Test func `a shared item opens the player for all, and its dismissal ends the watching`()
    async throws
  {
    try await with { room, managers, notebooks in
      _ = try await managers[0].prepareToPlay(sintel)
      for notebook in notebooks {
        await notebook.waits(for: "didPresent Watch")
        #expect(notebook.shown.first?.video?.url == sintel.url)
        #expect(notebook.shown.first?.video?.title == "Sintel")
      }
      let session = try #require(managers[1].session.current)
      #expect(room.bob.inAppMessages.visible.current?.session == session.id)
      notebooks[1].view(.closed(.button))
      await managers[1].enqueuedMedia.becomes { $0 == nil }
      #expect(managers[1].session.current == nil, "first there is no session, then no item")
      await session.state.becomes { $0 == .invalidated(.dismissed) }
      let mine = try #require(managers[0].session.current)
      await mine.activeParticipants.becomes { $0.count == 1 }

      notebooks[0].view(.closed(.button))
      await managers[0].enqueuedMedia.becomes { $0 == nil }
      #expect(managers[0].session.current == nil)
      let status = try await room.ann.status()
      #expect(status.sessions.isEmpty)
      for notebook in notebooks {
        await notebook.waits(for: "finished")
        #expect(notebook.lines.count { $0.hasPrefix("didPresent") } == 1)
      }
    }
  }

  // Proves: S1, S5, W9
  @Test func `behind the message all play together, one may step out, and one pause is everyone's`()
    async throws
  {
    try await with { room, managers, notebooks in
      _ = try await managers[0].prepareToPlay(sintel)
      var players: [PlaybackCoordinator] = []
      for (manager, notebook) in zip(managers, notebooks) {
        await notebook.waits(for: "didPresent Watch")
        players.append(PlaybackCoordinator(session: try #require(manager.session.current)))
      }
      try await players[0].play()
      var anchors: [PlaybackStatus.Phase] = []
      for player in players {
        let status = await player.status.becomes {
          if case .playing? = $0?.phase { true } else { false }
        }
        anchors.append(try #require(status??.phase))
      }
      #expect(anchors[0] == anchors[1], "one timeline for all")

      let call = try await players[1].beginSuspension(for: .audioSessionInterrupted)
      await players[1].status.becomes { $0?.isSuspended == true }
      #expect(players[0].status.current?.isSuspended == false)
      try await call.end()
      await players[1].status.becomes { $0?.isSuspended == false }

      try await players[1].pause()
      let paused = await players[0].status.becomes {
        if case .paused? = $0?.phase { true } else { false }
      }
      await players[1].status.becomes { $0?.phase == paused??.phase }
      for client in room.clients { #expect(client.inAppMessages.visible.current != nil) }
    }
  }

  /// How a message goes without a person's doing.
  enum Departure: CaseIterable {
    case viewReturns
    case appDismisses
  }

  @Test(arguments: Departure.allCases)
  func `a view that is done, and an app that dismisses the message, dismiss the session`(
    _ departure: Departure
  ) async throws {
    try await with { room, managers, notebooks in
      let session = try await close(departure, room, managers, notebooks)
      await session.state.becomes { $0 == .invalidated(.dismissed) }
      await managers[1].enqueuedMedia.becomes { $0 == nil }
      let mine = try #require(managers[0].session.current)
      await mine.activeParticipants.becomes { $0.count == 1 }
    }
  }

  @Test(arguments: Departure.allCases)
  func `the session goes on without its message if the app says so`(_ departure: Departure)
    async throws
  {
    try await with { room, managers, notebooks in
      room.bob.inAppMessages.leavesWithMessage = false
      try await checkSessionStays(after: departure, room, managers, notebooks)
    }
  }

  @Test func `the session goes on without its message if its manager says so`() async throws {
    try await Gathering.with { room in
      try await room.server.use([.watchPlayer])
      let notebooks = room.clients.map(notebook)
      let managers = [
        CoordinationManager(client: room.ann),
        CoordinationManager(client: room.bob, leavesWithMessage: false),
      ]
      try await checkSessionStays(after: .viewReturns, room, managers, notebooks)
    }
  }

  @Test func `the session goes on without its message if the client was made so`() async throws {
    try await Gathering.with(adjust: { $0.inAppMessages.leavesWithMessage = false }) { room in
      try await room.server.use([.watchPlayer])
      let notebooks = room.clients.map(notebook)
      let managers = room.clients.map { CoordinationManager(client: $0) }
      try await checkSessionStays(after: .appDismisses, room, managers, notebooks)
    }
  }

  @Test func `the session goes on without its message if the view says so`() async throws {
    try await with { room, managers, notebooks in
      _ = try await managers[0].prepareToPlay(sintel)
      await notebooks[1].waits(for: "didPresent Watch")
      notebooks[1].view(.detached(leavesSession: false))
      await notebooks[1].waits(for: "finished")
      try await isStillIn(managers[1], of: room.bob)
    }
  }

  @Test func `an app may dismiss a message and keep its session`() async throws {
    try await with { room, managers, notebooks in
      _ = try await managers[0].prepareToPlay(sintel)
      await notebooks[1].waits(for: "didPresent Watch")
      room.bob.inAppMessages.dismiss(leavesSession: false)
      await notebooks[1].waits(for: "finished")
      try await isStillIn(managers[1], of: room.bob)
    }
  }

  private func checkSessionStays(
    after departure: Departure, _ room: Gathering,
    _ managers: [CoordinationManager<MediaItemActivity>], _ notebooks: [Notebook]
  ) async throws {
    _ = try await close(departure, room, managers, notebooks)
    await notebooks[1].waits(for: "finished")
    try await isStillIn(managers[1], of: room.bob)
  }

  /// Shares an item, and has Bob's message of it go.
  private func close(
    _ departure: Departure, _ room: Gathering,
    _ managers: [CoordinationManager<MediaItemActivity>], _ notebooks: [Notebook]
  ) async throws -> GroupSession<MediaItemActivity> {
    if departure == .viewReturns { notebooks[1].script.withLock { $0.returns = true } }
    _ = try await managers[0].prepareToPlay(sintel)
    let session = try #require(await managers[1].session.becomes { $0 != nil } ?? nil)
    await notebooks[1].waits(for: "didPresent Watch")
    if departure == .appDismisses { room.bob.inAppMessages.dismiss() }
    return session
  }

  /// Whether somebody's session goes on, once the server has answered what came behind.
  private func isStillIn(
    _ manager: CoordinationManager<MediaItemActivity>, of client: GroupWatchClient
  ) async throws {
    let status = try await client.status()
    #expect(status.sessions.map(\.participants.count) == [2])
    #expect(manager.session.current?.state.current == .joined)
    #expect(manager.enqueuedMedia.current == sintel)
  }

  // Proves: S2
  @Test func `who is invited is asked first, and the player opens for those who join`()
    async throws
  {
    try await Gathering.with(["Ann", "Bob", "Cid"]) { room in
      try await room.server.use([.watchPlayer])
      let notebooks = room.clients.map(notebook)
      let managers = room.clients.map { CoordinationManager(client: $0, joining: .byApp) }
      _ = try await managers[0].prepareToPlay(sintel)
      await notebooks[0].waits(for: "didPresent Watch")
      var offers: [GroupSession<MediaItemActivity>] = []
      for manager in managers.dropFirst() {
        offers.append(try #require(await manager.session.becomes { $0 != nil } ?? nil))
      }
      for offer in offers { #expect(offer.state.current == .waiting) }
      let mine = try #require(managers[0].session.current)
      #expect(mine.activeParticipants.current.map(\.name) == ["Ann"])

      try await offers[0].join()
      await notebooks[1].waits(for: "didPresent Watch")
      await mine.activeParticipants.becomes { Set($0.map(\.name)) == ["Ann", "Bob"] }
      try await offers[1].decline()
      await offers[1].state.becomes { $0 == .invalidated(.declined) }
      #expect(notebooks[2].lines == [])
    }
  }

  // Proves, S27, S37
  @Test func `another item is shown in place, and an ended session takes the player along`()
    async throws
  {
    try await with { room, managers, notebooks in
      _ = try await managers[0].prepareToPlay(sintel)
      for notebook in notebooks { await notebook.waits(for: "didPresent Watch") }
      _ = try await managers[1].prepareToPlay(bunny)
      for notebook in notebooks { await notebook.waits(for: "update Watch") }
      #expect(notebooks[0].shown.last?.video?.url == bunny.url)
      try await #require(managers[0].session.current).end()
      for (notebook, manager) in zip(notebooks, managers) {
        await notebook.waits(for: "didDismiss")
        await manager.enqueuedMedia.becomes { $0 == nil }
        #expect(notebook.lines.contains("pause"))
        #expect(notebook.lines.count { $0.hasPrefix("didPresent") } == 1)
      }
    }
  }

  // Proves: S17, S21, S31, W4, W8
  @Test func `alone, the same message comes without a session, and can be shared later`()
    async throws
  {
    try await with { room, managers, notebooks in
      try await room.ann.setSharing(false)
      await room.ann.groupState.eligibility.becomes { $0 != .eligible }
      #expect(try await managers[0].prepareToPlay(sintel) == .local(.notEligible(.sharingDisabled)))
      await notebooks[0].waits(for: "didPresent Watch")
      #expect(room.ann.inAppMessages.visible.current?.session == nil)
      #expect(notebooks[0].shown.last?.buttons == [], "nobody is there to share it with")
      try await room.ann.setSharing(true)
      await notebooks[0].waits(for: "update Watch")
      #expect(notebooks[0].shown.last?.buttons.map(\.id) == ["share"])

      notebooks[0].view(.clicked(button: "share"))
      await notebooks[1].waits(for: "didPresent Watch")
      await notebooks[0].waits(for: "didPresent Watch", times: 2)
      #expect(room.ann.inAppMessages.visible.current?.session == managers[1].session.current?.id)
      #expect(managers[0].enqueuedMedia.current == sintel)
    }
  }

  // Proves: S21, S29
  @Test func `who dismisses what they watch alone watches nothing, and may begin again`()
    async throws
  {
    try await with { room, managers, notebooks in
      try await room.ann.setSharing(false)
      await room.ann.groupState.eligibility.becomes { $0 != .eligible }
      for time in 1...2 {
        _ = try await managers[0].prepareToPlay(sintel)
        await notebooks[0].waits(for: "didPresent Watch", times: time)
        notebooks[0].view(.closed(.escape))
        await managers[0].enqueuedMedia.becomes { $0 == nil }
      }
    }
  }

  // Proves: S23
  @Test func `cancelled shows nothing, logs nothing and starts nothing`() async throws {
    try await with { room, _, notebooks in
      let mine = CoordinationManager(client: room.ann, prompt: Answers(.cancel))
      #expect(try await mine.prepareToPlay(sintel) == .cancelled)
      let status = try await room.ann.status()
      #expect(status.sessions.isEmpty && notebooks[0].lines == [])
    }
  }

  // Proves: S8, S9, S14, W3
  @Test func `an item that may not be played opens nothing and is told, and everybody stays`()
    async throws
  {
    try await Gathering.with { room in
      try await room.server.use([.watchPlayer])
      let managers = room.clients.map { CoordinationManager(client: $0) }
      let page = MediaItem(title: "A page", url: "https://youtube.com/watch?v=1")
      _ = try await managers[0].prepareToPlay(page)
      for manager in managers {
        let session = try #require(await manager.session.becomes { $0 != nil } ?? nil)
        await session.activeParticipants.becomes { $0.count == 2 }
      }
      for client in room.clients {
        let notebook = notebook(of: client)
        await notebook.waits(for: "finished invalidContent")
        #expect(notebook.shown.isEmpty)
      }
      for manager in managers {
        #expect(manager.session.current?.activeParticipants.current.count == 2)
      }
    }
  }
}
