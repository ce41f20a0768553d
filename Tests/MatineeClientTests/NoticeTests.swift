import MatineeClient
import Testing

@Suite(.serialized, .hangLimit) struct NoticeTests {
  @Test func `everyone reads who did what`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let notices = sessions.map(\.notices)
      try await PlaybackCoordinator(session: sessions[1]).seek(to: .seconds(62))
      for (member, stream) in notices.enumerated() {
        for await notice in stream where notice.action == .sought(to: .seconds(62)) {
          #expect(notice.originator == sessions[1].localParticipant?.id)
          #expect(notice.description == "Bob went to 1:02")
          #expect(notice.isLocal == (member == 1))
          break
        }
      }
    }
  }

  @Test func `a notice is shown here, or to everyone, and is no message`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let notices = sessions.map(\.notices)
      let messages = GroupSessionMessenger(session: sessions[1]).messages(of: [String: String].self)
      try await sessions[0].showNotice("only me")
      try await sessions[0].showNotice("everyone", isBroadcast: true)
      try await GroupSessionMessenger(session: sessions[0]).send(["text": "a message"])
      var mine: [GroupSessionNotice.Action] = []
      for await notice in notices[0] {
        mine.append(notice.action)
        #expect(notice.isLocal && notice.name == "Ann")
        if notice.action == .custom("everyone") { break }
      }
      #expect(mine == [.custom("only me"), .custom("everyone")])
      for await notice in notices[1] {
        #expect(notice.action == .custom("everyone") && !notice.isLocal && notice.name == "Ann")
        break
      }
      for await (message, _) in messages {
        #expect(message == ["text": "a message"])
        break
      }
    }
  }

  @Test func `a session asks for its window until it has it, or is over`() async throws {
    try await Gathering.with { room in
      try await Film(title: "Metropolis").activate(on: room.ann)
      let session = try await room.bob.next()
      session.requestForegroundPresentation("log in")
      let request = try #require(room.bob.foregroundRequest.current)
      #expect(request.session == session.id && request.reason == "log in")
      #expect(request.title == "Metropolis")
      room.bob.fulfil(request)
      #expect(room.bob.foregroundRequest.current == nil)
      try await session.join()
      session.requestForegroundPresentation("pay")
      await session.leave()
      await room.bob.foregroundRequest.becomes { $0 == nil }
      session.requestForegroundPresentation("too late")
      #expect(room.bob.foregroundRequest.current == nil)
    }
  }

  @Test func `a person whose sound is late is ahead of the others by as much`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let coordinator = PlaybackCoordinator(session: sessions[0])
      await coordinator.status.becomes { $0 != nil }
      try await coordinator.play(immediately: true)
      for session in sessions {
        await PlaybackCoordinator(session: session).drift.becomes { $0 != nil }
      }
      room.ann.setPlayerOffset(.seconds(60))
      let asked = ContinuousClock.now
      let before = try #require(await PlaybackCoordinator(session: sessions[1]).expectedItemTime())
      let ahead = try #require(await coordinator.expectedItemTime())
      let passed = ContinuousClock.now - asked
      #expect(ahead - before > .seconds(4) && ahead - before < .seconds(6) + passed)
    }
  }
}
