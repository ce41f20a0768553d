@testable import MatineeClient
import Testing
import Vocabulary

@Suite(.serialized, .hangLimit) struct CoordinationManagerTests {
  private let sintel = MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4")
  private let bunny = MediaItem(title: "Bunny", url: "https://films.example/bunny.mp4")

  private func managers(
    _ room: Gathering, _ choice: ShareChoice = .share(remembers: false)
  ) -> [CoordinationManager<MediaItemActivity>] {
    room.clients.map { CoordinationManager(client: $0, prompt: Answers(choice)) }
  }

  // Proves: S11, S34
  @Test func `one starts it, the other has it, and each may change it`() async throws {
    try await Gathering.with { room in
      let managers = managers(room)
      let (mine, theirs) = (managers[0], managers[1])
      guard case .activated(.here(let id)) = try await mine.prepareToPlay(sintel) else {
        Issue.record("it was not activated")
        return
      }
      for manager in managers {
        await manager.enqueuedMedia.becomes { $0 == sintel }
        let session = await manager.session.becomes { $0 != nil }
        #expect(session??.id == id)
        await session??.state.becomes { $0 == .joined }
      }
      #expect(try await theirs.prepareToPlay(sintel) == .alreadyEnqueued)
      #expect(try await theirs.prepareToPlay(bunny) == .updatedSession(id))
      await mine.enqueuedMedia.becomes { $0 == bunny }

      await theirs.leave()
      await theirs.leave()
      #expect(theirs.session.current == nil && theirs.enqueuedMedia.current == nil)
      let left = try #require(mine.session.current)
      await left.activeParticipants.becomes { $0.count == 1 }
      try await left.end()
      await mine.session.becomes { $0 == nil }
      #expect(mine.enqueuedMedia.current == bunny, "what is shown is not torn away")
    }
  }

  @Test func `alone is enqueued here only, and can be shared later`() async throws {
    try await Gathering.with { room in
      let mine = CoordinationManager(
        client: room.ann, prompt: Answers(.onlyMe(remembers: false)))
      #expect(try await mine.prepareToPlay(sintel) == .local(.onlyMe))
      #expect(mine.enqueuedMedia.current == sintel && mine.session.current == nil)
      let again = CoordinationManager(client: room.ann)
      guard case .activated = try await again.prepareToPlay(sintel, at: .seconds(95)) else {
        Issue.record("it was not shared")
        return
      }
      let session = try #require(await mine.session.becomes { $0 != nil } ?? nil)
      let status = await PlaybackCoordinator(session: session).status.becomes { $0 != nil }
      #expect(status??.phase == .paused(at: .seconds(95)))
    }
  }

