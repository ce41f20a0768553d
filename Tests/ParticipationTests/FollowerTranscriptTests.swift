import Foundation
import Playback
import Testing
import Vocabulary

@testable import Participation

/// The follower keeps to the transcripts that the page's follower keeps to.
@Suite struct FollowerTranscriptTests {
  private static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Browser/Cases/follower.txt")
  }

  /// A follower that expects of its player what the page's expects of an HTML media element.
  private static var follower: Follower {
    var follower = Follower()
    follower.seekCost = LearnedCost(first: .milliseconds(60))
    follower.startCost = LearnedCost(first: .milliseconds(40))
    return follower
  }

  private func replay(_ text: String) throws -> String {
    let cases = text.split(separator: "# ")
    #expect(cases.count >= 20)
    return try cases.map { story in
      let lines = story.split(separator: "\n")
      var transcript = FollowerTranscript(Self.follower)
      for line in lines.dropFirst() where !line.hasPrefix("> ") && !line.hasPrefix("= ") {
        try transcript.feed(String(line))
      }
      return (["# \(lines[0])"] + transcript.lines).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// MATINEE_RECORD=1 writes down what the follower says now.
  @Test func `it says what it said`() throws {
    let written = try String(contentsOf: Self.file, encoding: .utf8)
    let told = try replay(written)
    if ProcessInfo.processInfo.environment["MATINEE_RECORD"] == "1" {
      try told.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let (before, now) = (written.lines, told.lines)
    let changed = zip(before, now).enumerated().first { $1.0 != $1.1 }
    #expect(changed == nil, "counted from line 0")
    #expect(before.count == now.count)
  }
}

extension String {
  fileprivate var lines: [Substring] { split(separator: "\n", omittingEmptySubsequences: false) }
}
