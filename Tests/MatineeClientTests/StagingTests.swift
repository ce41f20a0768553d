@testable import MatineeClient
import Testing
import Vocabulary

/// Activities that are attached to a group before anybody watches: G13.
@Suite(.serialized, .hangLimit) struct StagingTests {
  @Test func `any member activates what one staged, and it stands where the one said`() async throws
  {
    try await Gathering.with { room in
      let film = Film(title: "Metropolis")
      let delivery = try await film.stage(on: room.ann, at: .seconds(600))
      let mine = try await room.ann.next()
      let theirs = try await room.bob.next()
      #expect(delivery == .here(mine.id) && theirs.id == mine.id)
      #expect(mine.state.current == .staged && theirs.state.current == .staged)
      #expect(mine.isLocallyInitiated && !theirs.isLocallyInitiated)
      let early = await refusal { () throws(GroupWatchError) in try await theirs.join() }
      #expect(early == .notActivated)

      #expect(theirs.state.current == .staged)

      try await theirs.activateStaged()
      await theirs.state.becomes { $0 == .waiting }
      #expect(theirs.isLocallyInitiated)
      try await theirs.join()
      let status = await PlaybackCoordinator(session: theirs).status.becomes { $0 != nil }
      #expect(status??.phase == .paused(at: .seconds(600)))
    }
  }

  private typealias Seat = (manager: CoordinationManager<Film>, session: GroupSession<Film>)

  /// Stages an activity as Ann; all have a manager that joins no session of others by itself.
  private func seats(staging film: Film, in room: Gathering) async throws -> [Seat] {
    let managers = room.clients.map { CoordinationManager<Film>(client: $0, joining: .byApp) }
    try await film.stage(on: room.ann)
    var seats: [Seat] = []
    for manager in managers {
      let session = try #require(await manager.session.becomes { $0 != nil } ?? nil)
      seats.append((manager: manager, session: session))
    }
    return seats
  }

  @Test func `whoever activates what was staged takes part, and whoever staged it is asked`()
    async throws
  {
    try await Gathering.with { room in
      let seats = try await seats(staging: Film(title: "Metropolis"), in: room)
      let (mine, theirs) = (seats[0].session, seats[1].session)
      try await theirs.activateStaged()
      await theirs.state.becomes { $0 == .joined }
      await mine.state.becomes { $0 != .staged }
      #expect(mine.state.current == .waiting)
    }
  }

  @Test func `to play what was staged begins it, and to play what one is asked to joins it`()
    async throws
  {
    try await Gathering.with { room in
      let film = Film(title: "Metropolis")
      let seats = try await seats(staging: film, in: room)
      let (mine, theirs) = (seats[0], seats[1])
      let begun = try await theirs.manager.prepareToPlay(film)
      #expect(begun == .activated(.here(theirs.session.id)))
      await theirs.session.state.becomes { $0 == .joined }
      await mine.session.state.becomes { $0 == .waiting }
      #expect(try await mine.manager.prepareToPlay(film) == .alreadyEnqueued)
      await mine.session.state.becomes { $0 == .joined }
    }
  }

  @Test func `who plays what was staged and goes at once is not fetched back by it`() async throws {
    try await Gathering.with { room in
      let prompt = Tells()
      let theirs = CoordinationManager<Film>(client: room.bob, prompt: prompt)
      let film = Film(title: "Metropolis")
      try await film.stage(on: room.ann)
      await theirs.session.becomes { $0?.state.current == .staged }
      let playing = Task { try await theirs.prepareToPlay(film) }
      await prompt.isAsked()
      // Before the activation is asked for, before it is answered, or after that.
      await theirs.leave()
      _ = try await playing.value
      _ = try await room.bob.status()
      await room.bob.shared.sessions.becomes(\.isEmpty)
      #expect(theirs.session.current == nil && theirs.enqueuedMedia.current == nil)
      var present: [UserID] = []
      repeat {
        let status = try await room.ann.status()
        present = status.sessions.flatMap { $0.participants.map(\.user) }
      } while present.contains(UserID("u-Bob"))
      #expect(theirs.session.current == nil && theirs.enqueuedMedia.current == nil)
    }
  }

  @Test func `what plays already is started where it is, and runs on for all`() async throws {
    try await Gathering.with { room in
      let film = Film(title: "Metropolis")
      let impossible = await refusal { () throws(GroupWatchError) in
        try await film.activate(on: room.ann, rate: 9)
      }
      #expect(impossible == .invalidField)
      try await film.activate(on: room.ann, at: .seconds(600), rate: 1.25)
      let mine = try await room.ann.next()
      try await mine.join()
      let coordinator = PlaybackCoordinator(session: mine)
      let status = await coordinator.status.becomes { $0 != nil }
      guard case .playing(let position, let start)?? = status.map({ $0?.phase }) else {
        Issue.record("\(String(describing: status))")
        return
      }
      #expect(position == .seconds(600) && status??.rate == 1.25)
      let later = try #require(await coordinator.expectedItemTime(at: start + .seconds(8)))
      #expect((later.microseconds - 610_000_000).magnitude < 5_000, "\(later)")
    }
  }

  @Test func `only whoever staged it takes it back`() async throws {
    try await Gathering.with { room in
      try await Film(title: "Metropolis").stage(on: room.ann)
      let mine = try await room.ann.next()
      let theirs = try await room.bob.next()
      let refused = await refusal { () throws(GroupWatchError) in try await theirs.withdraw() }
      #expect(refused != nil)
      try await mine.withdraw()
      await mine.state.becomes { $0 == .invalidated(.ended(.withdrawn)) }
      await theirs.state.becomes { $0 == .invalidated(.ended(.withdrawn)) }
    }
  }

  @Test func `who declines is not asked again, and the others go on`() async throws {
    try await Gathering.with(["Ann", "Bob", "Cid"]) { room in
      try await Film(title: "Metropolis").activate(on: room.ann)
      let mine = try await room.ann.next()
      try await mine.join()
      let theirs = try await room.bob.next()
      try await theirs.decline()
      try await theirs.decline()
      await theirs.state.becomes { $0 == .invalidated(.declined) }
      let third = try await room.clients[2].next()
      await third.leave()
      await third.state.becomes { $0 == .invalidated(.declined) }
      #expect(mine.state.current == .joined)
    }
  }
}

/// A person who shares, and tells when they are asked.
private struct Tells: ActivationPrompt {
  private let questions = AsyncStream.makeStream(of: Void.self)

  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) -> ShareChoice {
    questions.continuation.yield()
    return .share(remembers: false)
  }

  func isAsked() async { for await _ in questions.stream { return } }
}
