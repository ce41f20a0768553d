import MatineeClient
import Server
import Testing

/// The public library as an app uses it, against a real server on a thread of its own.
@Suite(.serialized, .hangLimit) struct GroupWatchClientTests {
  @Test func `an activity is prepared, activated, joined, watched and left`() async throws {
    try await Gathering.with { room in
      let film = Film(title: "Metropolis")
      let prepared = try await film.prepareForActivation(
        on: room.ann, asking: Answers(.share(remembers: false)))
      #expect(prepared == .activationPreferred)
      let sessions = try await room.watch(film)
      let (mine, theirs) = (sessions[0], sessions[1])
      #expect(mine.id == theirs.id && mine.activity == film && theirs.activity == film)
      #expect(mine.isLocallyInitiated && !theirs.isLocallyInitiated)

      let coordinator = PlaybackCoordinator(session: mine)
      await coordinator.status.becomes { $0 != nil }
      try await coordinator.play()
      await PlaybackCoordinator(session: theirs).status.becomes {
        if case .playing? = $0?.phase { true } else { false }
      }
      await PlaybackCoordinator(session: theirs).drift.becomes { $0 != nil }
      try await PlaybackCoordinator(session: theirs).pause()
      await coordinator.status.becomes {
        if case .paused? = $0?.phase { true } else { false }
      }

      try await mine.update(activity: Film(title: "Nosferatu"), ifRevision: mine.revision)
      for await change in theirs.activityChanges where change.activity.title == "Nosferatu" {
        #expect(change.by == mine.localParticipant?.id && change.revision == mine.revision)
        break
      }
      let stale = await refusal { () throws(GroupWatchError) in
        try await theirs.update(activity: film, ifRevision: 1)
      }
      #expect(stale == .conflict)

      await theirs.leave()
      await theirs.leave()
      #expect(theirs.state.current == .invalidated(.left))
      let me = try #require(mine.localParticipant)
      try await mine.end()
      await mine.state.becomes { $0 == .invalidated(.ended(.endedBy(me.id))) }
    }
  }

  @Test func `what is asked right after joining waits for the player, and is done`() async throws {
    try await Gathering.with { room in
      try await Film(title: "Metropolis").activate(on: room.ann)
      let session = try await room.ann.next()
      try await session.join()
      let coordinator = PlaybackCoordinator(session: session)
      try await coordinator.seek(to: .seconds(60))
      try await coordinator.play(rate: 1.25)
      await coordinator.status.becomes {
        if case .playing? = $0?.phase { $0?.rate == 1.25 } else { false }
      }
    }
  }

  @Test func `what was left is not joined by a call that comes late`() async throws {
    try await Gathering.with { room in
      try await Film(title: "Metropolis").activate(on: room.ann)
      let session = try await room.ann.next()
      await session.leave()
      let code = await refusal { () throws(GroupWatchError) in try await session.join() }
      #expect(code == .invalidated)
      #expect(session.state.current == .invalidated(.declined))
      let status = try await room.ann.status()
      #expect(status.sessions.allSatisfy { $0.participants.isEmpty })
    }
  }

