import Coordination
import Naming
import Testing
import UserNotifications
import Vocabulary
import WireTesting

@testable import Journals

/// The journal of people's notifications.
@Suite struct TrayJournalTests {
  /// Runs a story and stores its events, with occasional snapshots.
  private func keep(_ story: inout TrayStory, steps: Int, on scene: JournalScene) {
    for _ in 0..<steps {
      let before = story.tray.seq
      story.step()
      guard !story.news.isEmpty else { continue }
      scene.append(Append(to: .tray(story.tray.user), after: before, story.news))
      if before / 64 != story.tray.seq / 64 { scene.journal?.snapshot(.tray(story.tray)) }
    }
  }

  /// The tray that results from a stream's snapshot and events.
  private func replayed(_ stream: RecordedStream) throws -> NotificationTray? {
    var replay = StreamReplay(from: stream.snapshot)
    for record in stream.events {
      try replay.take(record.event, of: stream.aggregate, at: record.at)
    }
    guard case .tray(let tray)? = replay.state else { return nil }
    return tray
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `what a snapshot and the events behind it add up to is what was there`(seed: UInt64) throws {
    try JournalScene.run { scene in
      var story = TrayStory("ann", seed: seed)
      for _ in 0..<3 {
        try scene.open(at: story.now)
        keep(&story, steps: 100, on: scene)
        try scene.close()
        let stream = try #require(try scene.read(at: story.now).contents.streams.first)
        #expect(try replayed(stream) == story.tray, "seed \(seed)")
      }
      #expect(story.tray.seq > 100)
      let found = try JournalArchive(scene.path).verify()
      #expect(found.damage == [])
      #expect(found.comparedSnapshots == 1 && found.replayed == story.tray.seq)
    }
  }

  @Test func `a tray and the messages of the same person are two streams`() throws {
    try JournalScene.run { scene in
      try scene.open()
      var story = TrayStory("ann", seed: 1)
      keep(&story, steps: 30, on: scene)
      var messages = try PersonStory("ann", seed: 1)
      while messages.news.isEmpty { messages.step() }
      scene.append(Append(to: .user("ann"), after: 0, messages.news))
      scene.journal?.forget(.user("ann"))
      try scene.close()
      let streams = try scene.read().contents.streams
      #expect(streams.map(\.aggregate) == [.tray("ann")])
      #expect(try streams.first.flatMap(replayed) == story.tray)
    }
  }

  /// Deletes the rows, because texts and device addresses must not outlive the tray.
  @Test func `a tray that is forgotten leaves no row`() throws {
    try JournalScene.run { scene in
      try scene.open()
      var story = TrayStory("ann", seed: 1)
      keep(&story, steps: 100, on: scene)
      scene.journal?.forget(.tray("ann"))
      try scene.close()
      for table in ["stream", "event", "snapshot", "answer"] {
        #expect(try scene.fetch("SELECT count(*) FROM \(table)") == 0, "\(table)")
      }
    }
  }

  @Test func `trays are counted, exported, imported and verified`() throws {
    try JournalScene.run { scene in
      try scene.open()
      for number in 0..<3 {
        var story = TrayStory(UserID("u\(number)"), seed: UInt64(number))
        keep(&story, steps: 80, on: scene)
      }
      try scene.close()
      let archive = try JournalArchive(scene.path)
      let overview = try archive.overview()
      #expect(overview.streams.map(\.kind) == ["tray", "tray", "tray"])
      #expect(overview.streams.allSatisfy { $0.events > 0 && !$0.isSetAside })
      var bytes: [UInt8] = []
      try archive.export(withSecrets: false) { bytes += $0 }
      #expect(!String(decoding: bytes, as: UTF8.self).contains("tray"), "trays hold secrets")
      bytes = []
      try archive.export(withSecrets: true) { bytes += $0 }
      let copy = try ScratchJournal()
      let result = try copy.load(text: String(decoding: bytes, as: UTF8.self), chunk: 4096)
      #expect(result.streams == 3)
      #expect(try copy.contents().streams == scene.read().contents.streams)
      #expect(try JournalArchive(copy.path).verify().isSound)
    }
  }
}
