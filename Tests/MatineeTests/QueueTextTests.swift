import GroupSessions
import MatineeClient
import Naming
import Testing
import Vocabulary

@testable import matinee

/// What a person reads of the queue.
@Suite struct QueueTextTests {
  private func entries(_ count: Int) -> [QueueEntry] {
    (1...count).map { number in
      QueueEntry(
        id: EntryID("e\(number)"), media: MediaItem(url: "\(number).mp4"), addedBy: nil)
    }
  }

  @Test func `the entries are named, and what is on is marked`() {
    var entries = entries(2)
    entries.append(
      QueueEntry(
        id: "e3", media: MediaItem(title: "Nosferatu", url: "old film.mp4"), addedBy: nil))
    #expect(
      QueueText(entries, current: "e1").lines
        == ["queue:", "  ▶ 1.mp4", "    2.mp4", "    \"old film.mp4\" “Nosferatu”"])
  }

  @Test func `of a long queue ten entries are listed from the current one on`() {
    let lines = QueueText(entries(16), current: "e4").lines
    #expect(lines.count == 13)
    #expect(lines[1] == "  … 3 before" && lines[2] == "  ▶ 4.mp4")
    #expect(lines[11] == "    13.mp4" && lines[12] == "  … 3 more")
  }

  @Test func `a queue that holds only what is on has no lines`() {
    #expect(QueueText(entries(1), current: "e1").lines.isEmpty)
    #expect(QueueText([], current: nil).lines.isEmpty)
    #expect(QueueText(entries(1), current: nil).lines == ["queue:", "    1.mp4"])
  }
}
