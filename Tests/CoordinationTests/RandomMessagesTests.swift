import InAppMessaging
import Testing

@testable import Coordination

/// People's messages over stories nobody would think of.
@Suite struct RandomMessagesTests {
  // Proves: R-10
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `each delivery ends once, caps hold, and nothing acknowledged is lost`(_ seed: UInt64) throws
  {
    var story = try RandomMessages(seed: seed)
    for step in 0..<250 {
      try story.step()
      if step % 10 == 0 { story.check() }
    }
    story.finish()
  }

  /// A story in which nothing happens proves nothing.
  @Test func `the stories visit every kind of event`() throws {
    var kinds: [String: Int] = [:]
    for seed in 1...40 as ClosedRange<UInt64> {
      var story = try RandomMessages(seed: seed)
      for _ in 0..<250 { try story.step() }
      for append in story.stage.journal.everything {
        for case .user(let event) in append.events.map(\.event) {
          kinds[String("\(event)".prefix { $0 != "(" }), default: 0] += 1
        }
      }
    }
    let wanted = [
      "logged", "seen", "sessionStarted", "attributeSet", "membershipSet", "collectionSet",
      "pausedSet", "connected", "lost", "resumed", "interrupted", "reserved", "fellDue", "offered",
      "waiting", "started", "impression", "clicked", "ended", "lapsed", "failuresForgotten",
      "wiped",
    ]
    for kind in wanted { #expect(kinds[kind, default: 0] > 5, "\(kind): \(kinds)") }
  }
}
