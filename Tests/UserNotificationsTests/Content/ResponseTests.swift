import Naming
import Testing
import UserNotifications
import Vocabulary

@Suite struct ResponseTests {
  private func response(
    _ action: String, category: String? = "GROUP_WATCH_INVITE",
    trigger: NotificationTrigger = .push, text: String? = nil
  ) -> NotificationResponse {
    var content = NotificationContent(body: "Ann watches Sintel")
    content.categoryID = category
    return NotificationResponse(
      notification: UserNotification(
        id: "n1", date: Instant(microseconds: 0), content: content, trigger: trigger),
      actionID: action, userText: text)
  }

  // Proves: K9, K10
  @Test func `an invitation is answered by its actions`() {
    #expect(response("ACCEPT_IDENTIFIER").invitationAnswer == .accept)
    #expect(response("DECLINE_IDENTIFIER").invitationAnswer == .decline)
    #expect(response("REPLY_IDENTIFIER", text: "Later").invitationAnswer == .reply("Later"))
  }

  // Proves: K11, K18
  @Test(arguments: [nil, "CHORES", "", "group_watch_invite", "MESSAGE_CATEGORY"])
  func `the same action of another category is no answer`(category: String?) {
    #expect(response("ACCEPT_IDENTIFIER", category: category).invitationAnswer == nil)
  }

  // Proves: K12, K13, K14
  @Test(arguments: [
    ActionIdentifier.defaultAction, ActionIdentifier.dismissAction, "", "accept_identifier",
  ])
  func `any other action is no answer`(action: String) {
    #expect(response(action).invitationAnswer == nil)
  }

  // Proves: K8, K27
  @Test(
    arguments: [
      .none, .timeInterval(.seconds(1), repeats: false),
      .calendar(DateMatch(hour: 8), repeats: true),
    ] as [NotificationTrigger])
  func `what the device made itself is no invitation`(trigger: NotificationTrigger) {
    let response = response("ACCEPT_IDENTIFIER", trigger: trigger)
    #expect(!response.isRemote)
    #expect(response.invitationAnswer == nil)
  }
}
