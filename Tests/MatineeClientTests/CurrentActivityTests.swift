@testable import MatineeClient
import Testing
import Vocabulary
import Wire

/// What is on in a session after the queue has moved on, after another version of the app has changed it,
/// and whether it is what somebody wants to watch.
@Suite(.serialized, .hangLimit) struct CurrentActivityTests {
  private let sintel = MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4")
  private let bunny = MediaItem(title: "Bunny", url: "https://films.example/bunny.mp4")

  /// Selects the queue's second entry.
  private func moveOn<Activity: GroupActivity>(
    _ session: GroupSession<Activity>, to media: MediaItem
  ) async throws {
    try await session.queue.add(media)
    let state = await session.queue.state.becomes { $0.entries.count == 2 }
    try await session.queue.select(try #require(state?.entries.last?.id))
  }

  @Test
  func `after the queue has moved on, its media are shown, and what was on can be played again`()
    async throws
  {
    try await Gathering.with { room in
      let managers = room.clients.map { CoordinationManager(client: $0) }
      let mine = managers[0]
      guard case .activated(.here(let id)) = try await mine.prepareToPlay(sintel) else {
        Issue.record("it was not activated")
        return
      }
      let session = try #require(await mine.session.becomes { $0 != nil } ?? nil)
      await session.state.becomes { $0 == .joined }
      try await moveOn(session, to: bunny)
      for manager in managers { await manager.enqueuedMedia.becomes { $0?.item == bunny.item } }
      #expect(session.media?.item == bunny.item)
      #expect(session.activity.mediaItem.item == bunny.item)
      #expect(try await mine.prepareToPlay(sintel) == .updatedSession(id))
      for manager in managers { await manager.enqueuedMedia.becomes { $0?.item == sintel.item } }
    }
  }

  @Test func `an app's own activity stays when the queue moves on, and its media are the queue's`()
    async throws
  {
    try await Gathering.with { room in
      let film = Film(title: "Metropolis")
      let mine = CoordinationManager<Film>(client: room.ann)
      _ = try await mine.prepareToPlay(film)
      let session = try #require(await mine.session.becomes { $0 != nil } ?? nil)
      await session.state.becomes { $0 == .joined }
      try await moveOn(session, to: bunny)
      await mine.enqueuedMedia.becomes { $0?.item == bunny.item }
      #expect(session.activity == film && session.media?.item == bunny.item)
      #expect(try await mine.prepareToPlay(film) == .updatedSession(session.id))
      await mine.enqueuedMedia.becomes { $0 == film.media }
    }
  }

  @Test func `what a newer app has put on does not bring the first activity back`() async throws {
    try await Gathering.with { room in
      let managers = room.clients.map { CoordinationManager<Film>(client: $0) }
      let (first, second) = (Film(title: "Metropolis"), Film(title: "Nosferatu"))
      _ = try await managers[0].prepareToPlay(first)
      let session = try #require(await managers[0].session.becomes { $0 != nil } ?? nil)
      await session.state.becomes { $0 == .joined }
      try await session.update(activity: second)
      for await activity in session.activities where activity == second { break }
      let newer = try AnyGroupActivity(
        type: Film.activityIdentifier, payload: ["edition": 3], metadata: first.metadata)
      try await room.ann.ask(.setActivity(session.id, newer.value, ifRevision: nil))
      await session.core.activity.becomes { $0.value.payload == newer.payload }
      #expect(session.activity == second && session.media == nil)
      for film in [first, second] {
        #expect(try await managers[0].prepareToPlay(film) == .updatedSession(session.id))
        try await room.ann.ask(.setActivity(session.id, newer.value, ifRevision: nil))
        await session.core.activity.becomes { $0.value.payload == newer.payload }
      }
    }
  }

  @Test func `equal activities are the same, in whatever order a set in them is coded`()
    async throws
  {
    try await Gathering.with { room in
      let topics = (0..<20).map { "topic \($0)" }
      var roomy = Set<String>(minimumCapacity: 1_000)
      roomy.formUnion(topics)
      let (one, other) = (Quiz(topics: Set(topics)), Quiz(topics: roomy))
      #expect(one == other)
      let id = try await one.activate(on: room.ann).session
      var sessions: [GroupSession<Quiz>] = []
      for client in room.clients {
        for await session in client.sessions(of: Quiz.self) {
          sessions.append(session)
          break
        }
      }
      #expect(try await other.activate(on: room.bob).session == id)
      try await sessions[0].join()
      await sessions[0].state.becomes { $0 == .joined }
      #expect(try await other.prepareForActivation(on: room.ann) == .alreadyActive(id))
    }
  }

  @Test func `a manager may replace what the group does without this device`() async throws {
    try await Gathering.with { room in
      let session = try await room.watch()[0]
      let theirs = CoordinationManager(client: room.bob, ifBusy: .replace)
      guard case .activated(.here) = try await theirs.prepareToPlay(sintel) else {
        Issue.record("it was not activated")
        return
      }
      await theirs.enqueuedMedia.becomes { $0 == sintel }
      await session.state.becomes { if case .invalidated = $0 { true } else { false } }
    }
  }

  @Test func `a manager that is released while something is staged does not live on to join it`()
    async throws
  {
    try await Gathering.with { room in
      var mine: CoordinationManager<Film>? = CoordinationManager(client: room.ann)
      weak let released = mine
      try await Film(title: "Metropolis").stage(on: room.bob)
      let session = try #require(await mine?.session.becomes { $0 != nil } ?? nil)
      mine = nil
      while released != nil {
        try Task.checkCancellation()
        await Task.yield()
      }
      let theirs = try await room.bob.next()
      try await theirs.activateStaged()
      await session.state.becomes { $0 == .waiting }
      // Her connection's requests are answered in order.
      _ = try await room.ann.status()
      #expect(session.state.current == .waiting)
    }
  }
}

/// An activity without media, whose coded form differs each time.
private struct Quiz: GroupActivity {
  var topics: Set<String>
  static let activityIdentifier = "test.quiz"
  var metadata: GroupActivityMetadata { GroupActivityMetadata(title: "Quiz") }
}
