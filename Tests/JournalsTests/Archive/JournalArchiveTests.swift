import EventLoops
import GRDB
import GroupSessions
import Naming
import Testing
import Vocabulary

@testable import Journals

/// Reading a journal without writing to it.
@Suite struct JournalArchiveTests {
  @Test func `where there is no journal, that is said, and nothing is made`() throws {
    let journal = try ScratchJournal()
    let error = try #require(throws: JournalError.self) { try JournalArchive(journal.path) }
    #expect(error.description.contains("there is no such file"))
    try journal.spoil("CREATE TABLE stream (id)")
    let other = try #require(throws: JournalError.self) { try JournalArchive(journal.path) }
    #expect(other.description.contains("it is not a Matinee journal"))
  }

  @Test func `a newer Matinee's journal is left to it`() throws {
    let journal = try ScratchJournal(SampleExport().lines)
    try journal.spoil("INSERT INTO grdb_migrations (identifier) VALUES ('99')")
    #expect(throws: JournalError.newer(path: journal.path)) { try JournalArchive(journal.path) }
    let record = try ScratchJournal(SampleExport().lines)
    try record.rewrite("UPDATE event SET format = 9 WHERE stream = 2 AND seq = 3")
    let archive = try JournalArchive(record.path)
    let session = try #require(try archive.sessions().first)
    #expect(throws: JournalError.newer(path: record.path)) { try archive.history(of: session) }
  }

  @Test func `what has changed in the file is not told as if it had happened`() throws {
    let journal = try ScratchJournal(SampleExport().lines)
    try journal.spoil("UPDATE event SET body = replace(body, 'film', 'fly') WHERE stream = 2")
    let archive = try JournalArchive(journal.path)
    for read in [{ _ = try archive.sessions() }, { _ = try journal.exported() }] {
      #expect(
        throws: JournalError.unreadable(
          path: journal.path, reason: "a row of stream 2 has changed")
      ) { try read() }
    }
  }

  @Test func `an overview counts what is there`() throws {
    let journal = try ScratchJournal(SampleExport(kept: 3...7, snapshot: 4).lines)
    let overview = try JournalArchive(journal.path).overview()
    #expect(overview.path == journal.path)
    #expect(overview.bytes > 0)
    #expect(overview.formats == [1])
    #expect(!overview.schema.isEmpty)
    #expect(overview.clock?.boot == "b")
    #expect(overview.writer == .free)
    #expect(overview.latest == SampleExport.at(7))
    #expect(overview.streams.map(\.kind) == ["group", "session", "device", "device"])
    let session = overview.streams[1]
    #expect(session.name == "s-1" && session.ended == nil && session.began == SampleExport.began)
    #expect((session.events, session.first, session.last) == (5, 3, 7))
    #expect(session.snapshot == 4)
    #expect(overview.streams.map(\.answers) == [0, 0, 0, 1])
    #expect(overview.notices == [])
    try journal.spoil("INSERT INTO notice (at, text) VALUES (5, 'something was wrong')")
    #expect(
      try JournalArchive(journal.path).overview().notices
        == [.init(at: Instant(microseconds: 5), "something was wrong")])
  }

  @Test func `it is read while another has it, and who that is is said`() throws {
    let journal = try ScratchJournal(SampleExport().lines)
    let file = try JournalFile(
      journal.path, retention: .zero, limits: Limits(), at: Instant(microseconds: 0))
    let overview = try JournalArchive(journal.path).overview()
    guard case .held(by: .some) = overview.writer else {
      Issue.record("\(overview.writer)")
      return
    }
    #expect(overview.streams.count == file.contents.streams.count)
  }

  @Test func `sessions are listed, and their history read`() throws {
    let journal = try ScratchJournal(SampleExport(snapshot: 4).lines)
    let archive = try JournalArchive(journal.path)
    let sessions = try archive.sessions()
    #expect(sessions.map(\.session) == ["s-1"])
    #expect(sessions[0].group == "friday")
    #expect(sessions[0].title == "Friday's film")
    #expect(sessions[0].events == 7)
    let history = try archive.history(of: sessions[0])
    #expect(history.events.map(\.event) == SampleExport.events)
    #expect(history.events.map(\.at) == (1...7).map(SampleExport.at))
    for seq in 1...7 {
      #expect(history.state(at: seq)?.session == SampleExport.state(at: seq))
      #expect(history.state(at: seq)?.at == SampleExport.at(seq))
    }
    #expect(history.state(at: 0) == nil && history.state(at: 8) == nil)
  }

  @Test func `where the beginning is gone, states begin at the snapshot`() throws {
    for first in [3, 6] {
      let story = SampleExport(kept: first...7, snapshot: 5)
      let journal = try ScratchJournal(story.lines)
      let archive = try JournalArchive(journal.path)
      let session = try #require(try archive.sessions().first)
      #expect(session.group == "friday" && session.title == "Friday's film")
      let history = try archive.history(of: session)
      #expect(history.replayable == 5...7)
      #expect(history.state(at: 4) == nil)
      for seq in 5...7 {
        #expect(history.state(at: seq)?.session == SampleExport.state(at: seq))
        #expect(history.state(at: seq)?.at == SampleExport.at(seq))
      }
    }
    let over = SampleExport(kept: 3...7, ended: SampleExport.at(8))
    let journal = try ScratchJournal(over.lines)
    let archive = try JournalArchive(journal.path)
    let history = try archive.history(of: try archive.sessions()[0])
    #expect(history.replayable == nil && history.state(at: 7) == nil)
    #expect(history.events.count == 5)
  }
}
