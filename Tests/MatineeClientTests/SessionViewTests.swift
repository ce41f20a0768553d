import MatineeClient
import Testing

/// What an app can show of a session: who waits for whom and why, and who may do what.
@Suite(.serialized, .hangLimit) struct SessionViewTests {
  @Test func `what a person may do follows their role and who controls the session`()
    async throws
  {
    try await Gathering.with { room in
      let sessions = try await room.watch(control: .hostsOnly)
      let (host, guest) = (sessions[0], sessions[1])
      #expect(
        host.permissions.isSuperset(of: [.controlPlayback, .endSession, .manageParticipants]))
      #expect(guest.permissions == [.sendMessages])
      #expect(!host.permissions.contains(.administer) && !host.permissions.contains(.closeGroup))

      try await host.setControlPolicy(.everyone)
      await guest.policies.becomes { $0.control == .everyone }
      #expect(guest.permissions.isSuperset(of: [.controlPlayback, .editQueue, .invite]))
      #expect(!guest.permissions.contains(.manageParticipants))

      try await host.setRole(.listener, of: try #require(guest.localParticipant))
      await guest.activeParticipants.becomes { $0.contains { $0.role == .listener } }
      #expect(guest.permissions.isEmpty)
      await guest.leave()
      await guest.state.becomes { $0 == .invalidated(.left) }
      #expect(guest.permissions.isEmpty)
    }
  }

  @Test func `a start tells for whom it waits and why`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let mine = PlaybackCoordinator(session: sessions[0])
      try await sessions[0].setWaitingPolicy(WaitingPolicy(reasons: [.userActionRequired]))
      let everyone = await sessions[0].activeParticipants.becomes {
        $0.count == 2 && $0.allSatisfy(\.isReadyToPlay)
      }
      #expect(everyone?.allSatisfy { $0.suspensions.isEmpty } == true)

      let suspension = try await PlaybackCoordinator(session: sessions[1]).beginSuspension(
        for: .userActionRequired)
      try await mine.play()
      let status = await mine.status.becomes {
        $0?.waitingFor.map(\.suspensionReasons) == [[.userActionRequired]]
      }
      let awaited = try #require(status??.waitingFor.first)
      #expect(awaited.name == "Bob" && awaited.id == sessions[1].localParticipant?.id)
      let bob = try #require(sessions[0].activeParticipants.current.first { $0.name == "Bob" })
      #expect(bob.suspensionReasons == [.userActionRequired] && !bob.isReadyToPlay)
      #expect(bob.suspensions.map(\.since) == [suspension.since])
      #expect(bob.suspensions.first?.isImposed == false)

      try await suspension.end()
      await mine.status.becomes { if case .playing? = $0?.phase { true } else { false } }
      #expect(mine.status.current?.waitingFor.isEmpty == true)
      await sessions[0].activeParticipants.becomes { $0.allSatisfy(\.isReadyToPlay) }
    }
  }

  @Test func `all who are ready start together, after a countdown that everybody sees`()
    async throws
  {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      for session in sessions {
        await PlaybackCoordinator(session: session).status.becomes { $0 != nil }
      }
      // Bob is not ready, so it does not start by itself.
      sessions[0].startWhenAllAreReady()
      for session in sessions {
        await session.startCountdown.becomes { $0?.name == "Ann" && $0?.starts == nil }
      }
      sessions[1].cancelStart()
      for session in sessions { await session.startCountdown.becomes { $0 == nil } }

      sessions[0].startWhenAllAreReady()
      await sessions[1].startCountdown.becomes { $0 != nil }
      try await sessions[1].setReadyToStart(true)
      for session in sessions {
        await PlaybackCoordinator(session: session).status.becomes {
          if case .playing? = $0?.phase { true } else { false }
        }
        await session.startCountdown.becomes { $0 == nil }
      }
    }
  }

  @Test func `a view that knows only the session finds its coordinator`() async throws {
    try await Gathering.with { room in
      let session = try await room.watch()[1]
      let found = try #require(room.bob.playbackCoordinator(of: session.id))
      try await found.play()
      await PlaybackCoordinator(session: session).status.becomes {
        if case .playing? = $0?.phase { true } else { false }
      }
      #expect(room.bob.playbackCoordinator(of: SessionID("another")) == nil)
      await session.leave()
      await session.state.becomes { $0 == .invalidated(.left) }
      #expect(room.bob.playbackCoordinator(of: session.id) == nil)
    }
  }

  @Test func `an item's advertisements are known beside its length`() async throws {
    try await Gathering.with { room in
      let range = InterstitialRange(start: .seconds(10), end: .seconds(20))
      let breaks = try #require(Interstitials([range]))
      let media = MediaItem(
        title: "Metropolis", url: "m.mp4", duration: .seconds(600), interstitials: breaks)
      try await MediaItemActivity(media).activate(on: room.ann)
      for await session in room.ann.sessions(of: MediaItemActivity.self) {
        try await session.join()
        let status = await PlaybackCoordinator(session: session).status.becomes {
          $0?.duration == .seconds(600) && $0?.interstitials == breaks
        }
        #expect(status != nil)
        break
      }
    }
  }
}
