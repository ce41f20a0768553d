import MatineeClient
import Testing

@Suite(.serialized, .hangLimit) struct SharedQueueTests {
  private func titles(_ state: QueueState) -> [String] { state.entries.map(\.media.url) }

  @Test func `everyone sees and changes one queue`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch(Film(title: "a"))
      let (mine, theirs) = (sessions[0].queue, sessions[1].queue)
      try await mine.add(MediaItem(url: "b"), MediaItem(url: "c"))
      try await theirs.insertNext(MediaItem(url: "d"))
      await mine.state.becomes { titles($0) == ["a.mp4", "d", "b", "c"] }
      let d = try #require(mine.state.current.entries.first { $0.media.url == "d" })
      #expect(d.addedBy == sessions[1].localParticipant?.id)
      try await mine.insert(MediaItem(url: "e"), after: d.id)
      try await theirs.moveToEnd(d.id)
      await theirs.state.becomes { titles($0) == ["a.mp4", "e", "b", "c", "d"] }
      try await theirs.move(d.id)
      await mine.state.becomes { titles($0) == ["a.mp4", "d", "e", "b", "c"] }
      let b = try #require(mine.state.current.entries.first { $0.media.url == "b" })
      try await mine.move(d.id, after: b.id)
      try await mine.remove(b.id)
      await theirs.state.becomes { titles($0) == ["a.mp4", "e", "d", "c"] }
      let gone = await refusal { () throws(GroupWatchError) in try await theirs.remove(b.id) }
      #expect(gone == .unknownEntry)

      try await theirs.select(d.id)
      await mine.state.becomes { $0.current == d.id && $0.currentEntry?.media.url == "d" }
      await PlaybackCoordinator(session: sessions[0]).status.becomes { $0?.item == ItemID("d") }
      try await mine.next()
      await theirs.state.becomes { $0.current != d.id }
      try await theirs.previous()
      await mine.state.becomes { $0.current == d.id }

      try await mine.setRepeatMode(.all)
      try await mine.setShuffled(true)
      try await mine.setAutoAdvancing(false)
      await theirs.state.becomes {
        $0.repeatMode == .all && $0.isShuffled && !$0.isAutoAdvancing
      }
      try await theirs.setShuffled(false)
      await mine.state.becomes { titles($0) == ["a.mp4", "e", "d", "c"] && !$0.isShuffled }
      try await theirs.clear()
      await mine.state.becomes { titles($0) == ["d"] }
      let alone = await refusal { () throws(GroupWatchError) in
        try await theirs.setRepeatMode(.off)
        try await theirs.next()
      }
      #expect(alone == .noSuchNeighbour)
    }
  }
}
