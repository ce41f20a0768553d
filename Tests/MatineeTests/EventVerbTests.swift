import InAppMessaging
import Testing

@testable import matinee

/// What a person types about messages.
@Suite struct EventVerbTests {
  @Test func `verbs about messages are read, and others are left to others`() {
    #expect(
      EventVerb("log Film Finished title=Sintel count=2")
        == .log("Film Finished", ["title": .string("Sintel"), "count": .number(2)]))
    #expect(EventVerb("set keen=true") == .set("keen", .bool(true)))
    #expect(EventVerb("set keen") == .set("keen", nil))
    #expect(EventVerb("next message") == .next)
    for phrase in ["log", "log a=1", "set", "set a b", "pause", "queue next x"] {
      #expect(EventVerb(phrase) == nil)
    }
  }
}
