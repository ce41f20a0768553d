import Coordination
import InAppMessaging
import Naming
import Testing
import Vocabulary

@testable import Journals

/// Counting the results of campaigns in a journal.
@Suite struct CampaignResultsTests {
  /// Stores the stories of people with occasional snapshots, and returns all events by person.
  private func keep(_ people: [UserID], on scene: JournalScene) throws -> [[RecordedEvent]] {
    try people.enumerated().map { place, id in
      var story = try PersonStory(id, seed: UInt64(place))
      var all: [RecordedEvent] = []
      for step in 0..<300 {
        let before = story.messaging.seq
        story.step()
        guard !story.news.isEmpty else { continue }
        all += story.news
        scene.append(Append(to: .user(id), after: before, story.news))
        // The last events are behind the last snapshot, so that some of each person are kept.
        if step < 250, before / 64 != story.messaging.seq / 64 {
          scene.journal?.snapshot(.user(story.messaging))
          try scene.settle()
        }
      }
      return all
    }
  }

  private func counted(_ people: [some Sequence<RecordedEvent>]) -> CampaignResults {
    var results = CampaignResults()
    for events in people {
      results.beginPerson()
      for record in events { if case .user(let event) = record.event { results.evolve(event) } }
    }
    return results
  }

  @Test func `all people's events count, also those that a snapshot holds`() throws {
    try JournalScene.run { scene in
      try scene.open()
      let people = try keep(["ann", "bob"], on: scene)
      try scene.settle()
      // The journal is still open for writing.
      let results = try JournalArchive(scene.path).campaignResults()
      #expect(results == counted(people))
      #expect(!results.variants.isEmpty && results.gapEnd == nil)
    }
  }

  @Test func `what retention deleted is left out, and until when is told`() throws {
    try JournalScene.run { scene in
      try scene.open(retention: .zero)
      let people = try keep(["ann", "bob"], on: scene)
      try scene.close()
      let kept = try zip(people, 1...).map { events, stream in
        events.dropFirst(
          try scene.fetch("SELECT min(seq) FROM event WHERE stream = \(stream)") - 1)
      }
      let results = try JournalArchive(scene.path).campaignResults()
      #expect(results.variants == counted(kept).variants)
      #expect(results.gapEnd == kept.compactMap(\.first?.at).max())
      #expect(results.gapEnd != nil)
      // An import may have a snapshot alone.
      try scene.execute("DELETE FROM event")
      #expect(try JournalArchive(scene.path).campaignResults().variants.isEmpty)
      #expect(try JournalArchive(scene.path).campaignResults().gapEnd != nil)
    }
  }

  @Test func `an event that is missing is named`() throws {
    try JournalScene.run { scene in
      try scene.open()
      _ = try keep(["ann"], on: scene)
      try scene.close()
      try scene.execute("DELETE FROM event WHERE seq = 5")
      #expect(
        throws: JournalError.unreadable(
          path: scene.path, reason: "of person ann event 5 is missing")
      ) { try JournalArchive(scene.path).campaignResults() }
    }
  }
}
