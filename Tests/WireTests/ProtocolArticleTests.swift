import Foundation
import GroupSessions
import Naming
import ProtocolReading
import Testing
import Vocabulary
import Wire
import WireTesting

/// The article says what the coder does: every example is coded, every name stands there.
@Suite struct ProtocolArticleTests {
  private let article: ProtocolArticle

  init() throws {
    article = try ProtocolArticle()
  }

  @Test func `every example of a client is read, and written again as the same`() throws {
    let lines = article.lines(of: ">")
    #expect(lines.count > 40)
    for line in lines {
      let message = try clientMessage(line)
      #expect(try clientMessage(text(of: message)) == message, "\(line)")
    }
  }

  @Test func `every example of a server is what a server writes`() throws {
    let lines = article.lines(of: "<")
    #expect(lines.count > 60)
    for line in lines {
      #expect(text(of: try serverMessage(line)) == line)
    }
  }

  @Test func `every message of clients has a section, an example and all its fields`() throws {
    let chapters =
      article.chapters(startingWith: "What clients")
      + article.chapters(startingWith: "What participants")
    let written = chapters.flatMap(\.sections.keys).sorted()
    #expect(written == ClientMessage.types.sorted())
    for chapter in chapters {
      for (name, section) in chapter.sections {
        let examples = ProtocolArticle.examples(in: section, of: ">")
        #expect(examples.contains { $0.hasPrefix(#"{"type":"\#(name)""#) }, "\(name)")
        let fields = try fields { text(of: $0.clientMessage(name)) }
        expectFields(fields, of: name, in: chapter.introduction + section)
      }
    }
  }

  @Test func `every message of servers has a section, an example and all its fields`() throws {
    let chapter = try article.chapter("What servers say")
    #expect(chapter.sections.keys.sorted() == ServerMessage.types.sorted())
    for (name, section) in chapter.sections {
      let examples = ProtocolArticle.examples(in: section, of: "<")
      #expect(examples.contains { $0.hasPrefix(#"{"type":"\#(name)""#) }, "\(name)")
      guard name != "event", name != "groupEvent" else { continue }
      let fields = try fields { text(of: $0.serverMessage(name)) }
      expectFields(fields, of: name, in: section)
    }
  }

  @Test func `every event of a session has a row with all its fields`() throws {
    let rows = ProtocolArticle.rows(in: try article.chapter("Events of a session").introduction)
    #expect(Set(rows.map(\.[0])) == Set(SessionEvent.names.map { "`\($0)`" }))
    for row in rows {
      let name = row[0].replacing("`", with: "")
      let fields = try fields {
        text(of: ServerMessage.event("s", seq: 1, at: $0.instant(), $0.sessionEvent(name)))
      }
      expectFields(fields.subtracting(["session", "seq", "at"]), of: name, in: row[1])
    }
  }

  @Test func `every event of a group has a row with all its fields`() throws {
    let rows = ProtocolArticle.rows(in: try article.chapter("Events of a group").introduction)
    #expect(rows.map(\.[0]) == GroupEvent.names.map { "`\($0)`" })
    for (row, name) in zip(rows, GroupEvent.names) {
      let fields = try fields {
        text(of: ServerMessage.groupEvent("g", seq: 1, at: $0.instant(), $0.groupEvent(name)))
      }
      expectFields(fields.subtracting(["group", "seq", "at"]), of: name, in: row[1])
    }
  }

  @Test func `every event that is sent has an example`() throws {
    let lines = article.lines(of: "<")
    let names = SessionEvent.names + GroupEvent.names
    for name in names where name != "began" && name != "opened" {
      #expect(lines.contains { $0.contains(#""event":"\#(name)""#) }, "\(name)")
    }
  }

  @Test func `the table of error codes is the code's`() throws {
    let rows = ProtocolArticle.rows(in: try article.chapter("Error codes").introduction)
    #expect(rows == ErrorCode.allCases.map { ["`\($0.rawValue)`", $0.meaning, $0.advice] })
  }

  @Test func `the table of limits is the code's`() throws {
    let rows = ProtocolArticle.rows(in: try article.chapter("Limits").introduction)
    let limits = Mirror(reflecting: Limits()).children.map { child in
      ["`\(child.label ?? "")`", Self.cell(child.value)]
    }
    #expect(rows.map { Array($0.prefix(2)) } == limits)
  }

  private static func cell(_ value: Any) -> String {
    guard let duration = value as? Duration else { return "\(value)" }
    let milliseconds = duration.microseconds / 1000
    return milliseconds < 1000 ? "\(milliseconds) ms" : "\(milliseconds / 1000) s"
  }

  /// The names of all fields that lines of a kind have.
  private func fields(of line: (inout RandomValues) -> String) throws -> Set<String> {
    var names: Set<String> = []
    for seed in 1...100 as ClosedRange<UInt64> {
      var random = RandomValues(seed: seed)
      let object = try JSONSerialization.jsonObject(with: Data(line(&random).utf8))
      names.formUnion(try #require(object as? [String: Any]).keys)
    }
    return names.subtracting(["type", "id", "event"])
  }

  private func expectFields(_ fields: Set<String>, of name: String, in text: String) {
    for field in fields.sorted() {
      #expect(text.contains("`\(field)`"), "\(name) has a field '\(field)'")
    }
  }
}