  @Test func `the same item played alone before is not taken for shared`() async throws {
    try await Gathering.with { room in
      try await room.ann.setSharing(false)
      await room.ann.groupState.eligibility.becomes { $0 != .eligible }
      let mine = CoordinationManager(client: room.ann)
      #expect(
        try await mine.prepareToPlay(sintel) == .local(.notEligible(.sharingDisabled)))
      try await room.ann.setSharing(true)
      await room.ann.isEligible()
      guard case .activated = try await mine.prepareToPlay(sintel) else {
        Issue.record("it was not shared")
        return
      }
    }
  }

  @Test func `cancelled changes nothing at all`() async throws {
    try await Gathering.with { room in
      let mine = CoordinationManager(client: room.ann, prompt: Answers(.cancel))
      let outcome = try await mine.prepareToPlay(sintel)
      #expect(outcome == .cancelled)
      #expect(mine.enqueuedMedia.current == nil && mine.session.current == nil)
      let status = try await room.ann.status()
      #expect(status.sessions.isEmpty)
    }
  }

  // Proves: W7
  @Test func `with something else going on, starting fails, and nothing is played alone`()
    async throws
  {
    try await Gathering.with { room in
      _ = try await room.watch()
      let theirs = CoordinationManager(client: room.bob)
      let code = await refusal { () throws(GroupWatchError) in
        _ = try await theirs.prepareToPlay(sintel)
      }
      #expect(code == .activityInProgress)
      #expect(theirs.enqueuedMedia.current == nil)
    }
  }

  // Proves: S28
  @Test func `who leaves the call loses the session, and who comes back may share again`()
    async throws
  {
    try await Gathering.with { room in
      let managers = managers(room)
      _ = try await managers[0].prepareToPlay(sintel)
      for manager in managers {
        let session = await manager.session.becomes { $0 != nil }
        await session??.activeParticipants.becomes { $0.count == 2 }
      }
      try await room.bob.leaveGroup()
      await managers[1].session.becomes { $0 == nil }
      await managers[0].session.current?.activeParticipants.becomes { $0.count == 1 }
      #expect(try await managers[1].prepareToPlay(bunny) == .local(.notEligible(.notInGroup)))
      #expect(managers[1].session.current == nil)

      await managers[0].leave()
      // Her connection's requests are answered in order: the session is over before this answer.
      _ = try await room.ann.status()
      try await room.bob.joinGroup(GroupID("room"))
      await room.bob.isEligible()
      // Bob hears of the end before the answer.
      #expect(try await room.bob.status().sessions.isEmpty)
      guard case .activated = try await managers[1].prepareToPlay(bunny) else {
        Issue.record("it was not shared")
        return
      }
      for manager in managers {
        await manager.enqueuedMedia.becomes { $0 == bunny }
        let session = await manager.session.becomes { $0 != nil }
        await session??.activeParticipants.becomes { $0.count == 2 }
      }
      try await room.ann.leaveGroup()
      await managers[0].session.becomes { $0 == nil }
    }
  }

  // Proves: S32
  @Test func `who starts something for the first time is asked, and then others are asked to join`()
    async throws
  {
    try await Gathering.with { room in
      let prompt = Counts()
      let mine = CoordinationManager(client: room.ann, prompt: prompt)
      let theirs = CoordinationManager(client: room.bob, prompt: prompt, joining: .byApp)
      guard case .activated(.here(let id)) = try await mine.prepareToPlay(sintel) else {
        Issue.record("it was not activated")
        return
      }
      #expect(await prompt.questions == ["Sintel"])
      // What nobody has joined yet does not end when somebody goes.
      let started = await mine.session.becomes { $0 != nil }
      await started??.state.becomes { $0 == .joined }
      let offered = await theirs.session.becomes { $0 != nil }
      #expect(offered??.id == id && offered??.state.current == .waiting)
      await mine.leave()
      await theirs.session.becomes { $0 == nil }
      guard case .activated = try await mine.prepareToPlay(bunny) else {
        Issue.record("it was not activated")
        return
      }
      #expect(await prompt.questions == ["Sintel"], "what was answered is remembered")
    }
  }

  @Test func `a session is not joined before the app can show it, if so wished`() async throws {
    try await Gathering.with { room in
      let theirs = CoordinationManager(client: room.bob, joining: .byApp)
      _ = try await CoordinationManager(client: room.ann).prepareToPlay(sintel)
      await theirs.enqueuedMedia.becomes { $0 == sintel }
      let session = try #require(theirs.session.current)
      #expect(session.state.current == .waiting)
      await theirs.leave()
      #expect(session.state.current == .invalidated(.declined))
    }
  }

  @Test func `who starts a session joins it also where guests are asked`() async throws {
    try await Gathering.with { room in
      let managers = room.clients.map { CoordinationManager(client: $0, joining: .byApp) }
      _ = try await managers[0].prepareToPlay(sintel)
      let mine = try #require(await managers[0].session.becomes { $0 != nil } ?? nil)
      await mine.state.becomes { $0 == .joined }
      let theirs = try #require(await managers[1].session.becomes { $0 != nil } ?? nil)
      #expect(theirs.state.current == .waiting)
    }
  }

  @Test func `an app's own activity is watched in the same way, alone and with others`()
    async throws
  {
    try await Gathering.with { room in
      let film = Film(title: "Nosferatu")
      let mine = CoordinationManager<Film>(
        client: room.ann, prompt: Answers(.onlyMe(remembers: false)))
      #expect(try await mine.prepareToPlay(film) == .local(.onlyMe))
      #expect(mine.enqueuedMedia.current == film.media)
      let theirs = CoordinationManager<Film>(client: room.bob, dismissalPolicy: .leavesOnly)
      guard case .activated = try await theirs.prepareToPlay(film) else {
        Issue.record("it was not shared")
        return
      }
      let session = try #require(await mine.session.becomes { $0 != nil } ?? nil)
      #expect(session.activity == film)
      await session.policies.becomes { $0.dismissal == .leavesOnly }
      #expect(mine.enqueuedMedia.current == film.media)
    }
  }

  @Test func `alone the player gets the item with its position, and sharing goes on from there`()
    async throws
  {
    try await Gathering.with { room in
      try await room.server.use([.watchPlayer])
      let notebook = Notebook()
      let prompt = AnswersInTurn([.onlyMe(remembers: false), .share(remembers: false)])
      let mine = CoordinationManager(client: room.ann, prompt: prompt)
      _ = try await mine.prepareToPlay(sintel, at: .seconds(95))
      var position: MediaTime?
      repeat {
        try Task.checkCancellation()
        position = await room.ann.player.reading()?.position
      } while position != .seconds(95)
      // The view comes late; the message opens all the same.
      room.ann.inAppMessages.delegate = notebook
      room.ann.inAppMessages.register("video", notebook)
      await notebook.waits(for: "didPresent Watch")
      #expect(notebook.shown.first?.message.session == nil)
      room.ann.player.seek(to: .seconds(120))
      repeat {
        try Task.checkCancellation()
        position = await room.ann.player.reading()?.position
      } while position != .seconds(120)
      notebook.view(.clicked(button: nil, action: .session(.startForAll)))
      let session = try #require(await mine.session.becomes { $0 != nil } ?? nil)
      let status = await PlaybackCoordinator(session: session).status.becomes { $0 != nil }
      #expect(status??.phase == .paused(at: .seconds(120)))
    }
  }

  @Test func `sharing goes on from where an app's own player was, although its view lets go of it`()
    async throws
  {
    try await Gathering.with(adjust: { $0.playing = .app }) { room in
      try await room.server.use([.watchPlayer])
      let player = AppPlayer()
      let attached = room.ann.player.attach(player)
      let notebook = Notebook { $0.onDismiss = { attached.detach() } }
      room.ann.inAppMessages.delegate = notebook
      room.ann.inAppMessages.register("video", notebook)
      let prompt = AnswersInTurn([.onlyMe(remembers: false), .share(remembers: false)])
      let mine = CoordinationManager(client: room.ann, prompt: prompt)
      _ = try await mine.prepareToPlay(sintel, at: .seconds(95))
      await player.waits { $0.contains(.seek(to: .seconds(95))) }
      await notebook.waits(for: "didPresent Watch")
      while await room.ann.player.reading()?.position != .seconds(95) {
        try Task.checkCancellation()
      }
      player.report(.seekFinished(at: .seconds(120)))
      while await room.ann.player.reading()?.position != .seconds(120) {
        try Task.checkCancellation()
      }
      notebook.view(.clicked(button: nil, action: .session(.startForAll)))
      let session = try #require(await mine.session.becomes { $0 != nil } ?? nil)
      let next = AppPlayer()
      let again = PlaybackCoordinator(session: session).coordinate(with: next)
      let status = await PlaybackCoordinator(session: session).status.becomes { $0 != nil }
      #expect(status??.phase == .paused(at: .seconds(120)))
      again.detach()
    }
  }

  @Test func `who stops watching alone has nothing open any more`() async throws {
    try await Gathering.with { room in
      let mine = CoordinationManager(client: room.ann, prompt: Answers(.onlyMe(remembers: false)))
      _ = try await mine.prepareToPlay(sintel)
      while await room.ann.player.reading() == nil { try Task.checkCancellation() }
      await mine.leave()
      while await room.ann.player.reading() != nil { try Task.checkCancellation() }
      #expect(mine.enqueuedMedia.current == nil)
    }
  }

  @Test(arguments: [false, true])
  func `what others begin or stage takes nothing from whoever watches alone`(isStaged: Bool)
    async throws
  {
    try await Gathering.with { room in
      let theirs = CoordinationManager(
        client: room.bob, prompt: Answers(.onlyMe(remembers: false)), joining: .byApp)
      _ = try await theirs.prepareToPlay(sintel)
      while await room.bob.player.reading() == nil { try Task.checkCancellation() }
      let other = MediaItemActivity(bunny)
      _ = try await isStaged ? other.stage(on: room.ann) : other.activate(on: room.ann)
      let offer = try #require(await theirs.session.becomes { $0 != nil } ?? nil)
      await theirs.enqueuedMedia.becomes { $0 == bunny }
      if !isStaged {
        try await offer.decline()
        await theirs.enqueuedMedia.becomes { $0 == sintel }
      }
      await theirs.leave()
      while await room.bob.player.reading() != nil { try Task.checkCancellation() }
      #expect(theirs.session.current == nil && theirs.enqueuedMedia.current == nil)
    }
  }

  @Test func `who leaves while the session is on its way is not fetched back by it`() async throws {
    try await Gathering.with { room in
      let mine = CoordinationManager(client: room.ann)
      guard case .activated(.here) = try await mine.prepareAndLeave(sintel) else {
        Issue.record("it was not activated")
        return
      }
      // Ann heard of it before this answer, and goes when it has come.
      _ = try await room.ann.status()
      await room.ann.shared.sessions.becomes(\.isEmpty)
      #expect(mine.session.current == nil && mine.enqueuedMedia.current == nil)
      // A join that was under way is taken back when its answer comes.
      var present: [UserID] = []
      repeat {
        let status = try await room.bob.status()
        present = status.sessions.flatMap { $0.participants.map(\.user) }
      } while !present.isEmpty
      #expect(mine.session.current == nil && mine.enqueuedMedia.current == nil)
    }
  }

  @Test func `who leaves while they are asked starts nothing`() async throws {
    try await Gathering.with { room in
      let prompt = Departs()
      let mine = CoordinationManager(client: room.ann, prompt: prompt)
      await prompt.departs(from: mine)
      #expect(try await mine.prepareToPlay(sintel) == .cancelled)
      let status = try await room.ann.status()
      #expect(status.sessions.isEmpty)
      #expect(mine.enqueuedMedia.current == nil && mine.session.current == nil)
    }
  }

  @Test func `closing the client ends what the manager tells`() async throws {
    try await Gathering.with { room in
      let mine = CoordinationManager(client: room.ann)
      let (media, errors) = (mine.enqueuedMedia.values, mine.joinError.values)
      room.ann.close()
      for await _ in media {}
      for await _ in errors {}
    }
  }
}

/// A person who answers one question after the other.
private actor AnswersInTurn: ActivationPrompt {
  private var choices: [ShareChoice]

  init(_ choices: [ShareChoice]) { self.choices = choices }

  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) -> ShareChoice {
    choices.isEmpty ? .cancel : choices.removeFirst()
  }
}

/// A person who shares from now on, and counts how often that was asked.
private actor Counts: ActivationPrompt {
  private(set) var questions: [String] = []

  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) -> ShareChoice {
    questions.append(metadata.title)
    return .share(remembers: true)
  }
}

/// A person who goes while they are asked, and shares all the same.
private actor Departs: ActivationPrompt {
  private weak var manager: CoordinationManager<MediaItemActivity>?

  func departs(from manager: CoordinationManager<MediaItemActivity>) { self.manager = manager }

  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) async -> ShareChoice {
    await manager?.leave()
    return .share(remembers: false)
  }
}

extension CoordinationManager<MediaItemActivity> {
  /// Leaves at once when the activation was answered, wherever its session is by then.
  fileprivate func prepareAndLeave(_ item: MediaItem) async throws -> PrepareOutcome {
    let outcome = try await prepareToPlay(item)
    await leave()
    return outcome
  }
}
