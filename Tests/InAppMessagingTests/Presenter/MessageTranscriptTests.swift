import Testing
import TranscriptReading

/// Which message is shown when, and what is told of it, by the transcripts that the page keeps to.
@Suite struct MessageTranscriptTests {
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

  @Test func `it says what it said`() throws {
    let transcript = try SharedTranscript("messages.txt")
    #expect(transcript.cases.count > 50)
    let difference = try transcript.difference { story in
      var told = MessageTranscript()
      for line in story.inputs { try told.feed(line) }
      return [try shorten(told.lines.joined(separator: "\n"))]
    }
    #expect(difference == nil)
  }
}
