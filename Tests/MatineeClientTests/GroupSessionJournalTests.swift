import EventLoops
import MatineeClient
import Server
import Testing

/// What apps give to a session, and find there.
@Suite(.serialized, .hangLimit) struct GroupSessionJournalTests {
  private struct Photo: Codable, Equatable, Sendable {
    var name: String
  }

  @Test func `whoever is there and whoever joins later loads what was given`() async throws {
    try await Gathering.with(["Ann", "Bob"]) { room in
      let sessions = try await room.watch()
      let (mine, theirs) = (
        GroupSessionJournal(session: sessions[0]), GroupSessionJournal(session: sessions[1])
      )
      let data = (0..<200_000).map { UInt8($0 % 251) }
      let photo = try await mine.add(data, metadata: Photo(name: "beach"))
      await theirs.attachments.becomes { $0 == [photo] }
      #expect(photo.source == sessions[0].localParticipant?.id && photo.byteCount == 200_000)
      #expect(try photo.loadMetadata(of: Photo.self) == Photo(name: "beach"))
      #expect(try await theirs.load(photo) == data)

      let note = try await theirs.add([1, 2, 3])
      let later = try await Gathering.connect("Cat", to: room.server)
      defer { later.close() }
      try await later.joinGroup(GroupID("room"))
      let session = try await later.next()
      try await session.join()
      let journal = GroupSessionJournal(session: session)
      await journal.attachments.becomes { $0 == [photo, note] }
      #expect(try await journal.load(note) == [1, 2, 3])
      #expect(try await journal.load(photo) == data)

      try await mine.remove(attachment: note)
      await journal.attachments.becomes { $0 == [photo] }
      #expect(
        await refusal { () throws(GroupWatchError) in _ = try await journal.load(note) }
          == .unknownAttachment)
      try await sessions[0].end()
      for await _ in journal.attachments.values {}
    }
  }

  @Test func `adding and loading end when they are cancelled`() async throws {
    try await Gathering.with(["Ann", "Bob"]) { room in
      let journal = GroupSessionJournal(session: try await room.watch()[0])
      let data = Array(repeating: UInt8(7), count: GroupSessionJournal.maximumBytes)
      let adding = Task { try await journal.add(data) }
      adding.cancel()
      #expect(await code(of: adding) == .cancelled)
      let kept = try await journal.add(data)
      await journal.attachments.becomes { $0 == [kept] }
      let loading = Task { try await journal.load(kept) }
      loading.cancel()
      #expect(await code(of: loading) == .cancelled)
    }
  }

  private func code<Value>(of task: Task<Value, any Error>) async -> GroupWatchError.Code? {
    guard case .failure(let error as GroupWatchError) = await task.result else { return nil }
    return error.code
  }

  @Test func `seeks are answered while a large attachment is given or loaded`()
    async throws
  {
    try await Gathering.with(["Ann", "Bob"]) { room in
      let session = try await room.watch()[0]
      let (journal, coordinator) = (
        GroupSessionJournal(session: session), PlaybackCoordinator(session: session)
      )
      await coordinator.status.becomes { $0 != nil }
      // Twenty-two parts.
      let data = Array(repeating: UInt8(7), count: GroupSessionJournal.maximumBytes)
      // On a busy machine, the seeks may get less time than the parts.
      var (during, attempts) = (0, 0)
      while during <= 5, attempts < 10 {
        attempts += 1
        for old in journal.attachments.current { try await journal.remove(attachment: old) }
        during = try await seeks(coordinator) { try await journal.add(data) }
      }
      #expect(during > 5)
      let given = try #require(journal.attachments.current.first)
      (during, attempts) = (0, 0)
      while during <= 5, attempts < 10 {
        attempts += 1
        during = try await seeks(coordinator) { _ = try await journal.load(given) }
      }
      #expect(during > 5)
    }
  }

  /// How many seeks are answered, one after the other, while something else is under way.
  private func seeks(
    _ coordinator: PlaybackCoordinator, during work: @escaping @Sendable () async throws -> Void
  ) async throws -> Int {
    let isOver = Locked(false)
    let task = Task {
      defer { isOver.withLock { $0 = true } }
      try await work()
    }
    defer { task.cancel() }
    var count = 0
    while !isOver.withLock({ $0 }) {
      count += 1
      try await coordinator.seek(to: .seconds(Double(count)), immediately: true)
    }
    try await task.value
    return count
  }

  @Test func `what is too large, too much or not one's own is refused`() async throws {
    try await Gathering.with(
      server: {
        $0.limits.attachments = 1
        $0.limits.attachmentBytes = 10
      }
    ) { room in
      let sessions = try await room.watch(control: .hostsOnly)
      let journals = sessions.map { GroupSessionJournal(session: $0) }
      let large = await refusal { () throws(GroupWatchError) in
        _ = try await journals[1].add(Array(repeating: 1, count: 11))
      }
      #expect(large == .payloadTooLarge)
      let empty = await refusal { () throws(GroupWatchError) in _ = try await journals[1].add([]) }
      #expect(empty == .invalidField)
      let first = try await journals[0].add([1])
      let second = await refusal { () throws(GroupWatchError) in _ = try await journals[1].add([2])
      }
      #expect(second == .attachmentsFull)
      let others = await refusal { () throws(GroupWatchError) in
        try await journals[1].remove(attachment: first)
      }
      #expect(others == .forbidden)
      let named = await refusal { () throws(GroupWatchError) in
        _ = try await journals[0].add([1], metadata: String(repeating: "x", count: 1_100))
      }
      #expect(named == .invalidField)
    }
  }
}
