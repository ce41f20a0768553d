import Testing
import TranscriptReading

@testable import Participation

/// A player's stalls and its person's wishes, by the transcripts that the page's player keeps to.
@Suite struct SuspensionTranscriptTests {
  /// Each case goes on from the first.
  @Test func `it says what it said`() throws {
    let transcript = try SharedTranscript("suspensions.txt")
    let cases = transcript.cases
    #expect(cases.count > 15)
    let difference = try transcript.difference { story in
      var told = try SuspensionTranscript()
      if story.name != cases[0].name { for line in cases[0].inputs { try told.feed(line) } }
      let beginning = told.lines.count
      for line in story.inputs { try told.feed(line) }
      return Array(told.lines.dropFirst(beginning))
    }
    #expect(difference == nil)
  }
}
