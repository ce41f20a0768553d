import Foundation
import Testing

@testable import Participation

/// A player's stalls and its person's wishes, by the transcripts that the page's player keeps to.
@Suite struct SuspensionTranscriptTests {
  private static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Browser/Cases/suspensions.txt")
  }

  /// Replays the cases behind the file's explanation, each of which goes on from the first.
  private func replay(_ text: String) throws -> String {
    let parts = text.split(separator: "# ")
    #expect(parts.count > 15)
    let cases = parts.dropFirst().map { $0.split(separator: "\n").map(String.init) }
    let told = try cases.enumerated().map { number, story in
      var transcript = try SuspensionTranscript()
      if number > 0 {
        for line in cases[0].dropFirst() where !line.hasPrefix("> ") { try transcript.feed(line) }
      }
      let beginning = transcript.lines.count
      for line in story.dropFirst() where !line.hasPrefix("> ") { try transcript.feed(line) }
      let lines = transcript.lines.dropFirst(beginning)
      return (["# \(story[0])"] + lines).joined(separator: "\n") + "\n"
    }
    return parts[0] + told.joined(separator: "\n")
  }

  /// MATINEE_RECORD=1 writes down what the player's side says now.
  @Test func `it says what it said`() throws {
    let written = try String(contentsOf: Self.file, encoding: .utf8)
    let told = try replay(written)
    if ProcessInfo.processInfo.environment["MATINEE_RECORD"] == "1" {
      try told.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let (before, now) = (written.split(separator: "\n"), told.split(separator: "\n"))
    let changed = zip(before, now).first { $0 != $1 }
    #expect(changed == nil)
    #expect(before.count == now.count)
  }
}
