import Testing

@testable import matinee

@Suite struct NotificationVerbTests {
  @Test func `the verbs about notifications are read as they are written`() {
    #expect(NotificationVerb("notifications") == .list)
    #expect(NotificationVerb("notification 2") == .show(2))
    #expect(NotificationVerb("ignore") == .ignore)
    for other in ["notification", "notification x", "notification 0", "ignore it", "", "play"] {
      #expect(NotificationVerb(other) == nil, "\(other)")
    }
    #expect(NotificationVerb.forms.count == 3)
  }
}
