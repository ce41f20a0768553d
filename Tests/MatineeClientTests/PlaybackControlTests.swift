import EventLoops
import MatineeClient
import Testing

/// An app's own player, driven by a group over TCP.
@Suite(.serialized, .hangLimit) struct PlaybackControlTests {
  private let film = Film(title: "Metropolis")

  /// Ann with an app's player, and Bob, in a session of a film.
  private func with(
    _ body: (AppPlayer, [PlaybackCoordinator]) async throws -> Void
  ) async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    let player = AppPlayer()
    let ann = try await Gathering.connect("Ann", to: server) { $0.playing = .app }
    let bob = try await Gathering.connect("Bob", to: server)
    let room = Gathering(server: server, clients: [ann, bob])
    defer { for client in room.clients { client.close() } }
    for client in room.clients { try await client.joinGroup(GroupID("room")) }
    for client in room.clients { await client.isEligible() }
    let coordinators = try await room.watch(film).map { PlaybackCoordinator(session: $0) }
    let attached = coordinators[0].coordinate(with: player)
    await player.waits { $0.count >= 2 }
    #expect(player.actions == [.load(url: "Metropolis.mp4"), .seek(to: .zero)])
    player.forget()
    try await body(player, coordinators)
    attached.detach()
  }

  @Test func `a player belongs to the view that shows it, and the next one takes its place`()
    async throws
  {
    try await with { first, coordinators in
      try await coordinators[1].seek(to: .seconds(60))
      await first.waits { $0.contains(.seek(to: .seconds(60))) }
      let second = AppPlayer()
      let attached = coordinators[0].coordinate(with: second)
      await second.waits { $0.contains(.seek(to: .seconds(60))) }
      #expect(second.actions.first == .load(url: "Metropolis.mp4"))
      #expect(first.actions.last == .unload)
      // What the first one still tells is about nothing.
      first.report(.seeked(to: .seconds(5)))
      try await coordinators[1].play()
      await second.waits { $0.contains(.play(rate: 1)) }
      attached.detach()
      await second.waits { $0.last == .unload }
      await coordinators[1].status.becomes {
        if case .playing? = $0?.phase { true } else { false }
      }
    }
  }

  @Test func `alone, the next view's player goes on where the last one was`() async throws {
    try await Gathering.with(adjust: { $0.playing = .app }) { room in
      let (first, second, third) = (AppPlayer(), AppPlayer(), AppPlayer())
      let player = room.ann.player
      let attached = player.attach(first)
      player.load(
        MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4"), at: .seconds(95))
      await first.waits { $0.contains(.seek(to: .seconds(95))) }
      while await player.reading()?.position != .seconds(95) { try Task.checkCancellation() }
      first.report(.position(.seconds(99)))
      while await player.reading()?.position != .seconds(99) { try Task.checkCancellation() }
      attached.detach()
      await first.waits { $0.last == .unload }
      let again = player.attach(second)
      await second.waits { $0.contains(.seek(to: .seconds(99))) }
      again.detach()
      await second.waits { $0.last == .unload }
      // What is ordered meanwhile counts.
      player.seek(to: .seconds(10))
      let last = player.attach(third)
      await third.waits { $0.contains(.seek(to: .seconds(10))) }
      last.detach()
    }
  }

  @Test func `a player that begins its reports with each view is heard from the first on`()
    async throws
  {
    try await Gathering.with(adjust: { $0.playing = .app }) { room in
      let player = room.ann.player
      player.load(
        MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4"), at: .seconds(95))
      let attached = player.attach(PlayerOfAView())
      while await player.reading()?.position != .seconds(95) { try Task.checkCancellation() }
      attached.detach()
    }
  }

  @Test func `where a player was in one session is nothing to the next one`() async throws {
    try await Gathering.with(adjust: { $0.playing = .app }) { room in
      let (first, second) = (AppPlayer(), AppPlayer())
      let session = try await room.watch(film)[0]
      let attached = PlaybackCoordinator(session: session).coordinate(with: first)
      await first.waits { $0.contains(.load(url: "Metropolis.mp4")) }
      try await PlaybackCoordinator(session: session).seek(to: .seconds(60))
      await first.waits { $0.contains(.seek(to: .seconds(60))) }
      try await session.end()
      await first.waits { $0.last == .unload }
      let next = PlaybackCoordinator(session: try await room.watch(film)[0])
      let again = next.coordinate(with: second)
      await second.waits { $0.contains(.seek(to: .zero)) }
      let status = await next.status.becomes { $0 != nil }
      #expect(status??.phase == .paused(at: .zero))
      #expect(!second.actions.contains(.seek(to: .seconds(60))))
      withExtendedLifetime((attached, again)) {}
    }
  }

  @Test func `a player without the group's speed steps out, and comes back with one it has`()
    async throws
  {
    try await with { first, coordinators in
      let slow = AppPlayer()
      slow.rates = .normal ... .normal
      let attached = coordinators[0].coordinate(with: slow)
      await slow.waits { !$0.isEmpty }
      try await coordinators[1].setRate(1.5)
      try await coordinators[1].play()
      await coordinators[0].status.becomes {
        $0?.suspensionReasons == [.coordinatedPlaybackNotPossible]
      }
      let others = coordinators[1].status.current
      #expect(others?.isSuspended == false, "\(String(describing: others))")
      try await coordinators[1].setRate(1)
      await coordinators[0].status.becomes { $0?.isSuspended == false }
      attached.detach()
      withExtendedLifetime(first) {}
    }
  }

  @Test func `the range of live content moves on with the group's time`() async throws {
    try await Gathering.with(adjust: { $0.playing = .app }) { room in
      let player = AppPlayer()
      player.opensItems = false
      let coordinator = PlaybackCoordinator(session: try await room.watch(film)[0])
      let attached = coordinator.coordinate(with: player)
      await player.waits { $0.contains(.load(url: "Metropolis.mp4")) }
      player.report(.loaded(duration: nil, noise: .zero))
      player.report(.seekWindow(.seconds(10) ... .seconds(100), slides: true))
      let clock = try #require(await room.clients[0].groupClock())
      await coordinator.status.becomes { $0?.seekableRange(at: clock.now()) != nil }
      let status = try #require(coordinator.status.current)
      let later = clock.now() + .seconds(60)
      let range = try #require(status.seekableRange(at: later))
      #expect(range.upperBound - range.lowerBound == .seconds(90))
      #expect(range.upperBound > .seconds(160))
      #expect(
        status.seekableRange(at: later + .seconds(5))?.lowerBound == range.lowerBound + .seconds(5))
      attached.detach()
    }
  }

  @Test(arguments: [false, true])
  func `whoever shows no player steers`(hasShownOne: Bool) async throws {
    try await Gathering.with(adjust: { $0.playing = .app }) { room in
      let coordinators = try await room.watch(film).map { PlaybackCoordinator(session: $0) }
      if hasShownOne {
        let player = AppPlayer()
        let attached = coordinators[0].coordinate(with: player)
        await player.waits { $0.contains(.seek(to: .zero)) }
        attached.detach()
        await player.waits { $0.last == .unload }
      }
      try await coordinators[0].seek(to: .seconds(60))
      try await coordinators[0].play()
      await coordinators[1].status.becomes {
        if case .playing? = $0?.phase { true } else { false }
      }
      try await coordinators[0].pause()
      await coordinators[1].status.becomes {
        if case .paused? = $0?.phase { true } else { false }
      }
      #expect(coordinators[0].status.current?.isSuspended == false)
    }
  }

  @Test func `a player that is attached in a session opens nothing from before`() async throws {
    try await Gathering.with(adjust: { $0.playing = .app }) { room in
      room.ann.player.load(MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4"))
      let session = try await room.watch(film)[0]
      let player = AppPlayer()
      let attached = PlaybackCoordinator(session: session).coordinate(with: player)
      await player.waits { $0.count >= 2 }
      #expect(player.actions == [.load(url: "Metropolis.mp4"), .seek(to: .zero)])
      attached.detach()
    }
  }

  @Test func `a player is let go of with its session`() async throws {
    try await Gathering.with(adjust: { $0.playing = .app }) { room in
      let player = AppPlayer()
      let session = try await room.watch(film)[0]
      let attached = PlaybackCoordinator(session: session).coordinate(with: player)
      await player.waits { !$0.isEmpty }
      await session.leave()
      await player.waits { $0.last == .unload }
      attached.detach()
    }
  }

  @Test func `it goes along, and what its person does is everyone's`() async throws {
    try await with { player, coordinators in
      try await coordinators[1].seek(to: .seconds(60))
      let began = ContinuousClock.now
      try await coordinators[1].play()
      await player.waits { $0.contains(.play(rate: 1)) }
      let told = player.actions.prefix { $0 != .play(rate: 1) }
      #expect(told.first == .seek(to: .seconds(60)))
      // On a busy machine it may be late, and is then taken on to where the others are: no further
      // than time has gone, and the second or two that a seek is given to end.
      let latest = { MediaTime.seconds(62) + (ContinuousClock.now - began) }
      for action in told.dropFirst() {
        guard case .seek(let position) = action, position > .seconds(60), position < latest() else {
          Issue.record("told \(action)")
          continue
        }
      }

      player.report(.paused)
      let paused = await coordinators[1].status.becomes {
        if case .paused? = $0?.phase { true } else { false }
      }
      guard case .paused(let position)? = paused??.phase else {
        Issue.record("nobody paused")
        return
      }
      #expect(position >= .seconds(60) && position < latest())
    }
  }

  @Test func `what is played before any player has opened it is played once one has`() async throws
  {
    try await Gathering.with(adjust: { $0.playing = .app }) { room in
      let player = AppPlayer()
      let sessions = try await room.watch(film)
      let session = sessions[0]
      let coordinator = PlaybackCoordinator(session: session)
      let attached = coordinator.coordinate(with: player)
      await coordinator.status.becomes { $0?.item == ItemID("Metropolis") }
      // Whoever takes part without a player counts as having the film open.
      for other in sessions.dropFirst() { await other.leave() }
      await session.activeParticipants.becomes { $0.count == 1 }
      player.opensItems = false
      try await session.update(activity: Film(title: "Nosferatu"))
      await player.waits { $0.contains(.load(url: "Nosferatu.mp4")) }
      #expect(session.activity.title == "Nosferatu")
      #expect(coordinator.status.current?.item == ItemID("Metropolis"))
      let command = Task.immediate { try await coordinator.play() }
      player.open()
      try await command.value
      let status = await coordinator.status.becomes {
        if case .playing? = $0?.phase { true } else { false }
      }
      #expect(status??.item == ItemID("Nosferatu"))
      attached.detach()
    }
  }

  @Test func `the app learns how far off its player was and what is done about it`() async throws {
    try await with { player, coordinators in
      let corrections = coordinators[0].corrections
      let correction = Task {
        for await correction in corrections where correction.kind == .seek { return correction }
        throw Ended()
      }
      try await coordinators[1].play()
      await player.waits { $0.contains(.play(rate: 1)) }
      player.forget()
      // The player runs half a minute ahead of the group.
      while !player.actions.contains(where: \.isSeek) {
        try Task.checkCancellation()
        guard let position = await coordinators[0].expectedItemTime() else { throw Ended() }
        player.report(.position(position + .seconds(30)))
      }
      let found = try await correction.value
      // The report ages until the client looks at it.
      #expect(found.error > .zero && found.error < .seconds(31), "\(found.error)")
    }
  }

  @Test func `a player at another position is brought to the group again`() async throws {
    try await with { player, coordinators in
      try await coordinators[1].seek(to: .seconds(60))
      await player.waits { $0 == [.seek(to: .seconds(60))] }
      player.forget()
      coordinators[0].reapply()
      await player.waits { $0.count >= 2 }
      #expect(player.actions == [.pause, .seek(to: .seconds(60))])

      try await coordinators[1].play()
      await player.waits { $0.contains(.play(rate: 1)) }
      player.forget()
      coordinators[0].reapply()
      await player.waits { $0.contains(.play(rate: 1)) }
      let position = try #require(await coordinators[0].expectedItemTime())
      guard case .seek(let target)? = player.actions.dropFirst().first else {
        Issue.record("\(player.actions)")
        return
      }
      #expect(player.actions.first == .pause)
      #expect(target >= .seconds(60) && target <= position + .seconds(1))
    }
  }
}

/// A player that begins a new sequence of reports each time it is attached, and obeys at once.
private final class PlayerOfAView: PlaybackControl {
  private let reporter = Locked<AsyncStream<PlayerReport>.Continuation?>(nil)

  var reports: AsyncStream<PlayerReport> {
    let (stream, reporter) = AsyncStream.makeStream(of: PlayerReport.self)
    self.reporter.withLock { $0 = reporter }
    return stream
  }

  func perform(_ action: PlayerAction) {
    let report: PlayerReport? =
      switch action {
      case .load: .loaded(duration: .seconds(600), noise: .zero)
      case .seek(let position): .seekFinished(at: position)
      case .unload, .play, .pause, .setRate: nil
      }
    if let report { _ = reporter.withLock { $0?.yield(report) } }
  }
}

extension PlayerAction {
  fileprivate var isSeek: Bool { if case .seek = self { true } else { false } }
}
