import Coordination
import Foundation
import Testing
import Vocabulary

@testable import Journals

/// This build recovers journals of an earlier build to the same states.
///
/// `Golden/Kept` holds exports (`.jsonl`) and the states that the earlier build recovered from each
/// (`.recovered`): three servers of demonstrations, and the random stories of the tests, which have
/// snapshots.
@Suite struct KeptJournalTests {
  private static let names = ["restart", "crash", "answer-and-crash", "stories", "session"]

  private static func file(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/Kept/\(name)")
  }

  private static func lines(_ name: String) throws -> [String] {
    try String(contentsOf: file(name), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// A line for each stream: its name, the number of its events, and the resulting state or
  /// greeting.
  private func recovered(_ contents: JournalContents) throws -> [String] {
    var writer = RecordWriter()
    return try contents.streams.map { stream in
      var replay = StreamReplay(from: stream.snapshot)
      for record in stream.events {
        try replay.take(record.event, of: stream.aggregate, at: record.at)
      }
      let body = replay.state.map { writer.text(of: $0) }
      let greeting = stream.events.last.map { writer.text(of: $0.event) }
      return "\(stream.aggregate.kind.rawValue) \(stream.aggregate.name) \(stream.events.count) "
        + "\(body ?? greeting ?? "nothing")"
    }
  }

  @Test(arguments: names)
  func `a journal that was kept is recovered as it was then`(name: String) throws {
    let journal = try ScratchJournal(Self.lines("\(name).jsonl"))
    #expect(try JournalArchive(journal.path).verify().damage == [])
    let contents = try journal.contents()
    #expect(contents.notices == [])
    let recovered = try recovered(contents)
    #expect(recovered == (try Self.lines("\(name).recovered")))
  }

  @Test(arguments: names)
  func `an export of a journal that was kept is the same, byte for byte`(name: String) throws {
    let lines = try Self.lines("\(name).jsonl")
    #expect(try ScratchJournal(lines).exported() == lines)
  }

  @Test(arguments: names)
  func `what was kept is written again with the same bytes`(name: String) throws {
    var reader = RecordReader()
    var writer = RecordWriter()
    var kinds: [String: AggregateKind] = [:]
    for line in try Self.lines("\(name).jsonl") {
      let stream = line.text(of: "stream", until: ",") ?? ""
      if line.hasPrefix(#"{"type":"stream""#) {
        let kind = try #require(line.text(of: "kind", from: "\":\"", until: "\""))
        kinds[stream] = AggregateKind(rawValue: kind)
      }
      guard let body = line.body else { continue }
      let kind = try #require(kinds[stream])
      let again =
        if line.hasPrefix(#"{"type":"answer""#) {
          writer.text(of: try reader.outcome(body, format: 1))
        } else if line.hasPrefix(#"{"type":"snapshot""#) {
          writer.text(of: try #require(try reader.state(body, of: kind, format: 1)))
        } else {
          writer.text(of: try reader.event(body, of: kind, format: 1))
        }
      #expect(again == body)
    }
  }
}

extension String {
  /// The text from a field's value up to a mark.
  fileprivate func text(of name: String, from start: String = "\":", until end: String) -> String? {
    guard let start = firstRange(of: name + start)?.upperBound else { return nil }
    return self[start...].firstRange(of: end).map { String(self[start..<$0.lowerBound]) }
  }

  fileprivate var body: String? {
    guard let start = firstRange(of: #""body":"#)?.upperBound else { return nil }
    return String(self[start...].dropLast())
  }
}
