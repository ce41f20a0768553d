import MatineeClient
import Testing

/// What a person is asked, and what is made of the answer: §3.2 of the reference, row by row.
@Suite(.serialized, .hangLimit) struct ActivationTests {
  private let film = Film(title: "Metropolis")

  /// Fails the test if anybody is asked.
  private struct NeverAsks: ActivationPrompt {
    func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) async -> ShareChoice {
      Issue.record("it asked")
      return .cancel
    }
  }

  /// Waits for the task that asks to be cancelled, and then says yes all the same.
  private struct AnswersTooLate: ActivationPrompt {
    let asked: AsyncStream<Void>.Continuation

    func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) async -> ShareChoice {
      asked.yield()
      let (never, continuation) = AsyncStream<Void>.makeStream()
      for await _ in never {}
      continuation.finish()
      return .share(remembers: true)
    }
  }

  @Test func `sharing, alone and not at all are three things`() async throws {
    try await Gathering.with { room in
      let table: [(ShareChoice, GroupActivityActivationResult)] = [
        (.share(remembers: false), .activationPreferred),
        (.onlyMe(remembers: false), .activationDisabled(.onlyMe)),
        (.cancel, .cancelled),
      ]
      for (choice, result) in table {
        let outcome = try await film.prepareForActivation(on: room.ann, asking: Answers(choice))
        #expect(outcome == result)
        let kept = await room.ann.sharingPreferences.preference(for: Film.activityIdentifier)
        #expect(kept == nil)
      }
    }
  }

  /// Says no, and remembers with whom it would have been.
  private actor Looks: ActivationPrompt {
    private(set) var groups: [GroupSummary] = []

    func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) -> ShareChoice {
      groups.append(group)
      return .cancel
    }
  }

  @Test func `whoever is asked sees with whom, and whether something else goes on`() async throws {
    try await Gathering.with { room in
      let prompt = Looks()
      _ = try await film.prepareForActivation(on: room.ann, asking: prompt)
      let other = MediaItemActivity(MediaItem(url: "https://films.example/a.mp4"))
      let id = try await other.activate(on: room.bob).session
      await room.ann.groupState.group.becomes { $0?.session == id }
      _ = try await film.prepareForActivation(on: room.ann, asking: prompt)
      let groups = await prompt.groups
      #expect(groups.map(\.session) == [nil, id])
      #expect(groups.map { $0.members.map(\.name) } == [["Ann", "Bob"], ["Ann", "Bob"]])
    }
  }

  @Test func `what is remembered is not asked again, until it is forgotten`() async throws {
    try await Gathering.with { room in
      let store = room.ann.sharingPreferences
      let never = try await film.prepareForActivation(
        on: room.ann, asking: Answers(.onlyMe(remembers: true)))
      #expect(never == .activationDisabled(.onlyMe))
      #expect(await store.preference(for: Film.activityIdentifier) == .never)
      let alone = try await film.prepareForActivation(on: room.ann, asking: NeverAsks())
      #expect(alone == .activationDisabled(.neverShares))
      await store.remember(.always, for: Film.activityIdentifier)
      let shared = try await film.prepareForActivation(on: room.ann, asking: NeverAsks())
      #expect(shared == .activationPreferred)
      await store.remember(nil, for: Film.activityIdentifier)
      let asked = try await film.prepareForActivation(on: room.ann, asking: Answers(.cancel))
      #expect(asked == .cancelled)
    }
  }

  // Proves: S19
  @Test func `an activity is known by its identifier, and comes to those who know it`() async throws
  {
    try await Gathering.with { room in
      try await film.activate(on: room.ann)
      let session = try await room.bob.next()
      #expect(session.activity == film)
      #expect(try await room.bob.status().sessions.map(\.activityIdentifier) == ["test.film"])
      // Those who know only others are not given it.
      let managed = CoordinationManager(client: room.bob)
      try await session.join()
      await session.state.becomes { $0 == .joined }
      #expect(managed.session.current == nil)
    }
  }

  @Test func `nobody is asked where no session is possible`() async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    let ann = try await Gathering.connect("Ann", to: server)
    defer { ann.close() }
    try await ann.joinGroup(GroupID("room"))
    await ann.groupState.eligibility.becomes { $0 == .ineligible(.alone) }
    let result = try await film.prepareForActivation(on: ann, asking: NeverAsks())
    #expect(result == .activationDisabled(.notEligible(.alone)))
    let refused = await refusal { () throws(GroupWatchError) in
      try await film.activate(on: ann)
    }
    #expect(refused == .notEligible)
  }

  @Test func `an answer that comes after the question was taken back counts for nothing`()
    async throws
  {
    try await Gathering.with { room in
      let (asked, continuation) = AsyncStream<Void>.makeStream()
      let prompt = AnswersTooLate(asked: continuation)
      let preparing = Task { [film] in
        try await film.prepareForActivation(on: room.ann, asking: prompt)
      }
      for await _ in asked { break }
      preparing.cancel()
      let result = try await preparing.value
      #expect(result == .cancelled)
      #expect(await room.ann.sharingPreferences.preference(for: Film.activityIdentifier) == nil)
    }
  }

  @Test func `in a session of this, or of its type, nobody is asked`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch(film)
      let id = sessions[0].id
      let same = try await film.prepareForActivation(on: room.ann, asking: NeverAsks())
      #expect(same == .alreadyActive(id))
      let other = try await Film(title: "Nosferatu").prepareForActivation(
        on: room.bob, asking: NeverAsks())
      #expect(other == .updatesSession(id))
      #expect(try await film.activate(on: room.bob).session == id)
    }
  }
}
