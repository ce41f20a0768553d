import Foundation
import Testing

/// Which message is shown when, and what is told of it, by the transcripts that the page keeps to.
@Suite struct MessageTranscriptTests {
  private static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Browser/Cases/messages.txt")
  }

  /// A message's usual coming and going in one line each; whatever differs stays written out.
  private func shorten(_ text: String) throws -> String {
    let shown = try Regex(
      [
        #"> willPresent (\w+)"#, #"report \1 started"#, #"impression \1"#, #"report \1 impression"#,
        #"didPresent \1"#,
      ].joined(separator: "\n> "), as: (Substring, Substring).self)
    let gone = try Regex(
      [
        #"> willDismiss (\w+) (\w+)"#, #"didDismiss \1 \2"#, #"report \1 dismissed \2(.*)"#,
        #"finished \1 presented \2"#,
      ].joined(separator: "\n> "), as: (Substring, Substring, Substring, Substring).self)
    return text.replacing(shown) { "> shown \($0.1)" }
      .replacing(gone) { "> gone \($0.1) \($0.2)\($0.3)" }
  }

  /// Replays the cases behind the file's explanation.
  private func replay(_ text: String) throws -> String {
    let parts = text.split(separator: "# ")
    #expect(parts.count > 50)
    let cases = try parts.dropFirst().map { part in
      let story = part.split(separator: "\n").map(String.init)
      var transcript = MessageTranscript()
      for line in story.dropFirst() where !line.hasPrefix("> ") { try transcript.feed(line) }
      return try shorten((["# \(story[0])"] + transcript.lines).joined(separator: "\n")) + "\n"
    }
    return parts[0] + cases.joined(separator: "\n")
  }

  /// MATINEE_RECORD=1 writes down what the presenter says now.
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
