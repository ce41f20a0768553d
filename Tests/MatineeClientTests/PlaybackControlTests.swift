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
    let ann = try await Gathering.connect("Ann", to: server) { $0.playing = .app(player) }
    let bob = try await Gathering.connect("Bob", to: server)
    let room = Gathering(server: server, clients: [ann, bob])
    defer { for client in room.clients { client.close() } }
    for client in room.clients { try await client.joinGroup(GroupID("room")) }
    for client in room.clients { await client.isEligible() }
    let sessions = try await room.watch(film)
    await player.waits { $0.count >= 2 }
    #expect(player.actions == [.load(url: "Metropolis.mp4"), .seek(to: .zero)])
    player.forget()
    try await body(player, sessions.map { PlaybackCoordinator(session: $0) })
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
        guard case .seek(let place) = action, place > .seconds(60), place < latest() else {
          Issue.record("told \(action)")
          continue
        }
      }

      player.report(.paused)
      let paused = await coordinators[1].status.becomes {
        if case .paused? = $0?.phase { true } else { false }
      }
      guard case .paused(let place)? = paused??.phase else {
        Issue.record("nobody paused")
        return
      }
      #expect(place >= .seconds(60) && place < latest())
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
        guard let place = await coordinators[0].expectedItemTime() else { throw Ended() }
        player.report(.position(place + .seconds(30)))
      }
      let found = try await correction.value
      // The report ages until the client looks at it.
      #expect(found.error > .zero && found.error < .seconds(31), "\(found.error)")
    }
  }

  @Test func `a player in another's place is brought to the group again`() async throws {
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
      let place = try #require(await coordinators[0].expectedItemTime())
      guard case .seek(let target)? = player.actions.dropFirst().first else {
        Issue.record("\(player.actions)")
        return
      }
      #expect(player.actions.first == .pause)
      #expect(target >= .seconds(60) && target <= place + .seconds(1))
    }
  }
}

extension PlayerAction {
  fileprivate var isSeek: Bool { if case .seek = self { true } else { false } }
}
