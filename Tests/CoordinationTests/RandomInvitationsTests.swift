import Testing
import Wire

@Suite struct RandomInvitationsTests {
  // Proves: §7.14
  /// Whatever the order of answers, on devices and by tokens, a person takes part once; a failure
  /// names its seed.
  @Test(arguments: 1...100)
  func `one person holds one membership, whatever the order`(_ seed: Int) throws {
    var story = try RandomInvitations(seed: UInt64(seed))
    for step in 0..<200 {
      story.step()
      if step % 25 == 0 { story.checkReplay() }
    }
    story.finish()
  }

  /// A story in which nothing happens proves nothing.
  @Test func `the stories visit every answer`() throws {
    var outcomes: Set<String> = []
    var joinCount = 0
    for seed in 1...30 {
      var story = try RandomInvitations(seed: UInt64(seed))
      for _ in 0..<200 { story.step() }
      outcomes.formUnion(story.outcomes)
      joinCount += story.joined.count
    }
    #expect(
      outcomes.isSuperset(of: [
        "joined", "done", "alreadyAnswered", "invitationAnswered", "invitationOver", "tokenExpired",
        "sessionEnded", "journalUnavailable",
      ]), "\(outcomes.sorted())")
    #expect(joinCount > 30, "\(joinCount)")
  }
}
