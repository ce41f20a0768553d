import Playback
import Testing
import TranscriptReading
import Vocabulary

@testable import Participation

/// The follower keeps to the transcripts that the page's follower keeps to.
@Suite struct FollowerTranscriptTests {
  /// A follower that expects of its player what the page's expects of an HTML media element.
  private static var follower: Follower {
    var follower = Follower()
    follower.seekCost = LearnedCost(first: .milliseconds(60))
    follower.startCost = LearnedCost(first: .milliseconds(40))
    return follower
  }

  @Test func `it says what it said`() throws {
    let transcript = try SharedTranscript("follower.txt")
    #expect(transcript.cases.count >= 20)
    let difference = try transcript.difference { story in
      var told = FollowerTranscript(Self.follower)
      for line in story.inputs { try told.feed(line) }
      return told.lines
    }
    #expect(difference == nil)
  }
}