  @Test func `messages arrive with who sent them, and in order`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let notes = GroupSessionMessenger(session: sessions[1]).messages(of: [Int].self)
      let messenger = GroupSessionMessenger(session: sessions[0])
      for number in 1...3 { try await messenger.send([number]) }
      try await GroupSessionMessenger(session: sessions[0], deliveryMode: .unreliable).send([4])
      var expected = 1
      for await (note, context) in notes {
        #expect(note == [expected] && context.missedBefore == 0)
        #expect(context.source.id == sessions[0].localParticipant?.id)
        #expect((context.seq == nil) == (expected == 4))
        expected += 1
        if expected > 4 { break }
      }
    }
  }

  @Test func `a reader that is too slow is told how many messages it missed`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let notes = GroupSessionMessenger(session: sessions[1]).messages(of: Int.self)
      let done = GroupSessionMessenger(session: sessions[1]).messages(of: String.self)
      let messenger = GroupSessionMessenger(session: sessions[0])
      async let isDone: Void = {
        for await (text, _) in done where text == "done" { return }
      }()
      for number in 1...300 { try await messenger.send(number) }
      try await messenger.send("done")
      await isDone
      var iterator = notes.makeAsyncIterator()
      let first = try #require(await iterator.next())
      #expect(first.0 == 46 && first.1.missedBefore == 45)
      let second = try #require(await iterator.next())
      #expect(second.0 == 47 && second.1.missedBefore == 0)
    }
  }

  @Test func `closing ends every call and every sequence`() async throws {
    try await Gathering.with { room in
      let sessions = room.bob.sessions(of: Film.self)
      let states = room.bob.connection.values
      async let ends: Void = {
        for await _ in sessions {}
        for await _ in states {}
      }()
      room.bob.close()
      room.bob.close()
      await ends
      await #expect(throws: GroupWatchError.self) { try await room.bob.leaveGroup() }
    }
  }

  @Test func `a loop over sessions does not keep the client alive`() async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    var client: GroupWatchClient? = try await Gathering.connect("Ann", to: server)
    let sessions = try #require(client).sessions(of: Film.self)
    async let end: Void = { for await _ in sessions {} }()
    client = nil
    await end
  }

  @Test func `refusals are typed and say what to do`() async throws {
    try await Gathering.with { room in
      let delivery = try await Film(title: "A").activate(on: room.ann)
      do throws(GroupWatchError) {
        try await Film(title: "B").activate(on: room.bob)
        Issue.record("it was activated")
      } catch {
        #expect(error.code == .activityInProgress && error.session == delivery.session)
        #expect(!error.message.isEmpty && !error.advice.isEmpty)
      }
      let session = try await room.bob.next()
      try await session.join()
      let large = String(repeating: "x", count: GroupSessionMessenger.maximumPayload)
      let tooLarge = await refusal { () throws(GroupWatchError) in
        try await GroupSessionMessenger(session: session).send(large)
      }
      #expect(tooLarge == .payloadTooLarge)
      let tooFast = await refusal { () throws(GroupWatchError) in
        try await PlaybackCoordinator(session: session).setRate(9)
      }
      #expect(tooFast == .invalidField)
    }
  }

  @Test func `a server that is not there is an error, in time`() async throws {
    let server = try await ServerThread()
    server.stop()
    let began = ContinuousClock.now
    do {
      _ = try await Gathering.connect("Ann", to: server) {
        $0.connectTimeout = .milliseconds(400)
      }
      Issue.record("it connected")
    } catch let error as GroupWatchError {
      #expect(error.code == .timedOut && error.message.contains("refused"))
    }
    #expect(ContinuousClock.now - began >= .milliseconds(400))
  }

  @Test func `a name that the server has no room for is told, and not tried for ever`() async throws
  {
    let server = try await ServerThread { $0.limits.identifierBytes = 20 }
    defer { server.stop() }
    let problem = await refusal { () throws(GroupWatchError) in
      _ = try await GroupWatchClient.connect(
        to: server.endpoint,
        as: Identity(user: UserID("a person of 24 bytes now"), device: DeviceID("d"), name: "Ann"))
    }
    #expect(problem == .invalidField)
  }

  @Test func `a connection that works stays when the app asks for another`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      room.ann.reconnect()
      _ = try await room.ann.status()
      #expect(room.ann.connection.current == .online)
      #expect(sessions[0].state.current == .joined)
    }
  }

  @Test func `connecting can be cancelled`() async throws {
    let server = try await ServerThread()
    server.stop()
    let connecting = Task {
      await refusal { () throws(GroupWatchError) in
        _ = try await GroupWatchClient.connect(
          to: server.endpoint,
          as: Identity(user: UserID("u"), device: DeviceID("d"), name: "Ann"))
      }
    }
    connecting.cancel()
    #expect(await connecting.value == .cancelled)
  }
}
