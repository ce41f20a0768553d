import Naming
import Coordination
import EventLoops
import Foundation
import GroupSessions
import Testing
import Vocabulary
import WireTesting

@testable import Journals

/// Opening a journal's file, and the cases in which it must not be opened.
@Suite struct JournalFileTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `nobody else may look into it: it holds what devices resume by`() throws {
    try JournalScene.run { scene in
      let path = scene.directory.path(of: "a/b/journal.sqlite")
      let file = try JournalFile(
        path, retention: .seconds(1), limits: Limits(), at: JournalScene.start)
      try file.tie(ClockTie(boot: "b", host: .init(microseconds: 1), instant: JournalScene.start))
      for part in ["", "-wal", "-shm", ".lock"] {
        #expect(try mode(path + part) == 0o600, "\(part)")
      }
      for directory in ["a", "a/b"] {
        #expect(try mode(scene.directory.path(of: directory)) == 0o700)
      }
    }
  }

  @Test func `two servers cannot have one file, and the second hears whose it is`() throws {
    try JournalScene.run { scene in
      try scene.open()
      let mine = Int(ProcessInfo.processInfo.processIdentifier)
      #expect(throws: JournalError.inUse(path: scene.path, by: mine)) { _ = try scene.read() }
      let error = JournalError.inUse(path: scene.path, by: mine)
      #expect(error.description.contains("in use by process \(mine)"))
      // The object that opened the file is gone; the journal keeps the lock.
      scene.append(
        Append(
          to: .group("g"), after: 0,
          [RecordedEvent(at: JournalScene.start, event: .group(.opened(by: "ann")))]))
      try scene.settle()
      #expect(throws: JournalError.inUse(path: scene.path, by: mine)) { _ = try scene.read() }
      try scene.close()
      _ = try scene.read()
    }
  }

  @Test func `a file that is reached by a link is the same file`() throws {
    try JournalScene.run { scene in
      let links = FileManager.default
      let there = scene.directory.path(of: "there.sqlite")
      let again = scene.directory.path(of: "again.sqlite")
      // The first link leads to a file that is only made later, and is relative.
      try links.createSymbolicLink(atPath: there, withDestinationPath: "journal.sqlite")
      try links.createSymbolicLink(atPath: again, withDestinationPath: there)
      func open(_ path: String) throws -> JournalFile {
        try JournalFile(path, retention: .seconds(1), limits: Limits(), at: JournalScene.start)
      }
      let mine = Int(ProcessInfo.processInfo.processIdentifier)
      do {
        let file = try open(again)
        for path in [scene.path, there, again] {
          #expect(throws: JournalError.inUse(path: path, by: mine)) { _ = try open(path) }
          #expect(try JournalArchive(path).overview().writer == .held(by: mine))
        }
        withExtendedLifetime(file) {}
      }
      _ = try open(scene.path)
      #expect(
        try scene.files.filter { !$0.hasPrefix("journal.sqlite") } == [
          "again.sqlite", "there.sqlite",
        ])
    }
  }

  @Test func `a damaged file that is reached by a link is set aside, not the link`() throws {
    try JournalScene.run { scene in
      let link = scene.directory.path(of: "link.sqlite")
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: "journal.sqlite")
      try Data("no database, but long enough to be taken for one".utf8).write(
        to: URL(filePath: scene.path))
      try Data().write(to: URL(filePath: scene.path + ".lock"))
      let file = try JournalFile(
        link, retention: .seconds(1), limits: Limits(), at: JournalScene.start)
      #expect(file.contents.notices.count == 1)
      #expect(try scene.files.contains { $0.hasPrefix("journal.sqlite.damaged-") })
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: link) == "journal.sqlite")
    }
  }

  @Test func `a file whose tables are newer is left alone`() throws {
    try JournalScene.run { scene in
      _ = try scene.read()
      try scene.execute("INSERT INTO grdb_migrations VALUES ('99')")
      let before = try Data(contentsOf: URL(filePath: scene.path))
      let error = JournalError.newer(path: scene.path)
      #expect(throws: error) { _ = try scene.read() }
      #expect(error.description.contains("a newer Matinee wrote"))
      #expect(try Data(contentsOf: URL(filePath: scene.path)) == before)
    }
  }

  @Test func `a file with a newer event is left alone, too`() throws {
    try JournalScene.run { scene in
      try scene.open()
      scene.append(
        Append(
          to: .group("g"), after: 0,
          [RecordedEvent(at: JournalScene.start, event: .group(.opened(by: "ann")))]))
      try scene.close()
      let body = #"{"event":"teleported"}"#
      try scene.rewrite("event", format: JournalFormat.current + 1, body)
      #expect(throws: JournalError.newer(path: scene.path)) { _ = try scene.read() }
      #expect(try scene.files.contains { $0.contains("damaged") } == false)
    }
  }

  @Test func `another program's database is left alone`() throws {
    try JournalScene.run { scene in
      try scene.execute("CREATE TABLE recipe (name TEXT)")
      let before = try Data(contentsOf: URL(filePath: scene.path))
      let error = #expect(throws: JournalError.self) { _ = try scene.read() }
      #expect(error?.description.contains("another program's database") == true)
      #expect(try Data(contentsOf: URL(filePath: scene.path)) == before)
    }
  }

  @Test func `a directory in its place is a clear error`() throws {
    try JournalScene.run { scene in
      try FileManager.default.createDirectory(
        atPath: scene.path, withIntermediateDirectories: false)
      let error = #expect(throws: JournalError.self) { _ = try scene.read() }
      let text = try #require(error).description
      #expect(text.contains("\(scene.path) cannot be opened: unable to open"), "\(text)")
    }
  }

  @Test func `a directory that cannot be made is a clear error`() throws {
    try JournalScene.run { scene in
      let file = scene.directory.path(of: "file")
      _ = FileManager.default.createFile(atPath: file, contents: nil)
      let error = #expect(throws: JournalError.self) {
        _ = try JournalFile(
          file + "/below/journal.sqlite", retention: .seconds(1), limits: Limits(),
          at: JournalScene.start)
      }
      let text = try #require(error).description
      #expect(text.contains("ENOTDIR") && text.contains("check the directory"), "\(text)")
    }
  }

  // MARK: Unreadable streams

  @Test func `a stream that cannot be understood is set aside in the file, and the others go on`()
    throws
  {
    try JournalScene.run { scene in
      try scene.open()
      for name in ["a", "b", "c"] {
        scene.append(
          Append(
            to: .group(GroupID(name)), after: 0,
            [RecordedEvent(at: JournalScene.start, event: .group(.opened(by: "ann")))]))
      }
      try scene.close()
      // Simulates the mistake of another build.
      try scene.rewrite("event", of: 1, #"{"event":"danced"}"#)
      try scene.rewrite("event", of: 3, #"{"event":"closed"}"#)
      let contents = try scene.open().contents
      #expect(contents.streams.map(\.aggregate) == [.group("b")])
      #expect(contents.notices.count == 2)
      let first = contents.notices.first
      #expect(first?.hasPrefix("the group a cannot be read and is set aside as stream 1: ") == true)
      #expect(contents.notices.last?.contains("it has no beginning") == true)
      // The names are free again.
      scene.append(
        Append(
          to: .group("a"), after: 0,
          [RecordedEvent(at: JournalScene.start, event: .group(.opened(by: "ben")))]))
      try scene.settle()
      #expect(scene.outcomes.last?.outcome == .kept)
      try scene.close()
      let again = try scene.read().contents
      #expect(again.streams.map(\.aggregate) == [.group("b"), .group("a")])
      #expect(again.notices.isEmpty)
      #expect(try scene.fetch("SELECT count(*) FROM notice") == 2)
      #expect(try scene.fetch("SELECT count(*) FROM stream WHERE kind LIKE 'unreadable %'") == 2)
    }
  }

  @Test func `a session whose end cannot be understood is forgotten, and nothing else`() throws {
    try JournalScene.run { scene in
      try scene.open()
      var random = RandomValues(seed: 1)
      for name in ["s-1", "s-2"] {
        let id = AggregateID(.session, name)
        let end = SessionEvent.ended(.empty)
        scene.append(
          Append(
            to: id, after: 0,
            [random.beginning(of: .session), .session(end)].map {
              RecordedEvent(at: JournalScene.start, event: $0)
            }))
        scene.journal?.forget(id)
      }
      try scene.close()
      try scene.rewrite("event", of: 1, seq: 2, #"{"event":"vanished"}"#)
      let contents = try scene.read().contents
      #expect(contents.endings == [SessionEnding("s-2", .empty)])
      #expect(contents.notices.count == 1)
    }
  }
}

extension JournalScene {
  /// Replaces a body and corrects the sum.
  func rewrite(
    _ table: String, of stream: Int64 = 1, seq: Int64 = 1, format: Int = JournalFormat.current,
    _ body: String
  ) throws {
    let at = Int64(try fetch("SELECT at FROM \(table) WHERE stream = \(stream) AND seq = \(seq)"))
    let sum = RowSum.record(stream, seq, at: at, format: Int64(format), body)
    try execute(
      """
      UPDATE \(table) SET body = '\(body)', format = \(format), sum = \(sum)
      WHERE stream = \(stream) AND seq = \(seq)
      """)
  }
}
