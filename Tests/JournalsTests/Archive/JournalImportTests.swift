import Testing
import Vocabulary

@testable import Journals

/// Exports and imports of files.
@Suite struct JournalImportTests {
  @Test(arguments: [nil, 4])
  func `an export of an import is the same, byte for byte`(snapshot: Int?) throws {
    let lines = SampleExport(snapshot: snapshot).lines
    let journal = try ScratchJournal()
    let result = try journal.load(lines)
    #expect(result.streams == 4)
    #expect(result.events == 13)
    #expect(try journal.exported() == lines)
    let second = try ScratchJournal(lines)
    #expect(try journal.contents() == second.contents())
    #expect(try journal.contents().streams.count == 4)
    #expect(try journal.contents().notices == [])
  }

  @Test func `however the bytes come, and with or without a last line feed`() throws {
    let text = SampleExport().lines.joined(separator: "\n")
    for chunk in [1, 7, 4096, 1 << 20] {
      let journal = try ScratchJournal()
      #expect(try journal.load(text: text, chunk: chunk).events == 13)
      #expect(try journal.exported() == SampleExport().lines)
    }
  }

  @Test func `without devices no secret is in it`() throws {
    let journal = try ScratchJournal(SampleExport().lines)
    let lines = try journal.exported(withSecrets: false)
    #expect(!lines.contains { $0.contains("token") || $0.contains("answer") })
    #expect(lines.count == SampleExport().lines.count - 5)
    let copy = try ScratchJournal(lines)
    #expect(try copy.exported(withSecrets: false) == lines)
    #expect(try copy.contents().streams.count == 2)
  }

  @Test func `a journal that holds something is left as it is`() throws {
    let journal = try ScratchJournal(SampleExport().lines)
    #expect(throws: JournalError.notEmpty(path: journal.path)) {
      try journal.load(SampleExport(snapshot: 3).lines)
    }
    #expect(try journal.exported() == SampleExport().lines)
  }

  /// A change of one line, and the expected complaint.
  struct Spoiling: CustomTestStringConvertible {
    let testDescription: String
    /// Counted from 1; the complaint is expected at this line, unless `complaint` names another.
    let line: Int
    var complaint: Int?
    let reason: String
    let change: @Sendable (String) -> [String]

    init(
      _ name: String, _ line: Int, at complaint: Int? = nil, _ reason: String,
      _ change: @escaping @Sendable (String) -> [String]
    ) {
      testDescription = name
      self.line = line
      self.complaint = complaint
      self.reason = reason
      self.change = change
    }
  }

  static let last = SampleExport().lines.count

  static let spoilings: [Spoiling] = [
    Spoiling("no JSON", 5, "not valid JSON") { [String($0.dropLast(3))] },
    Spoiling("an empty line", 4, "not valid JSON") { ["", $0] },
    Spoiling("no header", 1, "a line of type journal must come first") { _ in [] },
    Spoiling("another file", 1, "not an exported journal") { _ in [#"{"a":1}"#] },
    Spoiling("a newer export", 1, "a newer Matinee exported it") {
      [$0.replacing(#""export":1"#, with: #""export":2"#)]
    },
    Spoiling("newer events", 1, "a newer Matinee exported it") {
      [$0.replacing(#""format":1"#, with: #""format":9"#)]
    },
    Spoiling("a newer event", 5, "a newer Matinee wrote it") {
      [$0.replacing(#""format":1"#, with: #""format":9"#)]
    },
    Spoiling("a gap", 5, "event 2 should come next, not 3") { _ in [] },
    Spoiling("a repeat", 5, at: 6, "event 3 should come next, not 2") { [$0, $0] },
    Spoiling("an unknown event", 5, "must be") {
      [$0.replacing("memberJoined", with: "memberVanished")]
    },
    Spoiling("a field of another type", 6, "'at' must be an integer") {
      [$0.replacing(#""at":"#, with: #""at":""  ,"was":"#)]
    },
    Spoiling("no beginning", 4, at: 7, "events of stream 1, before this line, are missing") { _ in
      []
    },
    Spoiling("another stream's event", 6, "belongs to stream 2") {
      [$0.replacing(#""stream":1"#, with: #""stream":2"#)]
    },
    Spoiling("a stream left out", 8, at: 8, "belongs to stream 2") { _ in [] },
    Spoiling("an unknown live stream", 8, "there is no live sermon") {
      [$0.replacing("session", with: "sermon")]
    },
    Spoiling("a stream twice", 8, "appears twice") {
      [$0.replacing("session", with: "group").replacing("s-1", with: "friday")]
    },
    Spoiling("an answer of no device", last - 1, "belongs to stream 1") {
      [$0.replacing(#""stream":4"#, with: #""stream":1"#)]
    },
    Spoiling("an answer twice", last - 1, at: last, "an answer in slot 1") { [$0, $0] },
    Spoiling("a number without a next one", 4, "should come next") {
      [$0.replacing(#""seq":1"#, with: #""seq":\#(Int.max)"#)]
    },
    Spoiling("cut off", last, "cut off: its last line is missing") { _ in [] },
    Spoiling("a line too few", last - 1, "lines should precede this one") { _ in [] },
    Spoiling("something behind the end", last, at: last + 1, "after its end line") { [$0, $0] },
  ]

  @Test(arguments: spoilings)
  func `a broken line is told, and nothing is taken in`(spoiling: Spoiling) throws {
    var lines = SampleExport().lines
    lines.replaceSubrange(
      spoiling.line - 1..<spoiling.line, with: spoiling.change(lines[spoiling.line - 1]))
    let journal = try ScratchJournal()
    let error = try #require(throws: BrokenExport.self) { try journal.load(lines) }
    #expect(error.line == spoiling.complaint ?? spoiling.line)
    #expect(error.reason.contains(spoiling.reason), "\(error)")
    // A correct export can be imported into the same file afterwards.
    try journal.load(SampleExport().lines)
    #expect(try journal.exported() == SampleExport().lines)
  }

  @Test func `a session without its beginning needs a snapshot that reaches it`() throws {
    for story in [SampleExport(kept: 3...7), SampleExport(kept: 5...7, snapshot: 3)] {
      let journal = try ScratchJournal()
      let error = try #require(throws: BrokenExport.self) { try journal.load(story.lines) }
      #expect(error.reason == "events of stream 2, before this line, are missing")
    }
    for story in [SampleExport(kept: 3...7, snapshot: 5), SampleExport(kept: 6...7, snapshot: 5)] {
      #expect(try ScratchJournal(story.lines).exported() == story.lines)
    }
  }
}
