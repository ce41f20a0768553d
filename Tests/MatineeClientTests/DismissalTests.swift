import MatineeClient
import Server
import Testing

/// What an app sees of dismissals, against a real server.
@Suite(.serialized, .hangLimit) struct DismissalTests {
  @Test func `by default a guest's is a leaving, and the initiator's ends it for all`() async throws
  {
    try await Gathering.with(["Ann", "Bob", "Cid"]) { room in
      let sessions = try await room.watch()
      #expect(sessions[2].policies.current.dismissal == .endsWithInitiator)
      let notices = sessions[2].notices
      await sessions[1].dismiss()
      await sessions[1].dismiss()
      await sessions[1].leave()
      #expect(sessions[1].state.current == .invalidated(.dismissed))
      for await notice in notices where notice.action == .dismissed {
        #expect(notice.description == "Bob dismissed it")
        break
      }
      await sessions[0].activeParticipants.becomes { $0.count == 2 }

      let ann = try #require(sessions[0].localParticipant)
      await sessions[0].dismiss()
      #expect(sessions[0].state.current == .invalidated(.dismissed))
      await sessions[2].state.becomes { $0 == .invalidated(.ended(.dismissedBy(ann.id))) }
      await sessions[2].dismiss()
      #expect(sessions[2].state.current == .invalidated(.ended(.dismissedBy(ann.id))))
      #expect(try await room.ann.status().sessions.isEmpty)
    }
  }

  @Test func `whoever activates it says what a dismissal does, and may change that`() async throws {
    try await Gathering.with { room in
      let film = Film(title: "Metropolis")
      try await film.activate(on: room.ann, dismissalPolicy: .endsForEveryone)
      let (mine, theirs) = (try await room.ann.next(), try await room.bob.next())
      for session in [mine, theirs] {
        try await session.join()
        await session.state.becomes { $0 == .joined }
        #expect(session.policies.current.dismissal == .endsForEveryone)
      }
      let byGuest = await refusal { () throws(GroupWatchError) in
        try await theirs.setDismissalPolicy(.leavesOnly)
      }
      #expect(byGuest == .forbidden)
      try await mine.setDismissalPolicy(.leavesOnly)
      await theirs.policies.becomes { $0.dismissal == .leavesOnly }
      await mine.dismiss()
      await theirs.activeParticipants.becomes { $0.count == 1 }
      #expect(theirs.state.current == .joined)
      await theirs.dismiss()
      #expect(try await room.bob.status().sessions.isEmpty, "the last one out ended it")
    }
  }

  @Test func `what is staged says it, too`() async throws {
    try await Gathering.with { room in
      try await Film(title: "Tonight").stage(on: room.ann, dismissalPolicy: .leavesOnly)
      let session = try await room.bob.next()
      try await session.activateStaged()
      try await session.join()
      await session.policies.becomes { $0.dismissal == .leavesOnly }
    }
  }

  @Test func `where nobody says, the server's word counts`() async throws {
    try await Gathering.with(server: { $0.endDismissedSessions() }) { room in
      let sessions = try await room.watch()
      #expect(sessions[0].policies.current.dismissal == .endsForEveryone)
      let bob = try #require(sessions[1].localParticipant)
      await sessions[1].dismiss()
      await sessions[0].state.becomes { $0 == .invalidated(.ended(.dismissedBy(bob.id))) }
    }
  }

  @Test func `the ready-made flow forgets the session, then the item, and dismisses once`()
    async throws
  {
    try await Gathering.with { room in
      let item = MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4")
      let managers = room.clients.map { CoordinationManager(client: $0) }
      _ = try await managers[0].prepareToPlay(item)
      for manager in managers {
        let session = await manager.session.becomes { $0 != nil }
        await session??.state.becomes { $0 == .joined }
        await manager.enqueuedMedia.becomes { $0 == item }
      }
      let (mine, theirs) = (
        try #require(managers[0].session.current), try #require(managers[1].session.current)
      )
      let ann = try #require(mine.localParticipant)
      await managers[0].dismiss()
      await managers[0].dismiss()
      #expect(managers[0].session.current == nil && managers[0].enqueuedMedia.current == nil)
      #expect(mine.state.current == .invalidated(.dismissed))
      await theirs.state.becomes { $0 == .invalidated(.ended(.dismissedBy(ann.id))) }
      await managers[1].session.becomes { $0 == nil }
    }
  }
}
